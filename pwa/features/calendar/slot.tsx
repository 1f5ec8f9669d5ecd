import { useId, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import type { CallSlot } from '#shared/contract/call-slot.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Clocks, clocksOf, zoneNote } from './time-texts.ts'
import './calendar.css'

type Props = {
  slots: readonly CallSlot[]
  chosen: CallSlot | null
  onChoose: (slot: CallSlot) => void
  /** Someone else has just taken this one, so the next free times come first. */
  taken?: string | null
}

const daysAtFirst = 10
const nextShown = 6

/**
 * Days, then the chosen day's times, each a group of radio buttons: arrow keys move within it, and a screen reader reads the group,
 * the time and how many there are.
 */
export function SlotSection({ slots, chosen, onChoose, taken }: Props) {
  const [clocks] = useState(() => clocksOf())
  const [shown, setShown] = useState<string | null>(null)
  const [hasAll, setHasAll] = useState(false)
  const id = useId()
  const days = groupByDay(clocks, slots)
  const wanted = shown ?? (chosen && clocks.dayKey(chosen.startsAt))
  const day = days.find(({ key }) => key === wanted) ?? days[0]
  const listed =
    hasAll || days.indexOf(day ?? { key: '', slots: [] }) >= daysAtFirst ? days : days.slice(0, daysAtFirst)
  if (day === undefined) return null
  return (
    <div className="callpick">
      {taken && <NextFree clocks={clocks} slots={slots} chosen={chosen} onChoose={onChoose} taken={taken} />}
      <fieldset>
        <legend>Day</legend>
        <div className="callpick__days">
          {listed.map(({ key, slots: [first] }) => (
            <Choice
              key={key}
              group={`${id}-day`}
              title={clocks.weekday(first?.startsAt ?? '')}
              second={clocks.shortDay(first?.startsAt ?? '')}
              label={clocks.longDay(first?.startsAt ?? '')}
              isChosen={key === day.key}
              onChoose={() => setShown(key)}
            />
          ))}
        </div>
        {listed.length < days.length && (
          <Button isSmall look="bare" onClick={() => setHasAll(true)}>
            Show {plural(days.length - listed.length, 'later day')}
          </Button>
        )}
      </fieldset>
      <fieldset>
        <legend>Time on {clocks.longDay(day.slots[0]?.startsAt ?? '')}</legend>
        <p className="second">{zoneNote(clocks, day.slots)}</p>
        <Times group={`${id}-time`} clocks={clocks} chosen={chosen} onChoose={onChoose} slots={day.slots} />
      </fieldset>
    </div>
  )
}

type TimesProps = Pick<Props, 'slots' | 'chosen' | 'onChoose'> & { clocks: Clocks; group: string; isWithDay?: boolean }

const Times = ({ slots, chosen, onChoose, clocks, group, isWithDay = false }: TimesProps) => (
  <div className="callpick__times">
    {slots.map((slot) => (
      <Choice
        key={slot.startsAt}
        group={group}
        title={
          isWithDay
            ? `${clocks.weekday(slot.startsAt)} ${clocks.shortDay(slot.startsAt)}, ${clocks.time(slot.startsAt)}`
            : clocks.time(slot.startsAt)
        }
        second={clocks.londonTime(slot.startsAt)}
        isChosen={slot.startsAt === chosen?.startsAt}
        onChoose={() => onChoose(slot)}
      />
    ))}
  </div>
)

function NextFree({ slots, taken, clocks, ...rest }: Props & { clocks: Clocks; taken: string }) {
  const distinct = slots.filter(({ startsAt }, index) => startsAt !== slots[index - 1]?.startsAt)
  const later = distinct.filter(({ startsAt }) => startsAt >= taken)
  const next = (later.length > 0 ? later : distinct).slice(0, nextShown)
  return (
    <fieldset>
      <legend>Next free times</legend>
      <Times {...rest} group={`${useId()}-next`} clocks={clocks} slots={next} isWithDay />
    </fieldset>
  )
}

type ChoiceProps = {
  group: string
  title: string
  label?: string
  second?: string | null
  isChosen: boolean
  onChoose: () => void
}

const Choice = ({ group, title, label, second, isChosen, onChoose }: ChoiceProps) => (
  <label className="callpick__choice">
    <input type="radio" name={group} aria-label={label} checked={isChosen} onChange={onChoose} />
    <b>{title}</b> {second && <span className="second">{second}</span>}
  </label>
)

type Day = { key: string; slots: CallSlot[] }

/** Grouped by the visitor's days. If two coaches are free at the same time, the first takes the call. */
function groupByDay(clocks: Clocks, slots: readonly CallSlot[]): Day[] {
  const days: Day[] = []
  let last: CallSlot | undefined
  for (const slot of slots) {
    if (slot.startsAt === last?.startsAt) continue
    last = slot
    const key = clocks.dayKey(slot.startsAt)
    const day = days.at(-1)
    if (day?.key === key) day.slots.push(slot)
    else days.push({ key, slots: [slot] })
  }
  return days
}
