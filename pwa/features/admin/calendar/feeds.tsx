import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { feedsQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { CallSetup } from '#shared/contract/calendar.ts'
import { type CallFeed, CallFeedResponse } from '#shared/contract/owner-calendar.ts'
import { formatMoment } from '#shared/rules/london.ts'

const makerOf = ({ madeBy }: CallFeed) => madeBy ?? 'The server’s terminal'

const madeColumn: Column<CallFeed> = {
  label: 'Made',
  kind: 'date',
  cell: ({ createdAt }) => formatMoment(createdAt),
  text: ({ createdAt }) => createdAt,
}

/** We store only a hash of a feed’s address, so a new one is shown once. */
export function FeedsSection({ setup }: { setup: CallSetup }) {
  const query = useQuery(feedsQuery)
  const [asking, setAsking] = useState<{ what: 'renew' | 'end'; feed: CallFeed } | 'new' | null>(null)
  const close = () => setAsking(null)
  const nameOf = ({ coach }: Pick<CallFeed, 'coach'>) =>
    coach === null ? 'All coaches' : (setup.coaches.find(({ id }) => id === coach)?.name ?? coach)
  const columns: readonly Column<CallFeed>[] = [
    { label: 'Whose calls', kind: 'who', cell: nameOf, text: nameOf },
    { label: 'Whose link', cell: makerOf, text: makerOf },
    madeColumn,
  ]
  return (
    <>
      <ShortList
        title="In a calendar app"
        name="calendar-addresses"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        note="A private link that shows your calls in Google, Apple or Outlook. Anyone with it can see times and first names, so give each coach their own."
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={() => setAsking('new')}>
            New link
          </Button>
        }
        empty={{ title: 'No links yet', text: 'Make one to see your calls in your phone’s calendar.' }}
        actions={(feed) => (
          <>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`Replace the link for ${nameOf(feed)}`}
              onClick={() => setAsking({ what: 'renew', feed })}
            >
              Replace
            </Button>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`Delete the link for ${nameOf(feed)}`}
              onClick={() => setAsking({ what: 'end', feed })}
            >
              Delete
            </Button>
          </>
        )}
      />
      {asking === 'new' && <NewFeedDialog setup={setup} onClose={close} />}
      {asking !== null && asking !== 'new' && asking.what === 'renew' && (
        <NewFeedDialog setup={setup} renewed={asking.feed} onClose={close} />
      )}
      {asking !== null && asking !== 'new' && asking.what === 'end' && (
        <EndFeedDialog feed={asking.feed} name={nameOf(asking.feed)} onClose={close} />
      )}
    </>
  )
}

function EndFeedDialog({ feed, name, onClose }: { feed: CallFeed; name: string; onClose: () => void }) {
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin.calendar.feeds({ id: feed.id }).delete(),
    failure: 'We couldn’t delete the link.',
    done: { title: 'Link deleted', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Delete the link for ${name}?`}
      button="Delete link"
      busy="Deleting…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>Calendar apps that use it will stop showing calls.</p>
    </ConfirmDialog>
  )
}

type NewFeedProps = { setup: CallSetup; renewed?: CallFeed; onClose: () => void }

function NewFeedDialog({ setup, renewed, onClose }: NewFeedProps) {
  const [coach, setCoach] = useState(renewed?.coach ?? '')
  const { feeds } = api.api.admin.calendar
  const action = useAdminAction({
    schema: CallFeedResponse,
    send: () => (renewed ? feeds({ id: renewed.id }).renew.post() : feeds.post({ coach: coach || null })),
    failure: 'We couldn’t make the link.',
    done: { title: 'Link made' },
  })
  if (action.data) return <MadeFeedDialog url={action.data.url} onClose={onClose} />
  return (
    <ConfirmDialog
      title={renewed ? 'Replace this link?' : 'New calendar link'}
      button={renewed ? 'Replace link' : 'Make link'}
      busy="Making…"
      keep="Cancel"
      look={renewed ? 'bad' : 'ink'}
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      {renewed ? (
        <p>The old link stops working straight away. Add the new one to every calendar app that used it.</p>
      ) : (
        <SelectField label="Whose calls" value={coach} onChange={({ target }) => setCoach(target.value)}>
          <option value="">All coaches</option>
          {setup.coaches.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </ConfirmDialog>
  )
}

function MadeFeedDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(url).then(() => setCopied(true), reportError)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Copy the link now"
      footer={
        <>
          <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
          <Button look="line" onClick={onClose}>
            I’ve got it
          </Button>
        </>
      }
    >
      <p>Subscribe to it in your calendar app. You won’t see it again.</p>
      <TextField label="Link" readOnly value={url} onFocus={({ target }) => target.select()} />
    </Dialog>
  )
}
