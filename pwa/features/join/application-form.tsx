import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type KeyboardEvent, useState } from 'react'
import * as v from 'valibot'
import { ClearLink } from '#pwa/features/forms/clear-link.tsx'
import { useFieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { LegalNote } from '#pwa/features/legal/legal-note.tsx'
import { AccountExists } from '#pwa/features/payment/payment-unavailable.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, EmailField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { businessStageLabels, MembershipApplicationForm } from '#shared/contract/application.ts'
import { Done } from '#shared/contract/auth.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { type ApplicationDraft, emptyDraft, isEmptyDraft } from './join-storage.ts'

type Props = {
  draft: ApplicationDraft
  onWrite: (draft: ApplicationDraft) => void
  onSubmit: (form: MembershipApplicationForm) => void
  /** The address has an account, so a login comes before the next step. */
  onKnownAddress: (form: MembershipApplicationForm) => void
}

const firstNames = ['firstName', 'lastName', 'email', 'phone', 'businessName', 'trade'] as const
const FirstPart = v.pick(MembershipApplicationForm, firstNames)

/**
 * Step 1: every field is required. The second half opens when the first is right, and stays. We only send the email address until a
 * tier is chosen.
 */
export function ApplicationForm(props: Props) {
  const { draft, onWrite } = props
  const isOpen = useSecondPart(draft)
  const { form, errors, onChange, clearErrors, isChecking, isKnown } = useApplication(props, isOpen)
  const { prices } = useSiteContent()
  const fieldOf: FieldProps['fieldOf'] = (name) => ({
    name,
    required: true,
    value: draft[name],
    error: errors[name],
    // A pasted tab is invisible, and the contract rejects it.
    onChange: ({ target }) => onChange(name, target.value.replaceAll('\t', ' ')),
  })
  return (
    <form className="purchase__stack join__form" aria-label="Application" noValidate onKeyUp={showFocused} {...form}>
      <p className="second">Fill in every field.</p>
      <PersonFields fieldOf={fieldOf} />
      {!isOpen && <p className="second">Then six questions about the business, and that’s it.</p>}
      <div className="purchase__stack" hidden={!isOpen}>
        <BusinessFields fieldOf={fieldOf} />
        <CheckField
          label="I agree to the terms of membership"
          hint={prices.terms}
          name="agreeTerms"
          required
          checked={draft.agreeTerms}
          error={errors.agreeTerms}
          onChange={({ target }) => onChange('agreeTerms', target.checked)}
        />
        <LegalNote />
      </div>
      <div className="purchase__press join__press">
        {isKnown && <AccountExists returnTo="/membership-application" />}
        <Button type="submit" icon="arrow" isBusy={isChecking} busyLabel="One moment…">
          Continue to tiers
        </Button>
      </div>
      <div className="join__foot">
        <p className="second">Saved on this device as you type, for up to 48 hours.</p>
        <ClearButton draft={draft} onWrite={onWrite} onClear={clearErrors} />
      </div>
    </form>
  )
}

/** Browsers scroll a text area's cursor into view, and leave its lower half under the button. */
const showFocused = ({ key }: KeyboardEvent) => {
  if (key === 'Tab') document.activeElement?.scrollIntoView({ block: 'nearest' })
}

type ClearProps = Pick<Props, 'draft' | 'onWrite'> & { onClear: () => void }

/** Empties the form and its stored draft. The person can undo it until they type something else. */
function ClearButton({ draft, onWrite, onClear }: ClearProps) {
  const [cleared, setCleared] = useState<ApplicationDraft | null>(null)
  const isEmpty = isEmptyDraft(draft)
  const clear = () => {
    setCleared(isEmpty ? null : draft)
    onWrite(emptyDraft)
    onClear()
  }
  const undo = () => onWrite(cleared ?? draft)
  return <ClearLink isCleared={cleared !== null && isEmpty} onClear={clear} onUndo={undo} />
}

/** Whether the first half is right, or was since the form had anything in it. */
function useSecondPart(draft: ApplicationDraft): boolean {
  const isRight = v.is(FirstPart, draft)
  const [wasRight, setWasRight] = useState(isRight)
  if (isRight && !wasRight) setWasRight(true)
  return isRight || (wasRight && !isEmptyDraft(draft))
}

function useApplication({ draft, onWrite, onSubmit, onKnownAddress }: Props, isOpen: boolean) {
  const { errors, showErrors, clearErrors } = useFieldErrors()
  const address = useAddressCheck({ onSubmit, onKnownAddress })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = v.safeParse(MembershipApplicationForm, draft)
    if (read.success) address.check(read.output)
    else showErrors(event.currentTarget, messagesByField(read.issues))
  }
  /** A field with an error is rechecked as it changes; the others wait for the next press. */
  const onChange = (name: keyof MembershipApplicationForm, value: string | boolean) => {
    onWrite({ ...draft, [name]: value })
    if (name === 'email') address.forget()
    // The half that opens now hasn't been filled in wrongly.
    if (!isOpen && v.is(FirstPart, { ...draft, [name]: value })) return clearErrors()
    if (!errors[name]) return
    const read = v.safeParse(MembershipApplicationForm.entries[name], value)
    showErrors(null, { ...errors, [name]: read.success ? undefined : read.issues[0].message })
  }
  const { isChecking, isKnown } = address
  return { form: { onSubmit: submit }, errors, onChange, clearErrors, isChecking, isKnown }
}

