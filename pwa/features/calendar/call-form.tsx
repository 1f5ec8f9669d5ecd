import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { fillEmptyFields, readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { Honeypot, PersonFields } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { MemberCallForm, VisitorCallForm } from '#shared/contract/calendar.ts'
import { type CallKind, isMemberCall } from '#shared/contract/call-kind.ts'
import type { CallSlot } from '#shared/contract/call-slot.ts'
import { bookingLabels, honeypotName } from '#shared/contract/form-labels.ts'
import type { CallDone } from './done.tsx'
import { bookCall, holdCall } from './queries.ts'
import { clocksOf } from './time-texts.ts'
import type { useCallDraft } from './use-call-draft.ts'

const VisitorForm = v.object({ ...VisitorCallForm.entries, [honeypotName]: v.optional(v.string(), '') })
const MemberForm = MemberCallForm

type Props = {
  kind: CallKind
  /** Unknown until the times have loaded. */
  minutes?: number
  draft: ReturnType<typeof useCallDraft>
  chosen: CallSlot | null
  /** A member's own number. */
  phone?: string | undefined
  isOnline: boolean
  onDone: (done: CallDone) => void
  /** Someone else was quicker. */
  onTaken: (startsAt: string) => void
}

export function CallForm(props: Props) {
  const { kind, minutes, draft, chosen, phone, isOnline } = props
  const [problem, setProblem] = useState<string | null>(null)
  const ref = useRef<HTMLFormElement>(null)
  const { form, errors, isBusy } = useCallForm(props, setProblem)
  useBackInRange(problem === noSignal, () => setProblem(null))
  const restore = useEffectEvent(() => ref.current && fillEmptyFields(ref.current, draft.initial))
  useEffect(() => void restore(), [])
  return (
    <form
      {...form}
      ref={ref}
      className="callpicker"
      aria-label="Book this call"
      onInput={(event) => {
        draft.type(readFormValues(event.currentTarget))
        form.onInput(event)
      }}
    >
      <CallFields kind={kind} errors={errors} phone={draft.initial.phone ?? phone} />
      <Honeypot />
      {problem && !(problem === noTime && chosen) && (
        <Banner tone="bad" role="alert" title="Not booked yet">
          {problem}
        </Banner>
      )}
      <p aria-live="polite">
        {chosen ? (
          <>
            <b>{clocksOf().whole(chosen.startsAt)}</b>
            {minutes !== undefined && `, ${minutes} minutes`}
          </>
        ) : (
          'Pick a time above.'
        )}
      </p>
      <div>
        <Button
          type="submit"
          icon="tick"
          second={isOnline ? undefined : 'Needs signal'}
          isBusy={isBusy}
          busyLabel="Booking…"
        >
          Book this call
        </Button>
      </div>
    </form>
  )
}

type FieldProps = Pick<Props, 'kind' | 'phone'> & { errors: ReturnType<typeof useCallForm>['errors'] }

const CallFields = ({ kind, phone, errors }: FieldProps) => (
  <div className="fields">
    {isMemberCall(kind) ? (
      <TextField
        label="The number to ring you on"
        hint="Leave it empty and we’ll email you how to join."
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        defaultValue={phone}
        error={errors.phone}
      />
    ) : (
      <PersonFields errors={errors} labels={bookingLabels} phone="optional" />
    )}
    <TextAreaField
      label="Anything we should know before the call?"
      name="notes"
      autoComplete="off"
      error={errors.notes}
    />
  </div>
)

const kept = 'We’ve kept your time and what you typed.'
const noTime = 'Pick a day and a time first.'
const noSignal = `No signal. ${kept} Try again when you’re back in range.`

function useCallForm({ kind, draft, chosen, onDone, onTaken }: Props, setProblem: (problem: string | null) => void) {
  const send = async (
    typed: v.InferOutput<typeof MemberForm> | v.InferOutput<typeof VisitorForm>,
  ): Promise<CallDone> => {
    setProblem(null)
    if (chosen === null) throw new NoTimeChosen()
    const { coach, startsAt } = chosen
    if (kind === 'consultation' || kind === 'sales') {
      const request = { kind, coach, startsAt, ...v.parse(VisitorForm, typed) }
      const { heldUntil } = await holdCall({ ...request, key: draft.keyFor(request) })
      return { what: 'held', startsAt, heldUntil, email: request.email }
    }
    const { phone, notes } = v.parse(MemberForm, typed)
    const request = { kind, coach, startsAt, phone, notes }
    const { call } = await bookCall({ ...request, key: draft.keyFor(request) })
    return { what: 'booked', call }
  }
  const schema: v.GenericSchema<unknown, v.InferOutput<typeof MemberForm>> = isMemberCall(kind)
    ? MemberForm
    : VisitorForm
  return useValidatedForm({
    schema,
    send,
    onDone: (done) => onDone(done),
    onFail: (error) => {
      if (error instanceof NoTimeChosen) return setProblem(noTime)
      const code = error instanceof RequestError ? error.code : null
      if (code === 'slot_taken' && chosen) return onTaken(chosen.startsAt)
      if (code === 'offline') return setProblem(noSignal)
      setProblem(`${messageOf(error, 'Something went wrong at our end.')} ${kept}`)
    },
  })
}

class NoTimeChosen extends Error {}
