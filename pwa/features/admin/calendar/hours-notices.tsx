import { useQuery } from '@tanstack/react-query'
import { kindOf, whenText } from '#pwa/features/admin/kit/calendar/calendar-texts.ts'
import { callsQuery, toCall } from '#pwa/features/admin/kit/calendar/queries.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { AdminCall, CallDays, CallSetup } from '#shared/contract/calendar.ts'
import { weekdays } from '#shared/contract/call-kind.ts'
import { isWithinHours } from '#shared/rules/call-slots.ts'
import { londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

type Off = Pick<CallDays, 'coach' | 'firstDay' | 'lastDay' | 'windows'>

function isOffered({ coach, kind, startsAt, minutes }: AdminCall, { hours, days }: HoursAndDays): boolean {
  const from = Date.parse(startsAt)
  return isWithinHours(
    { from, to: from + minutes * 60_000 },
    {
      hours: hours
        .filter((row) => row.coach === coach && row.kind === kind)
        .map((row) => ({ weekday: weekdays.indexOf(row.weekday), windows: row.windows })),
      exceptions: days.filter((row) => row.coach === null || row.coach === coach),
    },
  )
}

type HoursAndDays = { hours: CallSetup['hours']; days: readonly Off[] }

function useCallsToCome({ now }: CallSetup): AdminCall[] | undefined {
  const { data } = useQuery(callsQuery({ from: londonDay(new Date(now)) }))
  return data?.filter(({ status, startsAt }) => status === 'scheduled' && startsAt > now)
}

/** Booked calls outside the new hours, each linked to its dialog. We don’t move them automatically. */
export function CallsOutside({ setup }: { setup: CallSetup }) {
  const outside = useCallsToCome(setup)?.filter((call) => !isOffered(call, setup)) ?? []
  if (outside.length === 0) return null
  const one = outside.length === 1
  return (
    <Banner
      icon="warn"
      role="status"
      title={`${plural(outside.length, 'booked call')} ${one ? 'is' : 'are'} outside the hours`}
    >
      <p>
        {one ? 'It stays' : 'They stay'} booked. Open {one ? 'it' : 'each'} to move or cancel it, and we’ll email them.
        Or leave it if you’ll take the call anyway.
      </p>
      <ul>
        {outside.map((call) => (
          <li key={call.id}>
            <TextLink to="." search={toCall(call)} isTap>
              {callText(call)}
            </TextLink>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

const callText = (call: AdminCall) => `${whenText(call)}: ${call.name}, ${kindOf(call)} with ${call.coachName}`

/** Warns before saving days off that would leave booked calls outside the hours. */
export function CallsOnDays({ setup, off }: { setup: CallSetup; off: Off }) {
  const calls = useCallsToCome(setup) ?? []
  const hit = calls.filter(
    (call) => isOffered(call, setup) && !isOffered(call, { hours: setup.hours, days: [...setup.days, off] }),
  )
  if (hit.length === 0) return null
  return (
    <Banner icon="warn" role="status" title={`${plural(hit.length, 'call')} booked on these days`}>
      <ul>
        {hit.map((call) => (
          <li key={call.id}>{callText(call)}</li>
        ))}
      </ul>
      <p>They stay booked. Save the days, then open each call from the list.</p>
    </Banner>
  )
}

const toHours = <Search extends object>(open: Search): Search => ({ ...open, view: 'hours' })

/** Until there are hours, we offer no calls at all. `isElsewhere`: hours are set on another page, so link to it. */
export const NoHours = ({ setup, isElsewhere }: { setup: CallSetup; isElsewhere?: boolean }) =>
  setup.hours.some(({ windows }) => windows.length > 0) ? null : (
    <Banner
      icon="warn"
      title="Set your weekly hours so people can book calls"
      action={
        isElsewhere && (
          <ButtonLink to="." search={toHours} look="line" isSmall>
            Set the weekly hours
          </ButtonLink>
        )
      }
    >
      {`${isElsewhere ? '' : 'Press “Change” next to a coach and a kind of call. '}Your times go on the booking pages straight away.`}
    </Banner>
  )