/** No one is kept from the next step longer than this. */
const addressCheckMs = 5_000

/** Whether the address has an account. If the server can't say, the payment step will. */
function useAddressCheck({ onSubmit, onKnownAddress }: Pick<Props, 'onSubmit' | 'onKnownAddress'>) {
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: ({ email }: MembershipApplicationForm) => {
      const fetch = { signal: AbortSignal.timeout(addressCheckMs) }
      return parseResponse(Done, api.api['membership-application'].email.post({ email }, { fetch }))
    },
    onSuccess: (_, form) => onSubmit(form),
    onError: (failure, form) => (isKnownAddress(failure) ? onKnownAddress(form) : onSubmit(form)),
  })
  return {
    check: (form: MembershipApplicationForm) => isPending || mutate(form),
    forget: reset,
    isChecking: isPending,
    isKnown: isKnownAddress(error),
  }
}

const isKnownAddress = (error: Error | null) => error instanceof RequestError && error.code === 'account_exists'

type TextName = Exclude<keyof ApplicationDraft, 'agreeTerms'>
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type FieldBinding = {
  name: string
  required: boolean
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<Control>) => void
}

type FieldProps = { fieldOf: (name: TextName) => FieldBinding }

const PersonFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>You</legend>
    <div className="fields">
      <TextField className="f3" label="First name" autoComplete="given-name" {...fieldOf('firstName')} />
      <TextField className="f3" label="Last name" autoComplete="family-name" {...fieldOf('lastName')} />
      <EmailField className="f3" autoComplete="email" {...fieldOf('email')} />
      <TextField className="f3" label="Phone" type="tel" autoComplete="tel" inputMode="tel" {...fieldOf('phone')} />
      <TextField className="f3" label="Business name" autoComplete="organization" {...fieldOf('businessName')} />
      <TextField className="f3" label="Trade" autoComplete="off" {...fieldOf('trade')} />
    </div>
  </fieldset>
)

const BusinessFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>Your business</legend>
    <div className="fields">
      <SelectField className="f3" label="Business stage" {...fieldOf('businessStage')}>
        <option value="">Choose one</option>
        {Object.entries(businessStageLabels).map(([stage, label]) => (
          <option key={stage} value={stage}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField className="f3" label="Years in trade" autoComplete="off" {...fieldOf('yearsInTrade')} />
      <TextAreaField label="Current challenges" {...fieldOf('currentChallenges')} />
      <TextAreaField label="Goals" {...fieldOf('goals')} />
      <TextAreaField label="Why do you want to join?" {...fieldOf('whyJoin')} />
      <TextField label="How did you hear about us?" autoComplete="off" {...fieldOf('hearAboutUs')} />
    </div>
  </fieldset>
)
