import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import * as v from 'valibot'
import { entryLabel } from '#pwa/features/admin/kit/content-texts.ts'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { ConflictSection } from '#pwa/features/forms/conflict.tsx'
import { linesOf } from '#pwa/lib/text-difference.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import {
  type ContentDraftState,
  type ContentPage,
  type ContentPageState,
  contentSchemas,
  LegalPage,
} from '#shared/contract/admin-content.ts'
import { fieldOf } from '#shared/contract/text-fields.ts'
import { MailKind } from '#shared/contract/texts/mails.ts'
import { plural } from '#shared/rules/plural.ts'
import { HistoryDialog } from './change-dialogs.tsx'
import { EditorBar } from './editor-bar.tsx'
import { MailPreview, PagePreview } from './page-preview.tsx'
import { PartsForm } from './parts-form.tsx'
import { PublishDialog, TellDialog } from './publish-dialog.tsx'
import { draftQuery, pageStateQuery } from './queries.ts'
import { type Form, idOf, usePageDraft } from './use-page-draft.ts'
import './content.css'

/** `entry` opens the form at that field. */
type Props = { page: ContentPage; part: string | undefined; entry: string | undefined }

export default function PageEditor({ page, ...at }: Props) {
  const published = useQuery(pageStateQuery(page))
  const stored = useQuery(draftQuery(page))
  // A cached draft may be older than what was typed last, so wait for the refetch.
  const isFresh = stored.isFetchedAfterMount
  if (published.data && stored.data && isFresh) {
    return <Editor page={page} {...at} published={published.data} stored={stored.data} />
  }
  const failed = published.error === null ? stored : published
  return (
    <>
      <ListState {...failed} />
      {failed.error === null && <Skeleton size="block" />}
    </>
  )
}

type EditorProps = Props & { published: ContentPageState; stored: ContentDraftState }
type Open = 'publish' | 'history' | 'tell' | null

function Editor({ page, part, entry, published, stored }: EditorProps) {
  const draft = usePageDraft(page, { published, stored })
  const [open, setOpen] = useState<Open>(null)
  const [shown, setShown] = useState(() => shownAt(page, entry ?? part))
  const [isPageShown, setPageShown] = useState(false)
  const pressed = usePressedField({ page, part, entry }, () => setPageShown(false))
  const field = useMemo(() => fieldOf(contentSchemas[page]), [page])
  const mail = page === 'mails' && v.is(MailKind, part) ? part : null
  const form: Form = {
    change: draft.change,
    problems: stored.problems,
    onEnter: (path) => setShown(`${page}:${path}`),
  }
  const edition = useEdition(stored)
  return (
    <>
      <EditorBar
        page={page}
        draft={draft}
        link={stored.link}
        isPageShown={isPageShown}
        hasIframe={stored.frame !== null}
        onOpen={setOpen}
        onShowPage={setPageShown}
      />
      <Clashes draft={draft} />
      <div className={isPageShown ? 'words__both words__both--page' : 'words__both'}>
        <PartsForm
          field={field}
          part={part}
          form={form}
          value={draft.value}
          changed={draft.entries}
          opened={pressed.target}
        />
        {mail !== null && <MailPreview kind={mail} edition={edition} />}
        {stored.frame !== null && (
          <PagePreview address={stored.frame} edition={edition} shown={shown} onPress={pressed.press} />
        )}
      </div>
      <Dialogs page={page} published={published} stored={stored} draft={draft} open={open} onOpen={setOpen} />
    </>
  )
}

const shownAt = (page: ContentPage, path: string | undefined) => (path === undefined ? null : `${page}:${path}`)

type DialogsProps = Omit<EditorProps, 'part' | 'entry'> & {
  draft: ReturnType<typeof usePageDraft>
  open: Open
  onOpen: (open: Open) => void
}

function Dialogs({ page, published, stored, draft, open, onOpen }: DialogsProps) {
  const onClose = () => onOpen(null)
  const queryClient = useQueryClient()
  const renewDraft = () => queryClient.invalidateQueries({ queryKey: draftQuery(page).queryKey }).catch(reportError)
  const onMoved = () => {
    onClose()
    queryClient.invalidateQueries({ queryKey: pageStateQuery(page).queryKey }).catch(reportError)
    void renewDraft()
  }
  const onPublished = (state: ContentPageState) => {
    queryClient.setQueryData(pageStateQuery(page).queryKey, state)
    draft.forget(state)
    onOpen(v.is(LegalPage, page) ? 'tell' : null)
    void renewDraft()
  }
  if (open === 'publish') {
    const { entries } = draft
    return (
      <PublishDialog
        page={page}
        published={published}
        entries={entries}
        onPublished={onPublished}
        onMoved={onMoved}
        onClose={onClose}
        problems={stored.problems}
      />
    )
  }
  if (open === 'tell' && v.is(LegalPage, page)) return <TellDialog page={page} onClose={onClose} />
  if (open !== 'history') return null
  return (
    <HistoryDialog
      page={page}
      originals={new Map(published.overrides.map(({ entry, original }) => [entry, original]))}
      published={published.value}
      onRestore={(entry, value) => {
        draft.change(entry, value)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Changes whenever the server has a newer draft, which the iframe then loads. */
function useEdition({ draft }: ContentDraftState): number {
  return draft === null ? 0 : Date.parse(draft.updatedAt)
}

/** Focuses the address’s field, then that of the text pressed in the iframe. Text of another page opens that page’s form. */
function usePressedField({ page, part, entry }: Props, onFound: () => void) {
  const navigate = useNavigate()
  const toast = useToast()
  const [target, setTarget] = useState(() => (entry === undefined ? null : { path: entry, at: 0 }))
  useEffect(() => {
    if (target === null) return
    const field = fieldAt(target.path)
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length)
  }, [target])
  const press = (name: string) => {
    const [of = '', path = ''] = name.split(':')
    const wanted = path.split('.')[0] ?? ''
    onFound()
    if (of === page) setTarget({ path, at: Date.now() })
    else toast({ title: 'This text is on every page', description: 'We’ve opened it under Content.' })
    if (of === page && (part === undefined || part === wanted)) return
    // Each part of `site` has a form of its own.
    const search: Record<string, string> = of === 'site' ? { page: of, part: wanted } : { page: of }
    navigate({ to: '/admin/$place', params: { place: 'words' }, search }).catch(reportError)
  }
  return { press, target }
}

/** The field itself, or the first one of a group or a list's entry. */
function fieldAt(path: string): HTMLElement | undefined {
  const fields = [...document.querySelectorAll<HTMLElement>('.words__form :is(input, textarea, select)')]
  const id = idOf(path)
  return fields.find((field) => field.id === id) ?? fields.find((field) => field.id.startsWith(`${id}.`))
}

function Clashes({ draft: { clashes, choose } }: { draft: ReturnType<typeof usePageDraft> }) {
  if (clashes.length === 0) return null
  return (
    <ConflictSection
      title={`Another owner has published ${plural(clashes.length, 'entry', 'entries')} you’ve changed too`}
      differences={clashes.map(({ entry, mine, theirs }) => ({
        label: entryLabel(entry),
        mine: linesOf(mine),
        theirs: linesOf(theirs),
      }))}
      isBusy={false}
      mineLabel="Keep mine in the draft"
      onMine={() => choose('mine')}
      onTheirs={() => choose('theirs')}
    />
  )
}
