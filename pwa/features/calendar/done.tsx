import { useEffect, useRef } from 'react'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { BookedCall } from '#shared/contract/calendar.ts'
import { type CallKind, isMemberCall } from '#shared/contract/call-kind.ts'
import { clocksOf } from './time-texts.ts'

export type CallDone =
  | { what: 'held'; startsAt: string; heldUntil: string; email: string }
  | { what: 'booked'; call: BookedCall }

type Props = { kind: CallKind; done: CallDone; onAgain: () => void }

export function DoneSection({ kind, done, onAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const clocks = clocksOf()
  return (
    <div className="callpicker" role="status">
      <h3 ref={heading} tabIndex={-1}>
        {done.what === 'held' ? 'One more step: check your email' : 'Booked'}
      </h3>
      {done.what === 'held' ? (
        <>
          <p>
            We’re keeping <b>{clocks.whole(done.startsAt)}</b> for you until {clocks.time(done.heldUntil)}. Press the
            button in the email we’ve sent to <b>{done.email}</b> and it’s booked.
          </p>
          <p className="second">No email after a few minutes? Check your junk folder, or book again.</p>
        </>
      ) : (
        <>
          <CallFacts call={done.call} />
          <p className="second">We’ve emailed you this.</p>
        </>
      )}
      <div className="acts">
        {done.what === 'booked' && (
          <>
            <ButtonAnchor icon="down" href={icsOf(new URL(done.call.link).searchParams.get('call') ?? '')}>
              Add to your calendar
            </ButtonAnchor>
            <TextAnchor href={done.call.link}>Move or cancel</TextAnchor>
          </>
        )}
        {done.what === 'booked' && isMemberCall(kind) && (
          <ButtonLink look="line" isSmall icon="arrow" to="/members/$place" params={{ place: 'calls' }}>
            Your calls
          </ButtonLink>
        )}
        <Button look="line" isSmall icon="back" onClick={onAgain}>
          Back to the times
        </Button>
      </div>
    </div>
  )
}

export const icsOf = (token: string) => `/api/calendar/call.ics?token=${encodeURIComponent(token)}`

export function CallFacts({ call }: { call: Pick<BookedCall, 'startsAt' | 'minutes' | 'coachName' | 'phone'> }) {
  const facts = [
    ['When', clocksOf().whole(call.startsAt)],
    ['How long', `${call.minutes} minutes`],
    ['With', call.coachName],
    [
      'How',
      call.phone ? `${call.coachName} will ring you on ${call.phone}` : `${call.coachName} will email you how to join`,
    ],
  ] as const
  return (
    <dl className="callpicker__facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const OwnCalls = ({ calls }: { calls: readonly BookedCall[] }) =>
  calls.map((call) => (
    <Banner
      key={call.startsAt}
      tone="ok"
      title={`You have a call on ${clocksOf().whole(call.startsAt)}`}
      action={<TextAnchor href={call.link}>Move or cancel</TextAnchor>}
    >
      {`${call.minutes} minutes with ${call.coachName}.`}
    </Banner>
  ))

export const Failed = ({ error }: { error: Error }) => (
  <Banner tone="bad" role="alert" title="That didn’t work">
    {messageOf(error, 'Something went wrong at our end. Try again.')}
  </Banner>
)
