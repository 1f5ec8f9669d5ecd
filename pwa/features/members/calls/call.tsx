import { lazy, Suspense, useId, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button, ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import type { MemberCall } from '#shared/contract/member-calls.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { readAgreedDraft } from './agreed-draft-storage.ts'
import { callNames, whenOf } from './call-texts.ts'

const AgreedLines = lazy(() => loadFile(() => import('#pwa/features/members/commitments/agreed-lines.tsx')))
const ChangeCall = lazy(() => loadFile(() => import('./change-call.tsx')))
const AgreedForm = lazy(() => loadFile(() => import('./agreed-form.tsx')))

type Props = { call: MemberCall; session: AuthSession; canChange: boolean; onChanged: () => void }

export function OwnCall({ call, session, canChange, onChanged }: Props) {
  const title = useId()
  const [step, setStep] = useState<'move' | 'cancel' | null>(null)
  const isReadOnly = useIsReadOnly()
  const token = call.link && new URL(call.link).searchParams.get('call')
  const changed = () => {
    setStep(null)
    onChanged()
  }
  return (
    <article className="sheet calls__call" aria-labelledby={title}>
      <h3 id={title}>{whenOf(call.startsAt)}</h3>
      <p className="second">
        {callNames[call.kind]}, {call.minutes} minutes with {call.coachName}
      </p>
      {token && step === null && canChange && (
        <div className="acts">
          <Button look="line" isSmall icon="sync" onClick={() => setStep('move')}>
            Move
          </Button>
          <Button look="line" isSmall icon="cross" onClick={() => setStep('cancel')}>
            Cancel
          </Button>
          <ButtonAnchor
            look="line"
            isSmall
            icon="down"
            href={`/api/calendar/call.ics?token=${encodeURIComponent(token)}`}
            download="call.ics"
          >
            Add to calendar
          </ButtonAnchor>
        </div>
      )}
      {token && step !== null && (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <ChangeCall
            step={step}
            token={token}
            startsAt={call.startsAt}
            onChanged={changed}
            onKeep={() => setStep(null)}
          />
        </Suspense>
      )}
      <Agreed call={call} session={session} canChange={canChange} onChanged={onChanged} />
      {call.link === null && !isReadOnly && (
        <div className="acts">
          <ButtonLink
            look="line"
            isSmall
            icon="mail"
            to="/members/$place"
            params={{ place: 'ask' }}
            search={{ call: call.id }}
          >
            Ask about this call
          </ButtonLink>
        </div>
      )}
    </article>
  )
}

function Agreed({ call, session, canChange, onChanged }: Props) {
  const [isOpen, setOpen] = useState(() => readAgreedDraft(call.id) !== null)
  return (
    <div className="calls__agreed">
      <h4 className="label">What was agreed</h4>
      {isOpen && canChange ? (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <AgreedForm
            call={call}
            session={session}
            onSaved={() => {
              setOpen(false)
              onChanged()
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : (
        <>
          {call.agreed === null ? (
            <p>Nothing written down yet.</p>
          ) : (
            <Suspense fallback={<p className="calls__words">{call.agreed}</p>}>
              <AgreedLines call={{ id: call.id, startsAt: call.startsAt }} agreed={call.agreed} />
            </Suspense>
          )}
          {call.at && call.by && (
            <p className="second">
              Written by {call.by === 'coach' ? 'your coach' : 'you'} on {formatLongDate(call.at)}
            </p>
          )}
          {canChange && (
            <div className="acts">
              <Button look="line" isSmall icon="pencil" onClick={() => setOpen(true)}>
                {call.agreed === null ? 'Write it down' : 'Edit'}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}
