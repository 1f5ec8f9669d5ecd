import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { LinkedCall } from '#shared/contract/calendar.ts'
import { callNames } from '#shared/contract/call-kind.ts'
import { CallFacts, Failed, icsOf } from './done.tsx'
import { CancelSection, MoveSection } from './move-or-cancel.tsx'
import { confirmLinkedCall, linkedCallQuery } from './queries.ts'
import { clocksOf } from './time-texts.ts'
import './calendar.css'

/** The page of an emailed link. It shows one call, and a press confirms, moves or cancels it. Opening it changes nothing. */
export function LinkedCallPage({ token }: { token: string }) {
  const { data, error, isPending, refetch } = useQuery(linkedCallQuery(token))
  const [changed, setChanged] = useState<LinkedCall | null>(null)
  const call = changed ?? data
  useBackInRange(isOffline(error), () => void refetch())
  return (
    <>
      <PageHero tone="blade" heading="Your call" lead="See it, move it or cancel it here, right up to the start." />
      <PageSection section={{ name: 'Call', heading: call ? callNames[call.kind] : 'Your call' }}>
        {call ? (
          <Call call={call} token={token} onChanged={setChanged} />
        ) : isPending ? (
          <div role="status" aria-label="Loading your call">
            <Skeleton size="block" />
          </div>
        ) : (
          <EmptyState
            title={isOffline(error) ? 'No signal' : 'This link doesn’t work any more'}
            action={
              <Button look="line" icon="sync" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {isOffline(error)
              ? 'Your call hasn’t changed. Open this again when you’re back in range.'
              : messageOf(error ?? new Error(), 'Try again in a moment.')}
          </EmptyState>
        )}
      </PageSection>
    </>
  )
}

type Props = { call: LinkedCall; token: string; onChanged: (call: LinkedCall) => void }

const sentences: Record<LinkedCall['state'], { title: string; tone: 'ok' | 'bad' | 'plain' }> = {
  held: { title: 'We’re holding this time for you. Press “Book this call” and it’s yours.', tone: 'plain' },
  booked: { title: 'Booked', tone: 'ok' },
  cancelled: { title: 'This call’s cancelled', tone: 'bad' },
  ended: { title: 'This call has started or finished', tone: 'plain' },
}

function Call({ call, token, onChanged }: Props) {
  const [step, setStep] = useState<'move' | 'cancel' | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const changed = (next: LinkedCall) => {
    setStep(null)
    onChanged(next)
    // The pressed button disappears, and a keyboard user's focus with it.
    box.current?.focus()
  }
  const confirm = useMutation({ mutationFn: confirmLinkedCall, onSuccess: changed })
  const { title, tone } = sentences[call.state]
  return (
    <div className="callpicker" ref={box} tabIndex={-1}>
      <Banner tone={tone} role="status" title={title}>
        {call.heldUntil !== null && `We’ll hold it until ${clocksOf().time(call.heldUntil)}.`}
      </Banner>
      <CallFacts call={call} />
      {confirm.error && <Failed error={confirm.error} />}
      {call.state === 'held' && (
        <div className="acts">
          <Button icon="tick" isBusy={confirm.isPending} onClick={() => confirm.mutate(token)}>
            Book this call
          </Button>
          <Button look="line" onClick={() => setStep('cancel')}>
            I don’t need it
          </Button>
        </div>
      )}
      {call.state === 'booked' && step === null && (
        <div className="acts">
          <ButtonAnchor icon="down" href={icsOf(token)}>
            Add to your calendar
          </ButtonAnchor>
          <Button look="line" icon="sync" onClick={() => setStep('move')}>
            Choose another time
          </Button>
          <Button look="line" onClick={() => setStep('cancel')}>
            Cancel the call
          </Button>
        </div>
      )}
      {step === 'move' && (
        <MoveSection token={token} startsAt={call.startsAt} onMoved={changed} onKeep={() => setStep(null)} />
      )}
      {step === 'cancel' && <CancelSection token={token} onCancelled={changed} onKeep={() => setStep(null)} />}
      {(call.state === 'cancelled' || call.state === 'ended') && <BookAgain kind={call.kind} />}
    </div>
  )
}

/** Only if there are times to choose for such a call. */
const BookAgain = ({ kind }: Pick<LinkedCall, 'kind'>) => {
  const search = kind === 'consultation' || kind === 'sales' ? { for: kind } : {}
  return (
    <div>
      <ButtonLink to={kind === 'catch-up' ? '/catch-up' : '/book-call'} search={search} icon="arrow">
        Pick another time
      </ButtonLink>
    </div>
  )
}
