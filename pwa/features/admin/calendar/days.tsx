import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { daysText, windowsText } from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { DateField, TimeField } from '#pwa/ui/date-field.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import { type CallDays, type CallSetup, CallWindow, Created } from '#shared/contract/calendar.ts'
import { Day } from '#shared/contract/fields.ts'
import { CallsOnDays, CallsOutside } from './hours-notices.tsx'

const whatText = ({ windows }: CallDays) => (windows.length === 0 ? 'Day off' : `Only ${windowsText(windows)}`)

const columnsFor = ({ coaches }: CallSetup): readonly Column<CallDays>[] => {
  const who = ({ coach }: CallDays) =>
    coach === null ? 'All coaches' : (coaches.find(({ id }) => id === coach)?.name ?? coach)
  return [
    { label: 'Days', kind: 'who', cell: daysText, text: daysText },
    { label: 'Who', cell: who, text: who },
    { label: 'What', cell: whatText, text: whatText },
    { label: 'Note', cell: ({ note }) => note, text: ({ note }) => note ?? '' },
  ]
}

/** Holidays, and days with hours other than the week’s. */
export function DaysSection() {
  const setup = useQuery(setupQuery)
  const [open, setOpen] = useState<CallDays | null>(null)
  const adding = useAddressedDialog()
  const close = () => setOpen(null)
  return (
    <>
      <ShortList
        title="Days off and other hours"
        name="days-off"
        query={{ ...setup, data: setup.data?.days }}
        columns={setup.data ? columnsFor(setup.data) : []}
        idOf={({ id }) => id}
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={adding.open}>
            Add days off
          </Button>
        }
        note="Weekly hours don’t apply on these days. Calls already booked stay booked until you move or cancel them."
        before={setup.data && <CallsOutside setup={setup.data} />}
        empty={{
          title: 'No days off',
          text: 'Add a holiday, or a day with different hours. Past days drop off the list.',
        }}
        actions={(row) => <RowMenu name={daysText(row)} items={[{ label: 'Delete', onPress: () => setOpen(row) }]} />}
      />
      {adding.isOpen && setup.data && <AddDaysDialog setup={setup.data} onClose={adding.close} />}
      {open !== null && <RemoveDaysDialog row={open} onClose={close} />}
    </>
  )
}

function RemoveDaysDialog({ row, onClose }: { row: CallDays; onClose: () => void }) {
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin.calendar.days({ id: row.id }).delete(),
    failure: 'We couldn’t delete it.',
    done: { title: 'Back to the weekly hours', description: daysText(row) },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Back to the weekly hours on ${daysText(row)}?`}
      button="Delete"
      busy="Saving…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>People can book the usual weekly hours again.</p>
    </ConfirmDialog>
  )
}

const nothing = { firstDay: '', lastDay: '', coach: '', note: '', opens: '', closes: '' }

function AddDaysDialog({ setup, onClose }: { setup: CallSetup; onClose: () => void }) {
  const { values, change, finish } = useDraft('days-off', nothing, onClose)
  const { firstDay, lastDay, coach, note, opens, closes } = values
  const hasHours = opens !== '' || closes !== ''
  const off = {
    firstDay,
    lastDay: lastDay || firstDay,
    coach: coach || null,
    windows: hasHours ? [{ opens, closes: closes === '00:00' ? '24:00' : closes }] : [],
  }
  const action = useAdminAction({
    schema: Created,
    send: () => api.api.admin.calendar.days.post({ ...off, note: note || null }),
    failure: 'We couldn’t save the days.',
    done: { title: 'Days saved' },
    onDone: finish,
  })
  return (
    <ActionDialog
      title="Days off, or other hours"
      button={`Save days for ${setup.coaches.find(({ id }) => id === coach)?.name ?? 'all coaches'}`}
      busy="Saving…"
      keep="Cancel"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <FirstAndLast firstDay={firstDay} lastDay={lastDay} change={change} error={action.error} />
      <SelectField label="Who" value={coach} onChange={({ target }) => change({ coach: target.value })}>
        <option value="">All coaches</option>
        {setup.coaches.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <OtherHours
        opens={opens}
        closes={closes}
        change={change}
        error={fieldProblem(action.error, 'windows.0') ?? clockProblem(action.error)}
      />
      <TextField
        label="Note, for owners only"
        autoComplete="off"
        maxLength={200}
        value={note}
        error={fieldProblem(action.error, 'note')}
        onChange={({ target }) => change({ note: target.value })}
      />
      {isTyped(off) && <CallsOnDays setup={setup} off={off} />}
    </ActionDialog>
  )
}

const isTyped = ({ firstDay, lastDay, windows }: Pick<CallDays, 'firstDay' | 'lastDay' | 'windows'>) =>
  v.is(Day, firstDay) && v.is(Day, lastDay) && windows.every((window) => v.is(CallWindow, window))

const clockProblem = (error: Error | null) =>
  fieldProblem(error, 'windows.0.opens') ?? fieldProblem(error, 'windows.0.closes')

type RangeProps = {
  firstDay: string
  lastDay: string
  error: Error | null
  change: (changed: { firstDay?: string; lastDay?: string }) => void
}

const FirstAndLast = ({ firstDay, lastDay, error, change }: RangeProps) => (
  <>
    <DateField
      label="First day"
      required
      value={firstDay}
      error={fieldProblem(error, 'firstDay')}
      onChange={(typed) => change({ firstDay: typed })}
    />
    <DateField
      label="Last day"
      hint="Leave it empty if it’s just one day."
      value={lastDay}
      error={lastDay === '' ? undefined : fieldProblem(error, 'lastDay')}
      onChange={(typed) => change({ lastDay: typed })}
    />
  </>
)

type HoursProps = {
  opens: string
  closes: string
  error: string | undefined
  change: (changed: { opens?: string; closes?: string }) => void
}

const OtherHours = ({ opens, closes, error, change }: HoursProps) => (
  <div className="calpair">
    <TimeField
      label="Takes calls from"
      hint="Leave both empty for a day off."
      value={opens}
      error={error}
      onChange={(typed) => change({ opens: typed })}
    />
    <TimeField label="until" value={closes} onChange={(typed) => change({ closes: typed })} />
  </div>
)
