import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import type { About, Fact } from './inbox-texts.ts'

type Entry = { id: string; email: string; phone?: string | null }
type ListProps<Row> = Omit<Parameters<typeof ListSection<Row>>[0], 'actions' | 'openId' | 'dialog'>
type DialogProps = Parameters<typeof EntryDialog>[0]

type Props<Row> = ListProps<Row> & {
  kind: About['kind']
  /** Such as `booking`, for “Open Sam Field’s booking”. */
  noun: string
  nameOf: (row: Row) => string
  factsOf: (row: Row) => readonly Fact[]
  statusLabel?: string
  statusOf?: (row: Row) => ReactNode
  /** A window of its own for some of the rows. */
  dialogOf?: (row: Row, props: DialogProps) => ReactNode
}

export function EntryList<Row extends Entry>({ kind, noun, nameOf, factsOf, ...props }: Props<Row>) {
  const { statusLabel, statusOf, dialogOf = toEntryDialog, ...list } = props
  const { openId, open, close } = useOpenEntry()
  return (
    <ListSection
      {...list}
      actions={(row) => (
        <IconButton
          icon="arrow"
          label={`Open ${nameOf(row)}’s ${noun}`}
          aria-haspopup="dialog"
          onClick={() => open(row.id)}
        />
      )}
      openId={openId}
      dialog={(row) =>
        dialogOf(row, {
          about: { kind, id: row.id, email: row.email },
          sender: { ...row, name: nameOf(row) },
          facts: factsOf(row),
          statusLabel,
          status: statusOf?.(row),
          onClose: close,
        })
      }
    />
  )
}

const toEntryDialog = ({ id }: Entry, props: DialogProps) => <EntryDialog key={id} {...props} />

type Search = Record<string, unknown>

/** The open entry’s id is in the address, so Back closes its dialog and a reload opens it again. */
export function useOpenEntry() {
  const { entry }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const openedHere = useRef<string>(undefined)
  const goTo = (search: (list: Search) => Search, replace: boolean) =>
    navigate({ to: '.', search, replace, resetScroll: false }).catch(reportError)
  const open = (id: string) => {
    openedHere.current = id
    void goTo((list) => ({ ...list, entry: id }), false)
  }
  const close = () => {
    if (openedHere.current === entry) history.back()
    else void goTo(({ entry: _, ...list }) => list, true)
    // `history.back` is asynchronous; a second press mustn’t go back twice.
    openedHere.current = undefined
  }
  return { openId: typeof entry === 'string' ? entry : undefined, open, close }
}
