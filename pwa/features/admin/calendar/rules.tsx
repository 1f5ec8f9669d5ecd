import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lengthText, spanText } from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { CallRules } from '#shared/contract/calendar.ts'
import { callNames } from '#shared/contract/call-kind.ts'
import { plural } from '#shared/rules/plural.ts'

const ruleFields: readonly (readonly [label: string, text: (rules: CallRules) => string])[] = [
  ['Length', lengthText],
  ['Can start every', ({ everyMinutes }) => plural(everyMinutes, 'minute')],
  ['Gap before and after', ({ bufferMinutes }) => spanText(bufferMinutes)],
  ['Notice needed', ({ leadMinutes }) => spanText(leadMinutes)],
  ['Furthest ahead', ({ horizonDays }) => plural(horizonDays, 'day')],
]

const columns: readonly Column<CallRules>[] = [
  { label: 'Call', kind: 'who', cell: ({ kind }) => callNames[kind], text: ({ kind }) => callNames[kind] },
  ...ruleFields.map(([label, text]): Column<CallRules> => ({ label, cell: text, text })),
]

export function RulesSection() {
  const setup = useQuery(setupQuery)
  const [open, setOpen] = useState<CallRules['kind'] | null>(null)
  const rules = setup.data?.rules.find(({ kind }) => kind === open)
  return (
    <>
      <ShortList
        title="Kinds of call"
        name="kinds-of-call"
        query={{ ...setup, data: setup.data?.rules }}
        columns={columns}
        idOf={({ kind }) => kind}
        note="These are the same for every coach. To offer a kind of call, set weekly hours for it."
        actions={({ kind }) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Change: ${callNames[kind]}`}
            onClick={() => setOpen(kind)}
          >
            Change
          </Button>
        )}
      />
      {rules && <RulesFormDialog rules={rules} onClose={() => setOpen(null)} />}
    </>
  )
}

const hoursOf = (minutes: number) => String(Math.round((minutes / 60) * 100) / 100)

const valuesOf = (rules: CallRules): FormValues => ({
  minutes: String(rules.minutes),
  everyMinutes: String(rules.everyMinutes),
  bufferMinutes: String(rules.bufferMinutes),
  leadMinutes: hoursOf(rules.leadMinutes),
  horizonDays: String(rules.horizonDays),
  version: String(rules.version),
})

/** `Number('')` is 0; an empty field means no number. */
const numberIn = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : Number(text))

const readRules = (kind: CallRules['kind']) => (typed: FormValues) => ({
  kind,
  minutes: numberIn(typed.minutes),
  everyMinutes: numberIn(typed.everyMinutes),
  bufferMinutes: numberIn(typed.bufferMinutes),
  horizonDays: numberIn(typed.horizonDays),
  leadMinutes: typed.leadMinutes?.trim() ? Math.round(Number(typed.leadMinutes) * 60) : undefined,
  version: Number(typed.version),
})

const RulesFormDialog = ({ rules, onClose }: { rules: CallRules; onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={callNames[rules.kind]}>
    <RowForm
      label="Kind of call"
      className="fields"
      draft={`call-rules:${rules.kind}`}
      schema={CallRules}
      read={readRules(rules.kind)}
      row={CallRules}
      begin={() => valuesOf(rules)}
      valuesOf={valuesOf}
      send={(request, { version }) => api.api.admin.calendar.rules.put({ ...request, version })}
      failure="We couldn’t save this."
      done={({ kind }) => ({ title: 'Saved', description: callNames[kind] })}
      compared={ruleFields}
      submit="Save"
      cancel="Cancel"
      onClose={onClose}
    >
      {(parts) => <RuleFields {...parts} isByTier={rules.kind === 'coaching'} />}
    </RowForm>
  </Dialog>
)

type FieldsProps = Pick<RowFormParts, 'values' | 'errors'> & { isByTier: boolean }

const RuleFields = ({ values, errors, isByTier }: FieldsProps) =>
  (
    [
      ['minutes', 'Length, in minutes', isByTier ? 'Used when the member’s tier doesn’t set a length.' : ''],
      ['everyMinutes', 'A call can start every … minutes', 'Counted from the start of the coach’s hours.'],
      ['bufferMinutes', 'Gap before and after, in minutes', ''],
      ['leadMinutes', 'Hours of notice', 'People can book or move a call until then.'],
      ['horizonDays', 'Days ahead', 'How far ahead a call can be booked.'],
    ] as const
  ).map(([name, label, hint]) => (
    <TextField
      key={name}
      label={label}
      name={name}
      inputMode="decimal"
      autoComplete="off"
      required
      hint={hint || undefined}
      defaultValue={values[name]}
      error={errors[name]}
    />
  ))
