import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { kindOf, offText, rangeText, timesText, weekFrom } from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { CallDialog } from '#pwa/features/admin/kit/calendar/call-dialog.tsx'
import { callsQuery, setupQuery, useCalendarAddress } from '#pwa/features/admin/kit/calendar/queries.ts'
import { useOpenEntry } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { AdminCall, CallDays, CallSetup } from '#shared/contract/calendar.ts'
import { Day } from '#shared/contract/fields.ts'
import { addDays, formatLongDate, londonDay, weekdayName } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { NoHours } from './hours-notices.tsx'

export function CallsSection() {
  const setup = useQuery(setupQuery)
  if (setup.data) return <Calls setup={setup.data} />
  return (
    <>
      <ListState {...setup} />
      {setup.error === null && <Skeleton size="block" />}
    </>
  )
}

function Calls({ setup }: { setup: CallSetup }) {
  const { address } = useCalendarAddress()
  const today = londonDay(new Date(setup.now))
  const day = v.is(Day, address.day) ? address.day : today
  const isWeek = address.span !== 'day'
  const days = isWeek ? weekFrom(day) : [day]
  const [from, to] = [days[0] ?? day, days.at(-1) ?? day]
  const query = useQuery(callsQuery({ from, to, coach: address.coach }))
  const { openId, open, close } = useOpenEntry()
  const calls = query.isPlaceholderData ? undefined : query.data
  const shown = query.data?.find(({ id }) => id === openId)
  return (
    <>
      <CallsBar
        setup={setup}
        day={day}
        isWeek={isWeek}
        today={today}
        range={rangeText(from, to)}
        count={calls?.length}
      />
      <NoHours setup={setup} isElsewhere />
      <ListState {...query} />
      {calls === undefined ? (
        query.error === null && <Skeleton size="block" />
      ) : (
        <ol className={isWeek ? 'calweek' : 'calweek calweek--day'}>
          {days.map((one) => (
            <CallsOfDay
              key={one}
              day={one}
              isToday={one === today}
              isWhole={!isWeek}
              off={setup.days.filter(({ firstDay, lastDay }) => firstDay <= one && one <= lastDay)}
              calls={calls.filter(({ startsAt }) => londonDay(new Date(startsAt)) === one)}
              setup={setup}
              open={open}
            />
          ))}
        </ol>
      )}
      {shown && <CallDialog key={shown.id} call={shown} setup={setup} onClose={close} />}
    </>
  )
}

type BarProps = {
  setup: CallSetup
  day: string
  isWeek: boolean
  today: string
  range: string
  count: number | undefined
}

function CallsBar({ setup, day, isWeek, today, range, count }: BarProps) {
  const { address, change } = useCalendarAddress()
  const step = isWeek ? 7 : 1
  const unit = isWeek ? 'week' : 'day'
  return (
    <div className="panel__top calbar">
      <div className="calbar__range">
        <h2>{range}</h2>
        <p className="second" role="status">
          {count === undefined ? '' : count === 0 ? 'No calls' : plural(count, 'call')}
        </p>
      </div>
      <div className="calbar__steps">
        <IconButton icon="back" label={`Previous ${unit}`} onClick={() => change({ day: addDays(day, -step) })} />
        <Button look="line" isSmall aria-pressed={day === today} onClick={() => change({ day: undefined })}>
          Today
        </Button>
        <IconButton icon="arrow" label={`Next ${unit}`} onClick={() => change({ day: addDays(day, step) })} />
        <Button look="line" isSmall onClick={() => change({ span: isWeek ? 'day' : undefined, day })}>
          {isWeek ? 'Show one day' : 'Show the week'}
        </Button>
      </div>
      <DateField label="Go to" value={day} onSettle={(typed) => v.is(Day, typed) && change({ day: typed })} />
      <SelectField
        label="Coach"
        value={address.coach ?? ''}
        onChange={({ target }) => change({ coach: target.value || undefined })}
      >
        <option value="">Everyone</option>
        {setup.coaches.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

type DayProps = {
  day: string
  isToday: boolean
  /** One day alone: show every detail of each call. */
  isWhole: boolean
  setup: CallSetup
  off: readonly CallDays[]
  calls: readonly AdminCall[]
  open: (id: string) => void
}

const CallsOfDay = ({ day, isToday, isWhole, setup, off, calls, open }: DayProps) => (
  <li className="calday" aria-current={isToday ? 'date' : undefined}>
    <h3>
      {weekdayName(day)} <span>{formatLongDate(day).replace(/ \d{4}$/, '')}</span>
      {isToday && <Badge>Today</Badge>}
    </h3>
    {off.map((entry) => (
      <p key={entry.id} className="calday__off">
        {offText(entry, setup)}
      </p>
    ))}
    {calls.length === 0 ? (
      <p className="second">No calls</p>
    ) : (
      <ol>
        {calls.map((call) => (
          <li key={call.id}>
            <button type="button" className="calcall" aria-haspopup="dialog" onClick={() => open(call.id)}>
              <b>{timesText(call)}</b>
              <span>{call.name}</span>
              <small>
                {kindOf(call)} with {call.coachName}
              </small>
              {call.status !== 'scheduled' && (
                <Badge tone={call.status === 'completed' ? 'ok' : 'bad'}>
                  {call.status === 'completed' ? 'Completed' : 'No-show'}
                </Badge>
              )}
            </button>
            {isWhole && <CallLines call={call} />}
          </li>
        ))}
      </ol>
    )}
  </li>
)

const CallLines = ({ call: { phone, email, notes, agreement } }: { call: AdminCall }) => (
  <div className="calcall__lines">
    <p>
      {phone && <PhoneLink phone={phone} />} <TextAnchor href={`mailto:${email}`}>{email}</TextAnchor>
    </p>
    {notes && <p>{notes}</p>}
    {agreement.agreed && <p className="second">Agreed: {agreement.agreed}</p>}
  </div>
)
