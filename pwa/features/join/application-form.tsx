import { type ChangeEvent, type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { useFieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, EmailField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { businessStageLabels, MembershipApplicationForm } from '#shared/contract/application.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { type ApplicationDraft, emptyDraft, isEmptyDraft } from './join-storage.ts'

type Props = {
  draft: ApplicationDraft
  onWrite: (draft: ApplicationDraft) => void
  onSubmit: (form: MembershipApplicationForm) => void
}

/** Step 1: every field is required; nothing is sent before a tier is chosen. */
export function ApplicationForm({ draft, onWrite, onSubmit }: Props) {
  const { form, errors, onChange, clearErrors } = useApplication({ draft, onWrite, onSubmit })
  const { prices } = useSiteContent()
  const fieldOf: FieldProps['fieldOf'] = (name) => ({
    name,
    required: true,
    value: draft[name],
    error: errors[name],
    // A tab, such as one pasted from a table, cannot be seen, and the contract rejects it.
    onChange: ({ target }) => onChange(name, target.value.replaceAll('\t', ' ')),
  })
  return (
    <form className="purchase__stack join__form" aria-label="Application" noValidate {...form}>
      <PersonFields fieldOf={fieldOf} />
      <BusinessFields fieldOf={fieldOf} />
      <GoalFields fieldOf={fieldOf} />
      <CheckField
        label="I agree to the terms of membership"
        hint={prices.terms}
        name="agreeTerms"
        required
        checked={draft.agreeTerms}
        error={errors.agreeTerms}
        onChange={({ target }) => onChange('agreeTerms', target.checked)}
      />
      <div className="purchase__press">
        <Button type="submit" icon="arrow">
          Continue to tiers
        </Button>
        <ClearButton draft={draft} onWrite={onWrite} onClear={clearErrors} />
        <p className="second">
          Every field is needed. What you type is kept on this device for 48 hours, until it is sent.
        </p>
      </div>
    </form>
  )
}

type ClearProps = Pick<Props, 'draft' | 'onWrite'> & { onClear: () => void }

/** Empties the form and what is stored of it. A press by mistake can be undone until something else is typed. */
function ClearButton({ draft, onWrite, onClear }: ClearProps) {
  const [cleared, setCleared] = useState<ApplicationDraft | null>(null)
  const isEmpty = isEmptyDraft(draft)
  if (cleared && isEmpty)
    return (
      <Button look="bare" onClick={() => onWrite(cleared)}>
        Bring it back
      </Button>
    )
  const clear = () => {
    setCleared(isEmpty ? null : draft)
    onWrite(emptyDraft)
    onClear()
  }
  return (
    <Button look="bare" onClick={clear}>
      Clear this form
    </Button>
  )
}

function useApplication({ draft, onWrite, onSubmit }: Props) {
  const { errors, showErrors, clearErrors } = useFieldErrors()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = v.safeParse(MembershipApplicationForm, draft)
    if (read.success) onSubmit(read.output)
    else showErrors(event.currentTarget, messagesByField(read.issues))
  }
  /** A field with an error is checked again as it changes; the others wait for the next press. */
  const onChange = (name: keyof MembershipApplicationForm, value: string | boolean) => {
    onWrite({ ...draft, [name]: value })
    if (!errors[name]) return
    const read = v.safeParse(MembershipApplicationForm.entries[name], value)
    showErrors(null, { ...errors, [name]: read.success ? undefined : read.issues[0].message })
  }
  return { form: { onSubmit: submit }, errors, onChange, clearErrors }
}

type TextName = Exclude<keyof ApplicationDraft, 'agreeTerms'>
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type FieldBinding = {
  name: string
  required: boolean
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<Control>) => void
}

/** `fieldOf` binds a field to the draft. */
type FieldProps = { fieldOf: (name: TextName) => FieldBinding }

const PersonFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>You</legend>
    <div className="fields">
      <TextField className="f3" label="First name" autoComplete="given-name" {...fieldOf('firstName')} />
      <TextField className="f3" label="Last name" autoComplete="family-name" {...fieldOf('lastName')} />
      <EmailField className="f3" autoComplete="email" {...fieldOf('email')} />
      <TextField className="f3" label="Phone" type="tel" autoComplete="tel" inputMode="tel" {...fieldOf('phone')} />
    </div>
  </fieldset>
)

const BusinessFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>Your business</legend>
    <div className="fields">
      <TextField className="f3" label="Business name" autoComplete="organization" {...fieldOf('businessName')} />
      <TextField className="f3" label="Trade" autoComplete="organization-title" {...fieldOf('trade')} />
      <SelectField className="f3" label="Business stage" {...fieldOf('businessStage')}>
        <option value="">Choose one</option>
        {Object.entries(businessStageLabels).map(([stage, label]) => (
          <option key={stage} value={stage}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField className="f3" label="Years in trade" autoComplete="off" {...fieldOf('yearsInTrade')} />
    </div>
  </fieldset>
)

const GoalFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>What you want put right</legend>
    <div className="fields">
      <TextAreaField label="Current challenges" rows={3} {...fieldOf('currentChallenges')} />
      <TextAreaField label="Goals" rows={3} {...fieldOf('goals')} />
      <TextAreaField label="Why do you want to join?" rows={3} {...fieldOf('whyJoin')} />
      <TextField label="How did you hear about us?" autoComplete="off" {...fieldOf('hearAboutUs')} />
    </div>
  </fieldset>
)
