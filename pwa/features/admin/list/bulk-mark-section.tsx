import { useState } from 'react'
import { ActionDialog } from '#pwa/features/admin/member-page/action-dialog.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { BulkFailures, useBulk } from './bulk-section.tsx'
import type { Chosen } from './use-chosen.ts'

type Props<Row, Choice extends string> = {
  chosen: Chosen<Row>
  /** Those of the chosen rows that it is done to. */
  rows?: readonly Row[]
  nameOf: (row: Row) => string
  /** What is pressed to begin, and what the dialog then asks, given how many there are. */
  label: string
  title: (count: number) => string
  /** What a row can be marked as; one of them alone is not asked for. */
  choices: readonly [readonly [Choice, string], ...(readonly (readonly [Choice, string])[])]
  hint: string
  send: (row: Row, choice: Choice) => Promise<unknown>
  done: (count: number) => string
}

/** Does the same small thing to all chosen rows, once it was confirmed with their number and names. What failed says why. */
export function BulkMark<Row extends { id: string }, Choice extends string>(props: Props<Row, Choice>) {
  const { chosen, rows = chosen.rows, nameOf, label, title, choices, hint, send, done } = props
  const [isOpen, setOpen] = useState(false)
  const [choice, setChoice] = useState(choices[0][0])
  const bulk = useBulk<Row>({ idOf: ({ id }) => id, nameOf, send: (row) => send(row, choice), done })
  const submit = async () => {
    if (await bulk.run(chosen, rows)) setOpen(false)
  }
  if (rows.length === 0) return null
  return (
    <>
      <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ActionDialog
          title={title(rows.length)}
          button={label}
          busy={bulk.progress ?? ''}
          action={{ isPending: bulk.progress !== null, error: null, problem: null }}
          onSubmit={() => void submit().catch(reportError)}
          onClose={() => setOpen(false)}
        >
          <p>{rows.map(nameOf).join(', ')}</p>
          {choices.length > 1 && (
            <SelectField
              label="Mark as"
              value={choice}
              onChange={({ target }) => setChoice(choices.find(([one]) => one === target.value)?.[0] ?? choice)}
            >
              {choices.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </SelectField>
          )}
          <p className="second">{hint}</p>
          <BulkFailures failures={bulk.failures} />
        </ActionDialog>
      )}
    </>
  )
}
