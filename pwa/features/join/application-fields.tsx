import type { ChangeEvent } from 'react'
import { EmailField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { businessStageLabels } from '#shared/contract/application.ts'
import type { ApplicationDraft } from './application-draft.ts'

type TextName = Exclude<keyof ApplicationDraft, 'agreeTerms'>
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type Bound = {
  name: string
  required: boolean
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<Control>) => void
}

/** What ties a field to the draft. */
export type FieldProps = { fieldOf: (name: TextName) => Bound }

export const PersonFields = ({ fieldOf }: FieldProps) => (
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

export const BusinessFields = ({ fieldOf }: FieldProps) => (
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

export const GoalFields = ({ fieldOf }: FieldProps) => (
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
