import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PlaceLink } from '#pwa/features/admin/today/part-section.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { ContentDraftRemoved, type ContentDraftState, type ContentPage } from '#shared/contract/admin-content.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { pageLabels } from './content-texts.ts'
import { draftQuery } from './queries.ts'
import type { Keeping, usePageDraft } from './use-page-draft.ts'

type Props = {
  page: ContentPage
  draft: ReturnType<typeof usePageDraft>
  link: ContentDraftState['link']
  /** On a phone there is room for the words or the page. */
  isPageShown: boolean
  onShowPage: (isShown: boolean) => void
  onOpen: (dialog: 'publish' | 'history') => void
}

/** What can be done with the draft, and how it is kept. */
export function EditorBar({ page, draft, link, isPageShown, onShowPage, onOpen }: Props) {
  const count = draft.entries.length
  return (
    <div className="words__bar">
      <PlaceLink place="words">All words</PlaceLink>
      <h2>{pageLabels[page]}</h2>
      <p className="second" role="status">
        {keepingText(draft.keeping, count)}
      </p>
      <div className="acts">
        <Button
          isSmall
          disabled={count === 0 || draft.clashes.length > 0}
          aria-haspopup="dialog"
          onClick={() => onOpen('publish')}
        >
          Publish…
        </Button>
        {link !== null && <LinkButton link={link} isEmpty={count === 0} />}
        <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onOpen('history')}>
          History
        </Button>
        {count > 0 && <GiveUpButton page={page} draft={draft} />}
        <span className="words__switch">
          <Button look="line" isSmall aria-pressed={!isPageShown} onClick={() => onShowPage(false)}>
            Words
          </Button>
          <Button look="line" isSmall aria-pressed={isPageShown} onClick={() => onShowPage(true)}>
            Page
          </Button>
        </span>
      </div>
    </div>
  )
}

function keepingText(keeping: Keeping, count: number): string {
  const what = plural(count, 'change')
  switch (keeping.state) {
    case 'none':
      return count === 0 ? 'As it is on the site.' : `${what} in your draft.`
    case 'typing':
    case 'saving':
      return `${what}. Kept on this device, on its way to your draft.`
    case 'saved':
      return `${what} in your draft, kept at ${formatClock(keeping.at)}. Nobody else reads it yet.`
    case 'device':
      return `${what}, kept on this device alone. ${keeping.problem}`
  }
}

function LinkButton({ link: { url, until }, isEmpty }: { link: { url: string; until: string }; isEmpty: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="line" isSmall icon="share" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Preview link
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Show the draft to somebody">
        <p>
          {isEmpty ? 'There is no draft yet: the link shows the page as it is. ' : ''}
          Anybody with this address can read your draft until {formatLongDate(until)}, without a login. Search engines
          leave it out.
        </p>
        <TextField label="Address" readOnly value={url} onFocus={({ target }) => target.select()} />
        <p>
          <TextAnchor isTap href={url} target="_blank">
            Open it <span className="vh">(opens in a new tab)</span>
          </TextAnchor>
        </p>
      </Dialog>
    </>
  )
}

function GiveUpButton({ page, draft }: Pick<Props, 'page' | 'draft'>) {
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const action = useAdminAction({
    schema: ContentDraftRemoved,
    send: () => api.api.admin.content({ page }).draft.delete(),
    failure: 'The draft could not be thrown away.',
    done: { title: 'Draft thrown away' },
    onDone: () => {
      draft.forget(draft.base)
      setOpen(false)
      queryClient.invalidateQueries({ queryKey: draftQuery(page).queryKey }).catch(reportError)
    },
  })
  return (
    <>
      <Button look="line" isSmall icon="bin" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Throw the draft away
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Throw the draft away?"
        footer={
          <>
            <Button look="bad" isBusy={action.isPending} busyLabel="Throwing away…" onClick={() => action.mutate()}>
              Throw away {plural(draft.entries.length, 'change')}
            </Button>
            <Button look="line" onClick={() => setOpen(false)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>{action.problem ?? 'The page stays as it is on the site. What you have written here is gone.'}</p>
      </Dialog>
    </>
  )
}
