import type { ChangeEvent } from 'react'
import { ChoiceField, RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { EmailField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import {
  quotientLabels as labels,
  quotientManufacturerLabels,
  quotientTradeLabels,
  vatRegistrationLabels,
} from '#shared/contract/quotient.ts'
import type { TextName } from './checkout-draft.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type Bound = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<Control>) => void
}

/** What ties a field to the draft. */
export type FieldProps = { fieldOf: (name: TextName) => Bound }

export const BuyerFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>You</legend>
    <div className="fields">
      <TextField
        className="f3"
        label={<RequiredLabel label={labels.firstName} />}
        autoComplete="given-name"
        required
        {...fieldOf('firstName')}
      />
      <TextField
        className="f3"
        label={<RequiredLabel label={labels.lastName} />}
        autoComplete="family-name"
        required
        {...fieldOf('lastName')}
      />
      <EmailField
        className="f3"
        label={<RequiredLabel label={labels.email} />}
        autoComplete="email"
        required
        {...fieldOf('email')}
      />
      <TextField
        className="f3"
        label={`${labels.phone} (optional)`}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...fieldOf('phone')}
      />
    </div>
  </fieldset>
)

export const BusinessFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>The business</legend>
    <div className="fields">
      <TextField
        className="f3"
        label={<RequiredLabel label={labels.businessName} />}
        autoComplete="organization"
        required
        {...fieldOf('businessName')}
      />
      <ChoiceField
        className="f3"
        label={`${labels.tradeType} *`}
        choices={quotientTradeLabels}
        {...fieldOf('tradeType')}
      />
      <ChoiceField
        className="f3"
        label={`${labels.preferredManufacturer} *`}
        choices={quotientManufacturerLabels}
        {...fieldOf('preferredManufacturer')}
      />
      <ChoiceField
        className="f3"
        label={`${labels.vatRegistered} *`}
        choices={vatRegistrationLabels}
        {...fieldOf('vatRegistered')}
      />
    </div>
  </fieldset>
)

/** Free text in pounds, each with an example. */
const prices = [
  ['warrantyBoostPrice', '14.00'],
  ['cheapestCarePlanPrice', '12.00'],
  ['generalHourlyRate', '65.00'],
  ['generalInstallRate', '2925.00'],
  ['generalDayRate', '450.00'],
] as const

export const PriceFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>Your prices, in pounds</legend>
    <div className="fields">
      {prices.map(([name, example]) => (
        <TextField
          key={name}
          className="f3"
          label={`${labels[name]} *`}
          placeholder={example}
          inputMode="decimal"
          autoComplete="off"
          {...fieldOf(name)}
        />
      ))}
    </div>
    <TextAreaField label={labels.additionalRequirements} rows={4} {...fieldOf('additionalRequirements')} />
  </fieldset>
)
