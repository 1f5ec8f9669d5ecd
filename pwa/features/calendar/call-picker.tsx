import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { useOnline } from '#pwa/lib/use-online.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BookedCall, CallSlotsResponse } from '#shared/contract/calendar.ts'
import { type CallKind, isMemberCall } from '#shared/contract/call-kind.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { CallForm } from './call-form.tsx'
import { type CallDone, DoneSection, OwnCalls } from './done.tsx'
import { slotsQuery } from './queries.ts'
import { SlotSection } from './slot.tsx'
import { useCallDraft } from './use-call-draft.ts'
import './calendar.css'

type Props = {
  kind: CallKind
  /** One coach's times; without it, those of all coaches who take such calls. */
  coach?: string | undefined
  /** The times have loaded, or failed to. */
  onLoad?: (() => void) | undefined
  /** A call is booked or held, or the next is being chosen. */
  onDone?: ((isDone: boolean) => void) | undefined
}

export default function CallPicker({ kind, coach, onLoad, onDone }: Props) {
  const query = useQuery(slotsQuery(kind, coach))
  const [done, setDone] = useState<CallDone | null>(null)
  const loaded = useEffectEvent(() => onLoad?.())
  useEffect(() => {
    if (!query.isPending) loaded()
  }, [query.isPending])
  const show = (how: CallDone | null) => {
    setDone(how)
    onDone?.(how !== null)
  }
  if (done !== null) return <DoneSection kind={kind} done={done} onAgain={() => show(null)} />
  if (query.isPending) return <UntilWeak skeleton={<LoadingTimes />} />
  if (query.data === undefined) return <NoTimes kind={kind} error={query.error} onRetry={() => void query.refetch()} />
  const finish = (how: CallDone) => {
    show(how)
    void query.refetch()
  }
  return <Times data={query.data} coach={coach} onDone={finish} onTaken={() => query.refetch()} />
}

const LoadingTimes = () => (
  <div className="callpicker" role="status" aria-label="Loading the free times">
    <Skeleton size="title" />
    <Skeleton size="block" />
    <Skeleton size="block" />
  </div>
)

