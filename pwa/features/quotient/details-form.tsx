import { type ChangeEvent, useEffect, useId, useRef } from 'react'
import { ChoiceField, RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { LegalNote } from '#pwa/features/legal/legal-note.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, EmailField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { quotientLabels as labels, type QuotientPackage, vatRegistrationLabels } from '#shared/contract/quotient.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import type { OrderDetails } from './checkout-storage.ts'
import { formatSetupPrice, type OrderProblem } from './checkout-texts.ts'
import { type DetailsFormOptions, useDetailsForm } from './use-details-form.ts'

const termsLabel = 'I agree to provide this information for my custom Quotient setup *'

type Props = { text: QuotientText; options: DetailsFormOptions }

export function DetailsForm({ text, options }: Props) {
  const { form, details, errors, change, isBusy, problem } = useDetailsForm(options)
  const missingId = useId()
  const missing = missingIn(details)
  const fieldOf: FieldProps['fieldOf'] = (name) => ({
    name,
    value: details[name],
    error: errors[name],
    // A pasted tab is invisible, and the contract rejects it.
    onChange: ({ target }) => change(name, target.value.replaceAll('\t', ' ')),
  })
  return (
    <form className="purchase__stack" aria-label="Your Business Details" noValidate {...form}>
      <p className="second">
        We build your setup from everything marked&nbsp;*. To pay, you only need your name, email and business name.
        Leave blank what you’re not sure of, and we’ll ask before we start.
      </p>
      {problem === options.initialProblem && <ProblemBanner problem={problem} />}
      <BuyerFields fieldOf={fieldOf} />
      <BusinessFields fieldOf={fieldOf} text={text.checkout} />
      <PriceFields fieldOf={fieldOf} />
      <CheckField
        label={termsLabel}
        name="agreeToTerms"
        required
        checked={details.agreeToTerms}
        error={errors.agreeToTerms}
        onChange={({ target }) => change('agreeToTerms', target.checked)}
      />
      <LegalNote />
      <div className="purchase__press">
        {problem !== options.initialProblem && <ProblemBanner problem={problem} takesFocus />}
        <Button
          type="submit"
          icon="arrow"
          disabled={missing.length > 0 || isBusy}
          isBusy={isBusy}
          busyLabel="Processing..."
          aria-describedby={missingId}
        >
          Continue to payment
        </Button>
        <p className="second" id={missingId} role="status">
          {missing.length > 0
            ? `We still need: ${missing.join(', ')}.`
            : 'You pay at the next step. Saved on this device for 48 hours.'}
        </p>
        <OtherLinks text={text} chosen={options.chosen} />
      </div>
    </form>
  )
}

type ProblemProps = { problem: OrderProblem | null; takesFocus?: boolean }

/** `takesFocus`: disabling the pressed button lost the focus. */
function ProblemBanner({ problem, takesFocus = false }: ProblemProps) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem && takesFocus) banner.current?.focus()
  }, [problem, takesFocus])
  return (
    problem && (
      <div ref={banner} tabIndex={-1} className="pay__news">
        <Banner tone="bad" role="alert" title={problem.title} icon={problem.icon}>
          {problem.text}
        </Banner>
      </div>
    )
  )
}

const missingIn = (details: OrderDetails): string[] =>
  [
    [details.firstName, 'first name'],
    [details.lastName, 'last name'],
    [details.email, 'email'],
    [details.businessName, 'business name'],
    [details.agreeToTerms ? 'yes' : '', 'a tick next to “I agree”'],
  ].flatMap(([value = '', label = '']) => (value.trim() === '' ? [label] : []))

function OtherLinks({ text: { packages }, chosen }: { text: QuotientText; chosen: QuotientPackage }) {
  const other = chosen === 'master' ? 'professional' : 'master'
  return (
    <p className="purchase__ways">
      <TextLink isTap to="/quotient/checkout" search={{ package: other }}>
        {packages.offers[other].name} instead, {formatSetupPrice(quotientPrices[other])}
      </TextLink>
      <TextLink isTap to="/quotient">
        Back to Quotient
      </TextLink>
    </p>
  )
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

type FieldBinding = {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<Control>) => void
}

/** `fieldOf` binds a field to the draft. */
type FieldProps = { fieldOf: (name: Exclude<keyof OrderDetails, 'agreeToTerms'>) => FieldBinding }

const BuyerFields = ({ fieldOf }: FieldProps) => (
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

const BusinessFields = ({ fieldOf, text }: FieldProps & { text: QuotientText['checkout'] }) => (
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
      <ChoiceField className="f3" label={`${labels.tradeType} *`} choices={text.trades} {...fieldOf('tradeType')} />
      <ChoiceField
        className="f3"
        label={`${labels.preferredManufacturer} *`}
        choices={text.manufacturers}
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

/** Free text in pounds; each field shows an example. */
const prices = [
  ['warrantyBoostPrice', '14.00'],
  ['cheapestCarePlanPrice', '12.00'],
  ['generalHourlyRate', '65.00'],
  ['generalInstallRate', '2925.00'],
  ['generalDayRate', '450.00'],
] as const

const PriceFields = ({ fieldOf }: FieldProps) => (
  <fieldset className="purchase__part">
    <legend>Your prices, in pounds</legend>
    <div className="fields">
      {prices.map(([name, example]) => (
        <TextField
          key={name}
          className="f3"
          label={`${labels[name]} *`}
          placeholder={`e.g. ${example}`}
          inputMode="decimal"
          autoComplete="off"
          {...fieldOf(name)}
        />
      ))}
    </div>
    <TextAreaField label={labels.additionalRequirements} {...fieldOf('additionalRequirements')} />
  </fieldset>
)
