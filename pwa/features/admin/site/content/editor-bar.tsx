import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { pageLabels } from '#pwa/features/admin/kit/content-texts.ts'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { useCopy } from '#pwa/features/admin/kit/use-copy.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { ContentDraftRemoved, type ContentDraftState, type ContentPage } from '#shared/contract/admin-content.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { draftQuery } from './queries.ts'
import type { Keeping, usePageDraft } from './use-page-draft.ts'

type Props = {
  page: ContentPage
  draft: ReturnType<typeof usePageDraft>
  link: ContentDraftState['link']
  /** A phone has room for either the form or the page. */
  isPageShown: boolean
  hasIframe: boolean
  onShowPage: (isShown: boolean) => void
  onOpen: (dialog: 'publish' | 'history') => void
}

export function EditorBar({ page, draft, link, isPageShown, hasIframe, onShowPage, onOpen }: Props) {
  const count = draft.entries.length
  return (
    <div className="words__bar">
      <PlaceLink place="words">All content</PlaceLink>
      <h2>{pageLabels[page]}</h2>
      <p className="second" role="status">
        {keepingText(draft.keeping, count)}
      </p>
      <div className="acts words__main">
        <Button
          isSmall
          disabled={count === 0 || draft.clashes.length > 0}
          aria-haspopup="dialog"
          onClick={() => onOpen('publish')}
        >
          Publish…
        </Button>
        <span className="words__switch">
          <Button look="line" isSmall aria-pressed={!isPageShown} onClick={() => onShowPage(false)}>
            Words
          </Button>
          <Button look="line" isSmall aria-pressed={isPageShown} onClick={() => onShowPage(true)}>
            Page
          </Button>
        </span>
      </div>
      <div className="acts">
        {link !== null && <LinkButton link={link} isEmpty={count === 0} />}
        <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onOpen('history')}>
          History
        </Button>
        {count > 0 && <GiveUpButton page={page} draft={draft} />}
      </div>
      {hasIframe && !isPageShown && (
        <p className="second words__hint">Press “Page”, then press any text on it to change it.</p>
      )}
    </div>
  )
}

function keepingText(keeping: Keeping, count: number): string {
  const what = plural(count, 'change')
  switch (keeping.state) {
    case 'none':
      return count === 0 ? 'Same as the live site.' : `${what} in your draft.`
    case 'typing':
    case 'saving':
      return `${what}. Saved on this device. Adding it to your draft…`
    case 'saved':
      return `${what} in your draft, saved at ${formatClock(keeping.at)}. It’s not live yet.`
    case 'device':
      return `${what}, saved on this device only. ${keeping.problem}`
  }
}

function LinkButton({ link: { url, until }, isEmpty }: { link: { url: string; until: string }; isEmpty: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const copy = useCopy()
  return (
    <>
      <Button look="line" isSmall icon="share" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Preview link
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Share your draft">
        <p>
          {isEmpty ? 'No draft yet, so the link shows the live page. ' : ''}
          Anyone with this link can read your draft until {formatLongDate(until)}, no login needed. Search engines won’t
          list it.
        </p>
        <TextField label="Address" readOnly value={url} onFocus={({ target }) => target.select()} />
        <div className="acts">
          <Button onClick={() => copy(url)}>Copy</Button>
          <TextAnchor isTap href={url} target="_blank">
            Open it <span className="vh">(opens in a new tab)</span>
          </TextAnchor>
        </div>
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
    failure: 'We couldn’t discard the draft.',
    done: { title: 'Draft discarded' },
    onDone: () => {
      draft.forget(draft.base)
      setOpen(false)
      queryClient.invalidateQueries({ queryKey: draftQuery(page).queryKey }).catch(reportError)
    },
  })
  return (
    <>
      <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Discard draft
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Discard the draft?"
        footer={
          <>
            <Button look="bad" isBusy={action.isPending} busyLabel="Discarding…" onClick={() => action.mutate()}>
              Discard {plural(draft.entries.length, 'change')}
            </Button>
            <KeepButton isBusy={action.isPending} onClick={() => setOpen(false)}>
              Keep it
            </KeepButton>
          </>
        }
      >
        <p>{action.problem ?? 'The live page stays as it is. What you’ve written here will be gone.'}</p>
      </Dialog>
    </>
  )
}
