import { useState } from 'react'
import * as v from 'valibot'
import { MemberCommitments } from '#pwa/features/admin/kit/commitments/member-commitments.tsx'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import { AgreedPart } from '#pwa/features/admin/kit/inbox/agreed-form.tsx'
import { EntryDialog } from '#pwa/features/admin/kit/inbox/entry-dialog.tsx'
import type { Fact } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { DateField, TimeField } from '#pwa/ui/date-field.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import { AdminCall, type CallSetup, Clock } from '#shared/contract/calendar.ts'
import { isMemberCall } from '#shared/contract/call-kind.ts'
import type { BookingStatus } from '#shared/contract/coaching-booking.ts'
import { Day } from '#shared/contract/fields.ts'
import { londonClock, londonDay, londonInstant } from '#shared/rules/london.ts'
import { kindOf, offText, whenText } from './calendar-texts.ts'
import './calendar.css'

type Props = {
  call: AdminCall
  setup: CallSetup
  /** What the list knows about who booked it. */
  more?: readonly Fact[]
  onClose: () => void
}
type Doing = 'move' | 'cancel' | 'no-show' | null

/** The one window of a booked call, in the Calendar and in Bookings. */
export function CallDialog({ call, setup, more = [], onClose }: Props) {
  const [doing, setDoing] = useState<Doing>(null)
  const stop = () => setDoing(null)
  return (
    <>
      <EntryDialog
        about={{ kind: 'coaching-bookings', id: call.id, email: call.email }}
        sender={call}
        facts={[
          ['When', `${whenText(call)}, UK time`],
          ['Call', `${kindOf(call)} with ${call.coachName}`],
          ['Their notes', call.notes],
          ...more,
        ]}
        statusLabel="This call"
        status={<CallActions call={call} setup={setup} onDo={setDoing} />}
        onClose={onClose}
      />
      {doing === 'move' && <MoveDialog call={call} setup={setup} onClose={stop} />}
      {doing === 'cancel' && <CancelDialog call={call} onClose={stop} onDone={onClose} />}
      {doing === 'no-show' && <MissedDialog call={call} onClose={stop} />}
    </>
  )
}

type ActionsProps = { call: AdminCall; setup: CallSetup; onDo: (doing: Doing) => void }

function CallActions({ call, setup, onDo }: ActionsProps) {
  const hasBegun = Date.parse(call.startsAt) <= Date.parse(setup.now)
  return (
    <div className="calacts">
      {call.photo && <img className="face" src={call.photo} width={72} height={72} alt={call.name} />}
      {call.status === 'scheduled' && !hasBegun && (
        <>
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onDo('move')}>
            Move
          </Button>
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onDo('cancel')}>
            Cancel the call
          </Button>
        </>
      )}
      {call.status === 'scheduled' && hasBegun && (
        <>
          <StatusButton call={call} status="completed" label="Mark as completed" />
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onDo('no-show')}>
            Mark as no-show
          </Button>
        </>
      )}
      {call.status !== 'scheduled' && (
        <>
          <Badge tone={call.status === 'completed' ? 'ok' : 'bad'}>
            {call.status === 'completed' ? 'Completed' : 'No-show'}
          </Badge>
          <StatusButton call={call} status="scheduled" label="Undo" />
        </>
      )}
      {call.memberId !== null && (
        <span>
          <MemberLink id={call.memberId}>Member’s page</MemberLink>
        </span>
      )}
      {isMemberCall(call.kind) && (
        <div className="calacts__agreed">
          <span className="label">What you agreed (you both see it)</span>
          <AgreedPart
            key={call.agreement.version}
            agreement={call.agreement}
            call={call.memberId === null ? null : { id: call.id, startsAt: call.startsAt, memberId: call.memberId }}
          />
        </div>
      )}
      {call.memberId !== null && (
        <div className="calacts__part">
          <span className="label">What they said they’d do</span>
          <MemberCommitments isShort memberId={call.memberId} name={call.name} />
        </div>
      )}
    </div>
  )
}

