import { useState } from 'react'
import { AgreedPart } from '#pwa/features/admin/inbox/agreed-form.tsx'
import { EntryDialog } from '#pwa/features/admin/inbox/entry-dialog.tsx'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/member-page/dialogs/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/member-page/use-draft.ts'
import { MemberLink } from '#pwa/features/admin/members/member-link-section.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import { AdminCall, type CallSetup } from '#shared/contract/calendar.ts'
import { isMemberCall } from '#shared/contract/call-kind.ts'
import type { BookingStatus } from '#shared/contract/coaching-booking.ts'
import { londonClock, londonDay, londonInstant } from '#shared/rules/london.ts'
import { kindOf, whenText } from './calendar-texts.ts'

type Props = { call: AdminCall; setup: CallSetup; onClose: () => void }
type Doing = 'move' | 'cancel' | 'no-show' | null

/** One call with all that is known of it, the notes that owners keep for themselves, and what can be done about it. */
export function CallDialog({ call, setup, onClose }: Props) {
  const [doing, setDoing] = useState<Doing>(null)
  const stop = () => setDoing(null)
  return (
    <>
      <EntryDialog
        about={{ kind: 'coaching-bookings', id: call.id, email: call.email, isMember: call.memberId !== null }}
        sender={call}
        facts={[
          ['When', `${whenText(call)}, UK time`],
          ['Call', `${kindOf(call)} with ${call.coachName}`],
          ['Their notes', call.notes],
        ]}
        statusLabel="This call"
        status={<CallActions call={call} setup={setup} onDo={setDoing} />}
        onClose={onClose}
      />
      {doing === 'move' && <MoveDialog {...{ call, setup }} onClose={stop} />}
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
          <StatusButton call={call} status="completed" label="It took place" />
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => onDo('no-show')}>
            They did not come
          </Button>
        </>
      )}
      {call.status !== 'scheduled' && (
        <>
          <Badge tone={call.status === 'completed' ? 'ok' : 'bad'}>
            {call.status === 'completed' ? 'Took place' : 'No-show'}
          </Badge>
          <StatusButton call={call} status="scheduled" label="Take that back" />
        </>
      )}
      {call.memberId !== null && (
        <span>
          <MemberLink id={call.memberId}>Their member’s page</MemberLink>
        </span>
      )}
      {isMemberCall(call.kind) && (
        <div className="calacts__agreed">
          <span className="label">Agreed, for both to read</span>
          <AgreedPart key={call.agreement.version} agreement={call.agreement} />
        </div>
      )}
    </div>
  )
}

/** Sets the status that was not set meanwhile by somebody else. */
const useStatus = ({ id, name, status: before }: AdminCall, onDone?: () => void) =>
  useAdminAction({
    schema: Done,
    send: (status: BookingStatus) => api.api.admin['coaching-bookings']({ id }).status.patch({ status, before }),
    failure: 'The call could not be marked.',
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
      title={`Did ${call.name} not come?`}
      button="Mark it and tell them"
      busy="Saving…"
      {...{ action, onClose }}
      onSubmit={() => action.mutate('no-show')}
    >
      <p>
        {call.email} gets an email that says you missed them
        {isMemberCall(call.kind)
          ? ', and how to write to you. The call still counts as the month’s: you can give them another one.'
          : ', with a button to choose another time.'}
      </p>
    </ActionDialog>
  )
}

function CancelDialog({ call, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const action = useAdminAction({
    schema: AdminCall,
    send: () => api.api.admin.calendar.calls({ id: call.id }).cancel.post({}),
    failure: 'The call could not be cancelled.',
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
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        It is on {whenText(call)}. {call.email} gets an email, and the time can be booked again.
      </p>
    </ActionDialog>
  )
}

function MoveDialog({ call, setup, onClose }: Omit<Props, 'onClose'> & { onClose: () => void }) {
  const initial = { day: londonDay(new Date(call.startsAt)), time: londonClock(call.startsAt), coach: call.coach }
  const { values, change, finish } = useDraft(`move-call:${call.id}`, initial, onClose)
  const { day, time, coach } = values
  const action = useAdminAction({
    schema: AdminCall,
    send: () =>
      api.api.admin.calendar
        .calls({ id: call.id })
        .move.post({ startsAt: londonInstant(day, time).toISOString(), coach }),
    failure: 'The call could not be moved.',
    done: (moved) =>
      moved.startsAt === call.startsAt && moved.coach === call.coach
        ? { title: 'It’s at that time already', description: `${whenText(moved)}. We haven’t emailed anyone.` }
        : { title: 'Call moved', description: whenText(moved) },
    onDone: finish,
  })
  return (
    <ActionDialog
      title={`Move the call with ${call.name}`}
      button="Move and tell them"
      busy="Moving…"
      keep="Leave it where it is"
      isDisabled={day === '' || time === ''}
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        It is on {whenText(call)}. You can move it to any time at which the coach has no other call, also outside the
        weekly hours. {call.email} gets an email.
      </p>
      <TextField
        label="Day"
        type="date"
        required
        value={day}
        error={fieldProblem(action.error, 'startsAt')}
        onChange={({ target }) => change({ day: target.value })}
      />
      <TextField
        label="Time, UK"
        type="time"
        required
        value={time}
        onChange={({ target }) => change({ time: target.value })}
      />
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
