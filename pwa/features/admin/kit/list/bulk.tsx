import { type ReactNode, useState } from 'react'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { Column } from './list-table.tsx'
import type { Chosen } from './use-list.ts'
import { saveRows, useAskFor } from './use-list-csv.ts'

type BarProps<Row> = {
  name: string
  columns: readonly Column<Row>[]
  chosen: Chosen<Row>
  /** How many could be chosen, those on pages that haven’t been opened among them. */
  all?: { count: number; isComing: boolean; choose: () => Promise<void> }
  children: ReactNode
}

/** Stands after the list, at the lower edge, so that the list stays where it is. */
export function BulkBar<Row>({ name, columns, chosen, all, children }: BarProps<Row>) {
  const askFor = useAskFor(name)
  const save = async () => {
    await askFor(chosen.rows.length)
    saveRows(`${name}-selected.csv`, columns, chosen.rows)
  }
  return (
    <section className="bulk" aria-label="Selected rows">
      <p aria-live="polite">
        <b>{chosen.rows.length} selected</b>
      </p>
      {all && all.count > chosen.rows.length && (
        <Button isSmall look="line" isBusy={all.isComing} onClick={all.choose}>
          Select all {all.count}
        </Button>
      )}
      <Button isSmall look="bare" onClick={() => chosen.set([])}>
        Clear selection
      </Button>
      <Button isSmall look="line" icon="down" onClick={() => void save().catch(() => {})}>
        Download CSV
      </Button>
      {children}
    </section>
  )
}

type Bulk<Row> = {
  idOf: (row: Row) => string
  nameOf: (row: Row) => string
  send: (row: Row) => Promise<unknown>
  done: (count: number) => string
}

type Failure = { name: string; reason: string }

/**
 * Makes the single-row call for each row in turn. Failed rows stay ticked and say why; finished rows are unticked, so a
 * second press repeats nothing.
 */
export function useBulk<Row>({ idOf, nameOf, send, done }: Bulk<Row>) {
  const toast = useToast()
  const renew = useAdminRenewal()
  const [progress, setProgress] = useState<string | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const run = async (chosen: Chosen<Row>, rows: readonly Row[] = chosen.rows) => {
    const left = new Set(chosen.rows.map(idOf))
    const failed: Failure[] = []
    // Without the password, each row left would ask for it again.
    let unproven: RequestError | null = null
    setFailures([])
    for (const [at, row] of rows.entries()) {
      setProgress(`${at + 1} of ${rows.length}`)
      try {
        if (unproven) throw unproven
        await send(row)
        left.delete(idOf(row))
      } catch (error) {
        if (error instanceof RequestError && error.code === 'password_needed') unproven = error
        const reason = messageOf(error instanceof Error ? error : new Error(String(error)), 'It didn’t work.')
        failed.push({ name: nameOf(row), reason })
      }
    }
    setProgress(null)
    setFailures(failed)
    chosen.set([...left])
    renew()
    if (rows.length > failed.length) toast({ title: done(rows.length - failed.length), tone: 'ok' })
    return failed.length === 0
  }
  return { run, progress, failures }
}

export const BulkFailures = ({ failures }: { failures: readonly Failure[] }) =>
  failures.length > 0 && (
    <Banner
      tone="bad"
      role="alert"
      title={`${failures.length} didn’t work. ${failures.length === 1 ? 'It’s' : 'They’re'} still selected.`}
    >
      <ul className="plain">
        {failures.map(({ name, reason }) => (
          <li key={name}>
            {name}: {reason}
          </li>
        ))}
      </ul>
    </Banner>
  )

type Props<Row, Choice extends string> = {
  chosen: Chosen<Row>
  /** The chosen rows it applies to; all by default. */
  rows?: readonly Row[]
  nameOf: (row: Row) => string
  /** The button’s text. `title` is the dialog’s question, given the number of rows. */
  label: string
  title: (count: number) => string
  /** A single choice isn’t offered as a field. */
  choices: readonly [readonly [Choice, string], ...(readonly (readonly [Choice, string])[])]
  choiceLabel?: string
  hint: string
  send: (row: Row, choice: Choice) => Promise<unknown>
  done: (count: number) => string
}

/** Confirms with the number and names first. Only for changes small enough not to need asking one by one. */
export function BulkMark<Row extends { id: string }, Choice extends string>(props: Props<Row, Choice>) {
  const { chosen, rows = chosen.rows, nameOf, label, title, choices, choiceLabel = 'Mark as', hint, send, done } = props
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
              label={choiceLabel}
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