/** Sends the status the owner saw, so it can’t overwrite one that someone else set in between. */
const useStatus = ({ id, name, status: before }: AdminCall, onDone?: () => void) =>
  useAdminAction({
    schema: Done,
    send: (status: BookingStatus) => api.api.admin['coaching-bookings']({ id }).status.patch({ status, before }),
    failure: 'We couldn’t mark the call.',
    done: { title: 'Call marked', description: name },
    ...(onDone && { onDone }),
  })

function StatusButton({ call, status, label }: { call: AdminCall; status: BookingStatus; label: string }) {
  const action = useStatus(call)
  return (
    <>
      <Button look="line" isSmall isBusy={action.isPending} busyLabel="Saving…" onClick={() => action.mutate(status)}>
        {label}
      </Button>
      {action.problem && <span role="alert">{action.problem}</span>}
    </>
  )
}

type DialogProps = { call: AdminCall; onClose: () => void }

function MissedDialog({ call, onClose }: DialogProps) {
  const action = useStatus(call, onClose)
  return (
    <ActionDialog
      title={`Mark ${call.name} as a no-show?`}
      button="Mark and tell them"
      busy="Saving…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate('no-show')}
    >
      <p>
        We’ll email {call.email} to say you missed them
        {isMemberCall(call.kind)
          ? ' and how to reach you. It still counts as this month’s call. You can give them another.'
          : ', with a button to pick another time.'}
      </p>
    </ActionDialog>
  )
}

function CancelDialog({ call, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const action = useAdminAction({
    schema: AdminCall,
    send: () => api.api.admin.calendar.calls({ id: call.id }).cancel.post({}),
    failure: 'We couldn’t cancel the call.',
    done: { title: 'Call cancelled', description: call.name },
    onDone,
  })
  return (
    <ActionDialog
      title={`Cancel the call with ${call.name}?`}
      button="Cancel the call"
      busy="Cancelling…"
      keep="Keep it"
      isBad
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        It’s on {whenText(call)}. We’ll email {call.email}, and the time can be booked again.
      </p>
    </ActionDialog>
  )
}

function MoveDialog({ call, setup, onClose }: Omit<Props, 'more'>) {
  const initial = { day: londonDay(new Date(call.startsAt)), time: londonClock(call.startsAt), coach: call.coach }
  const { values, change, finish } = useDraft(`move-call:${call.id}`, initial, onClose)
  const { day, time, coach } = values
  const off = setup.days.filter((one) => (one.coach ?? coach) === coach && one.firstDay <= day && day <= one.lastDay)
  const action = useAdminAction({
    schema: AdminCall,
    send: () =>
      api.api.admin.calendar
        .calls({ id: call.id })
        .move.post({ startsAt: londonInstant(day, time).toISOString(), coach }),
    failure: 'We couldn’t move the call.',
    done: (moved) =>
      moved.startsAt === call.startsAt && moved.coach === call.coach
        ? { title: 'It’s already at that time', description: `${whenText(moved)}. We haven’t emailed anyone.` }
        : { title: 'Call moved', description: `${whenText(moved)}. We’ve emailed ${moved.name}.` },
    onDone: finish,
  })
  return (
    <ActionDialog
      title={`Move the call with ${call.name}`}
      button="Move and tell them"
      busy="Moving…"
      keep="Leave it where it is"
      isDisabled={!v.is(Day, day) || !v.is(Clock, time)}
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        It’s on {whenText(call)}. Pick any time the coach is free, even outside the weekly hours. We’ll email{' '}
        {call.email} the new time.
      </p>
      <DateField
        label="Day"
        required
        value={day}
        hint={off.map((one) => `${offText(one, setup)}.`).join(' ')}
        error={fieldProblem(action.error, 'startsAt')}
        onChange={(typed) => change({ day: typed })}
      />
      <TimeField label="Time, UK" required value={time} onChange={(typed) => change({ time: typed })} />
      <SelectField label="Coach" value={coach} onChange={({ target }) => change({ coach: target.value })}>
        {setup.coaches.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </ActionDialog>
  )
}
