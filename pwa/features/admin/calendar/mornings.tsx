import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { morningsQuery, setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TimeField } from '#pwa/ui/date-field.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, EmailField } from '#pwa/ui/field.tsx'
import { CallMorning } from '#shared/contract/owner-calendar.ts'
import { FeedsSection } from './feeds.tsx'

type NamedMorning = CallMorning & { coachName: string }

const unset = { email: '', sendsAt: '06:30', isOn: false, version: 0 }

const stateText = ({ isOn, email, sendsAt }: CallMorning) => (isOn ? `At ${sendsAt} to ${email}` : 'No email')

const morningColumns: readonly Column<NamedMorning>[] = [
  { label: 'Coach', kind: 'who', cell: ({ coachName }) => coachName, text: ({ coachName }) => coachName },
  { label: 'Morning email', cell: stateText, text: stateText },
]

export function MorningsSection() {
  const setup = useQuery(setupQuery)
  const query = useQuery(morningsQuery)
  const [open, setOpen] = useState<string | null>(null)
  const mornings =
    setup.data &&
    query.data &&
    setup.data.coaches.map(({ id, name }) => ({
      ...(query.data.find(({ coach }) => coach === id) ?? { ...unset, coach: id }),
      coachName: name,
    }))
  const shown = mornings?.find(({ coach }) => coach === open)
  return (
    <>
      <ShortList
        title="The day’s calls by email"
        name="morning-mails"
        query={{ ...query, error: query.error ?? setup.error, data: mornings }}
        columns={morningColumns}
        idOf={({ coach }) => coach}
        note="Each coach gets the day’s calls in the morning, with names and numbers. No calls, no email."
        actions={({ coach, coachName }) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Change ${coachName}’s morning email`}
            onClick={() => setOpen(coach)}
          >
            Change
          </Button>
        )}
      />
      {shown && <MorningDialog morning={shown} onClose={() => setOpen(null)} />}
      <section aria-label="Calendar apps">{setup.data && <FeedsSection setup={setup.data} />}</section>
    </>
  )
}

const valuesOf = ({ email, sendsAt, isOn, version }: CallMorning): FormValues => ({
  email,
  sendsAt,
  version: String(version),
  ...(isOn ? { isOn: 'on' } : {}),
})

const readMorning = (coach: string) => (typed: FormValues) => ({
  coach,
  email: typed.email,
  sendsAt: typed.sendsAt,
  isOn: typed.isOn === 'on',
  version: Number(typed.version),
})

const MorningDialog = ({ morning, onClose }: { morning: NamedMorning; onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={`Morning email: ${morning.coachName}`}>
    <RowForm
      label="Morning email"
      className="fields"
      draft={`morning:${morning.coach}`}
      schema={CallMorning}
      read={readMorning(morning.coach)}
      row={CallMorning}
      begin={() => valuesOf(morning.version === 0 ? { ...morning, isOn: true } : morning)}
      valuesOf={valuesOf}
      send={(request, { version }) => api.api.admin.calendar.mornings.put({ ...request, version })}
      failure="We couldn’t save this."
      done={(saved) => ({ title: 'Saved', description: `${morning.coachName}: ${stateText(saved)}` })}
      compared={[['Morning email', stateText]]}
      submit="Save"
      cancel="Cancel"
      onClose={onClose}
    >
      {(parts) => <MorningFields {...parts} />}
    </RowForm>
  </Dialog>
)

const MorningFields = ({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) => (
  <>
    <EmailField label="To" name="email" autoComplete="off" required defaultValue={values.email} error={errors.email} />
    <TimeField
      label="At, UK time"
      name="sendsAt"
      required
      hint="If it’s past that time today, the first one comes tomorrow."
      defaultValue={values.sendsAt}
      error={errors.sendsAt}
    />
    <CheckField label="Send it on days with a call" name="isOn" defaultChecked={values.isOn === 'on'} />
  </>
)
