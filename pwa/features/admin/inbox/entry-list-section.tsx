import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import type { Fact } from './inbox-texts.ts'
import type { About } from './notes-section.tsx'

type Entry = { id: string; email: string; phone?: string | null }
type ListProps<Row> = Omit<Parameters<typeof ListSection<Row>>[0], 'actions' | 'openId' | 'dialog'>

type Props<Row> = ListProps<Row> & {
  kind: About['kind']
  /** What one entry is: "Open the booking of Sam Field". */
  noun: string
  nameOf: (row: Row) => string
  factsOf: (row: Row) => readonly Fact[]
}

/** A list of what came in by a form, each entry whole in a dialog. */
export function EntryList<Row extends Entry>({ kind, noun, nameOf, factsOf, ...list }: Props<Row>) {
  const [openId, setOpenId] = useState<string>()
  return (
    <ListSection
      {...list}
      actions={(row) => (
        <IconButton
          icon="eye"
          label={`Open the ${noun} of ${nameOf(row)}`}
          aria-haspopup="dialog"
          onClick={() => setOpenId(row.id)}
        />
      )}
      openId={openId}
      dialog={(row) => (
        <EntryDialog
          key={row.id}
          about={{ kind, id: row.id, email: row.email }}
          sender={{ ...row, name: nameOf(row) }}
          facts={factsOf(row)}
          onClose={() => setOpenId(undefined)}
        />
      )}
    />
  )
}