/** Keeps what was chosen and typed visible until the times load. */
function NoTimes({ kind, error, onRetry }: Pick<Props, 'kind'> & { error: Error | null; onRetry: () => void }) {
  const draft = useCallDraft(kind)
  const hasNoSignal = isOffline(error)
  useBackInRange(hasNoSignal, onRetry)
  const hasTyped = Object.values(draft.initial).some(Boolean)
  const hasDraft = draft.chosen !== null || hasTyped
  return (
    <div className="callpicker">
      <Banner
        tone="bad"
        role="alert"
        title={hasNoSignal ? 'No signal' : 'We couldn’t load the times'}
        action={
          <Button isSmall look="line" icon="sync" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {hasNoSignal
          ? `You’ll need signal to book a time.${hasDraft ? ` We’ve kept ${hasTyped ? 'what you typed' : 'the time you picked'}.` : ''}`
          : messageOf(error ?? new Error(), 'Try again in a moment.')}
      </Banner>
      {hasDraft && (
        <CallForm kind={kind} draft={draft} chosen={draft.chosen} isOnline={false} onDone={onRetry} onTaken={onRetry} />
      )}
    </div>
  )
}

type TimesProps = Pick<Props, 'coach'> & {
  data: CallSlotsResponse
  onDone: (done: CallDone) => void
  onTaken: () => unknown
}

function Times({ data, coach, onDone, onTaken }: TimesProps) {
  const { kind, minutes, slots, standing, booked, usedMonth, phone } = data
  const draft = useCallDraft(kind)
  const isOnline = useOnline()
  const [taken, setTaken] = useState<string | null>(null)
  // The earlier choice may be taken by now.
  const chosen = slots.find(({ startsAt }) => startsAt === draft.chosen?.startsAt) ?? null
  if (standing === 'not-included') return <NotIncluded booked={booked} />
  if (standing === 'no-access') return <MembersOnly booked={booked} />
  if (slots.length === 0) return <NothingFree data={data} />
  return (
    <div className="callpicker">
      <OwnCalls calls={booked} />
      {!isOnline && (
        <Banner role="status" title="No signal">
          You’ll need signal to book a time.
        </Banner>
      )}
      {taken && (
        <Banner tone="bad" role="alert" title="Someone’s just booked that time">
          Pick another. What you typed is still here.
        </Banner>
      )}
      {usedMonth && slots[0] && (
        <p>
          You’ve had or booked your call for {formatMonthAndYear(`${usedMonth}-15`)}. These times start in{' '}
          {formatMonthAndYear(slots[0].startsAt)}.
        </p>
      )}
      {(standing !== 'login' || kind !== 'coaching') && <p className="second">Each call is {minutes} minutes.</p>}
      <SlotSection
        slots={slots}
        chosen={chosen}
        taken={taken}
        onChoose={(slot) => {
          setTaken(null)
          draft.choose(slot)
        }}
      />
      {standing === 'login' ? (
        <LoginFirst kind={kind} coach={coach} />
      ) : (
        <CallForm
          kind={kind}
          minutes={minutes}
          draft={draft}
          chosen={chosen}
          phone={phone}
          isOnline={isOnline}
          onDone={(answer) => {
            draft.forget()
            onDone(answer)
          }}
          onTaken={(startsAt) => {
            draft.choose(null)
            setTaken(startsAt)
            onTaken()
          }}
        />
      )}
    </div>
  )
}

/** Leads back to this coach's times, with the chosen one. */
const LoginFirst = ({ kind, coach }: Pick<Props, 'kind' | 'coach'>) => (
  <Banner
    icon="person"
    title="Log in to book"
    action={
      <ButtonLink
        to="/login"
        search={{ redirect: `${kind === 'catch-up' ? '/catch-up' : '/book-call'}${coach ? `?coach=${coach}` : ''}` }}
        isSmall
      >
        Log in
      </ButtonLink>
    }
  >
    This call is for members. We’ll remember your time while you log in, but it’s not booked yet.
  </Banner>
)

/** For someone logged in: logging in again would only lead back here. */
const MembersOnly = ({ booked }: { booked: readonly BookedCall[] }) => (
  <div className="callpicker">
    <OwnCalls calls={booked} />
    <EmptyState
      title="Calls come with a membership"
      action={
        <ButtonLink to="/members" search={{ tab: 'billing' }} icon="arrow">
          See your membership
        </ButtonLink>
      }
    >
      You don’t have a membership right now. Once you do, you can book here.
    </EmptyState>
  </div>
)

const NotIncluded = ({ booked }: { booked: readonly BookedCall[] }) => (
  <div className="callpicker">
    <OwnCalls calls={booked} />
    <EmptyState
      title="Not part of your membership"
      action={
        <ButtonLink to="/members" search={{ tab: 'billing' }} icon="arrow">
          Open Billing
        </ButtonLink>
      }
    >
      Your tier doesn’t include a monthly coaching call. Change tier in Billing to get one. Got one question that won’t
      wait? Book a short catch-up call from Your calls.
    </EmptyState>
  </div>
)

function NothingFree({ data }: { data: CallSlotsResponse }) {
  const { kind, lastDay, standing, booked } = data
  return (
    <div className="callpicker">
      <OwnCalls calls={booked} />
      {standing === 'used' ? (
        <EmptyState title="You’ve had or booked this month’s call">
          We’ll open next month’s times here. Need to change a booked call? Move it.
        </EmptyState>
      ) : (
        <EmptyState
          title="No free times"
          action={
            isMemberCall(kind) ? (
              <ButtonLink to="/contact" search={{ subject: 'A time for a call' }}>
                Send a message
              </ButtonLink>
            ) : (
              <ButtonLink to="/book-coaching-call">Ask for a call</ButtonLink>
            )
          }
        >
          {`Fully booked until ${formatLongDate(lastDay)}. We add new times every day.`}
        </EmptyState>
      )}
    </div>
  )
}
