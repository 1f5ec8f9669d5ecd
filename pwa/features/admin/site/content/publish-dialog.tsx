import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { entryLabel, pageLabels } from '#pwa/features/admin/kit/content-texts.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, TextAreaField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { type ContentPage, ContentPageState, LegalPage, LegalTold } from '#shared/contract/admin-content.ts'
import { londonDay } from '#shared/rules/london.ts'
import { entryAt, type Override, toEntries } from '#shared/rules/overrides.ts'
import { plural } from '#shared/rules/plural.ts'
import { ChangeList } from './change-dialogs.tsx'

type Props = {
  page: ContentPage
  entries: readonly Override[]
  published: ContentPageState
  problems: Record<string, string>
  onPublished: (state: ContentPageState) => void
  /** The other owner published in between. */
  onMoved: () => void
  onClose: () => void
}

export function PublishDialog({ page, entries, published, problems, onPublished, onMoved, onClose }: Props) {
  const [isDated, setDated] = useState(true)
  const isLegal = v.is(LegalPage, page)
  const today = londonDay(new Date())
  const canBeDated = isLegal && !entries.some(({ entry }) => entry === 'updated')
  const wanted = canBeDated && isDated && entryAt(published.value, 'updated') !== today ? { updated: today } : {}
  const action = useAdminAction({
    schema: ContentPageState,
    send: () =>
      api.api.admin
        .content({ page })
        .publish.post({ version: published.version, entries: { ...toEntries(entries), ...wanted } }),
    failure: 'We couldn’t publish it. Your draft is safe.',
    done: {
      title: 'Published',
      description: `${pageLabels[page]}: ${plural(entries.length, 'change')} on the site now.`,
    },
    onDone: onPublished,
    onFailure: (error) => {
      if (error instanceof RequestError && error.code === 'version_conflict') onMoved()
    },
  })
  const refused = action.error instanceof RequestError ? action.error.fields : {}
  const faults = Object.entries({ ...problems, ...refused })
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={`Publish: ${pageLabels[page]}`}
      footer={
        <>
          <Button
            isBusy={action.isPending}
            busyLabel="Publishing…"
            disabled={faults.length > 0}
            onClick={() => action.mutate()}
          >
            Publish {plural(entries.length, 'change')}
          </Button>
          <KeepButton isBusy={action.isPending} onClick={onClose}>
            Not yet
          </KeepButton>
        </>
      }
    >
      <Faults faults={faults} />
      {action.problem && Object.keys(refused).length === 0 && <Banner tone="bad" role="alert" title={action.problem} />}
      <ChangeList entries={entries} published={published.value} />
      {canBeDated && (
        <CheckField
          label="Set “last changed” to today"
          checked={isDated}
          onChange={({ target }) => setDated(target.checked)}
        />
      )}
    </Dialog>
  )
}

const Faults = ({ faults }: { faults: readonly (readonly [entry: string, problem: string])[] }) =>
  faults.length > 0 && (
    <Banner tone="bad" role="alert" title="Fix these first">
      <ul>
        {faults.map(([entry, problem]) => (
          <li key={entry}>
            {entryLabel(entry)}: {problem}
          </li>
        ))}
      </ul>
    </Banner>
  )

export function TellDialog({ page, onClose }: { page: LegalPage; onClose: () => void }) {
  const [note, setNote] = useState('')
  const counted = useQuery({
    queryKey: ['owner-words', page, 'tell'],
    queryFn: () => parseResponse(LegalTold, tell(page, { note: '', isTrial: true })),
    staleTime: 0,
  })
  const action = useAdminAction({
    schema: LegalTold,
    send: () => tell(page, { note, isTrial: false }),
    failure: 'We couldn’t tell them.',
    done: ({ members }) => ({
      title: `We’re telling ${plural(members, 'member')}`,
      description: 'Emails go out 60 a minute. Follow, pause or stop them under Campaigns.',
    }),
    onDone: onClose,
  })
  const members = counted.data === undefined ? 'the members' : plural(counted.data.members, 'member')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Tell the members?"
      footer={
        <>
          <Button isBusy={action.isPending} busyLabel="Telling…" onClick={() => action.mutate()}>
            Tell {members}
          </Button>
          <KeepButton isBusy={action.isPending} onClick={onClose}>
            Don’t tell them
          </KeepButton>
        </>
      }
    >
      <p>
        {pageLabels[page]} is published. If it changes what members have agreed to, tell them. We’ll email each of them
        once, with a link to the page and what you write here.
      </p>
      <TextAreaField
        label="What’s changed"
        maxLength={2000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
    </Dialog>
  )
}

const tell = (page: LegalPage, body: { note: string; isTrial: boolean }) =>
  api.api.admin.content({ page }).tell.post(body)
