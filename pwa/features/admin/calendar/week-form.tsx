import { useEffect, useRef, useState } from 'react'
import {
  fieldName,
  type NamedWeek,
  readWeek,
  type TypedWeek,
  type TypedWindow,
  toTypedWeek,
  typedWeek,
  valuesOfWeek,
  weekdayLabels,
  windowsIn,
  windowsText,
} from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { TimeField } from '#pwa/ui/date-field.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { callWithin, type Weekday, weekdays } from '#shared/contract/call-kind.ts'
import { CallWeek } from '#shared/contract/owner-calendar.ts'

type Props = { week: NamedWeek; others: readonly NamedWeek[]; onClose: () => void }

const compared = weekdays.map(
  (day) => [weekdayLabels[day], ({ days }: Pick<CallWeek, 'days'>) => windowsText(days[day]) || 'None'] as const,
)

/** Closing it with the cross keeps what was typed for next time. */
export const WeekFormDialog = ({ week, others, onClose }: Props) => (
  <Dialog isOpen isWide onClose={onClose} title={`${week.coachName}: ${callWithin(week.kind)}`}>
    <RowForm
      label="Weekly hours"
      className="weekform"
      draft={`hours:${week.coach}:${week.kind}`}
      schema={CallWeek}
      read={readWeek(week)}
      row={CallWeek}
      begin={() => valuesOfWeek(week)}
      valuesOf={valuesOfWeek}
      send={(request, { version }) => api.api.admin.calendar.weeks.put({ ...request, version })}
      failure="We couldn’t save the hours."
      done={({ kind }) => ({
        title: 'Hours saved',
        description: `${week.coachName}, ${callWithin(kind)}`,
      })}
      compared={compared}
      submit="Save hours"
      cancel="Cancel"
      onClose={onClose}
    >
      {(parts) => <WeekFields {...parts} others={others} />}
    </RowForm>
  </Dialog>
)

const empty: TypedWindow = { opens: '', closes: '' }

const fieldsOf = (typed: TypedWeek): TypedWeek => typedWeek((day) => (typed[day].length === 0 ? [empty] : typed[day]))

function WeekFields({ values, errors, formRef, others }: RowFormParts & { others: readonly NamedWeek[] }) {
  const [week, setWeek] = useState(() => fieldsOf(typedWeek((day) => windowsIn(values, day))))
  const isFilled = useRef(false)
  // Fields filled by a button are drafted on the device too, as if they’d been typed.
  useEffect(() => {
    if (!isFilled.current || week === undefined) return
    isFilled.current = false
    formRef.current?.dispatchEvent(new Event('input', { bubbles: true }))
  }, [week, formRef])
  const fill = (filled: TypedWeek) => {
    isFilled.current = true
    setWeek(fieldsOf(filled))
  }
  const set = (day: Weekday, windows: TypedWindow[]) => fill({ ...week, [day]: windows })
  const errorOf = (day: Weekday) => Object.entries(errors).find(([name]) => name.startsWith(`days.${day}`))?.[1]
  return (
    <>
      <CopyFrom others={others} onCopy={(other) => fill(toTypedWeek(other))} />
      {weekdays.map((day) => (
        <DayFields
          key={day}
          day={day}
          windows={week[day]}
          error={errorOf(day)}
          onType={(windows) => setWeek({ ...week, [day]: windows })}
          onFill={(windows) => set(day, windows)}
        />
      ))}
      <Button look="line" isSmall onClick={() => fill(likeMonday(week))}>
        Tuesday to Friday same as Monday
      </Button>
    </>
  )
}

const likeMonday = (week: TypedWeek): TypedWeek =>
  typedWeek((day) => (day === 'sat' || day === 'sun' ? week[day] : week.mon))

type DayProps = {
  day: Weekday
  windows: readonly TypedWindow[]
  error: string | undefined
  onType: (windows: TypedWindow[]) => void
  onFill: (windows: TypedWindow[]) => void
}

function DayFields({ day, windows, error, onType, onFill }: DayProps) {
  const label = weekdayLabels[day]
  const id = `times-${day}`
  return (
    <fieldset className="weekform__day" aria-describedby={error && id}>
      <legend>{label}</legend>
      {windows.map((window, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a time has no name but its place
        <div key={at} className="weekform__times">
          {(['opens', 'closes'] as const).map((end) => (
            <TimeField
              key={end}
              label={
                <>
                  <span className="vh">{label}, </span>
                  {end === 'opens' ? 'from' : 'until'}
                  {at > 0 && <span className="vh">, time {at + 1}</span>}
                </>
              }
              name={fieldName(day, at, end)}
              value={window[end]}
              onChange={(typed) => onType(windows.with(at, { ...window, [end]: typed }))}
            />
          ))}
          <IconButton
            icon="cross"
            label={`Remove ${at === 0 ? 'the time' : `time ${at + 1}`} on ${label}`}
            onClick={() => onFill(windows.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      <Button
        look="bare"
        isSmall
        aria-label={`Add a time on ${label}`}
        disabled={windows.length >= 12}
        onClick={() => onFill([...windows, empty])}
      >
        Add a time
      </Button>
      {error && (
        <p className="field__err" id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type CopyProps = { others: readonly NamedWeek[]; onCopy: (week: NamedWeek) => void }

function CopyFrom({ others, onCopy }: CopyProps) {
  if (others.length === 0) return null
  return (
    <SelectField
      label="Copy hours from"
      value=""
      onChange={({ target }) => {
        const other = others[Number(target.value)]
        if (other) onCopy(other)
      }}
    >
      <option value="">Choose a week to copy</option>
      {others.map(({ coach, coachName, kind }, at) => (
        <option key={`${coach}:${kind}`} value={at}>
          {coachName}, {callWithin(kind)}
        </option>
      ))}
    </SelectField>
  )
}
