import { useEffect, useId, useRef } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { formatSetupPrice, type QuotientPackage, quotientPrices } from '#shared/contract/quotient-setups.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import type { OrderDetails } from './checkout-draft.ts'
import { BusinessFields, BuyerFields, type FieldProps, PriceFields } from './details-fields.tsx'
import type { Problem } from './problems.ts'
import { type DetailsForm, useDetails } from './use-details.ts'

const termsLabel = 'I agree to provide this information for my custom Quotient setup *'

type Props = { text: QuotientText; form: DetailsForm }

/** Step 1: who buys, and what the setup needs to know. Pressed, it begins the payment. */
export function DetailsStep({ text, form: given }: Props) {
  const { form, details, errors, change, isBusy, problem } = useDetails(given)
  const missing = useId()
  const wanted = missingIn(details)
  const fieldOf: FieldProps['fieldOf'] = (name) => ({
    name,
    value: details[name],
    error: errors[name],
    // Pasted from a table, say: nobody can see a tab, and the contract takes none.
    onChange: ({ target }) => change(name, target.value.replaceAll('\t', ' ')),
  })
  return (
    <form className="purchase__form" aria-label="Your Business Details" noValidate {...form}>
      <p className="second">
        What is marked * the setup needs. Where you do not know it yet, leave it empty: we ask you before we begin.
      </p>
      {problem === given.problem && <ProblemBanner problem={problem} />}
      <BuyerFields fieldOf={fieldOf} />
      <BusinessFields fieldOf={fieldOf} />
      <PriceFields fieldOf={fieldOf} />
      <CheckField
        label={termsLabel}
        name="agreeToTerms"
        required
        checked={details.agreeToTerms}
        error={errors.agreeToTerms}
        onChange={({ target }) => change('agreeToTerms', target.checked)}
      />
      <div className="purchase__press">
        {problem !== given.problem && <ProblemBanner problem={problem} takesFocus />}
        <Button
          type="submit"
          icon="arrow"
          disabled={wanted.length > 0 || isBusy}
          isBusy={isBusy}
          busyLabel="Processing..."
          aria-describedby={missing}
        >
          Continue to payment
        </Button>
        <p className="second" id={missing} role="status">
          {wanted.length > 0
            ? `Still needed to continue: ${wanted.join(', ')}.`
            : 'Nothing is taken yet. What you type is kept on this device for 48 hours.'}
        </p>
        <OtherWays text={text} chosen={given.chosen} />
      </div>
    </form>
  )
}

type ProblemProps = { problem: Problem | null; takesFocus?: boolean }

/** `takesFocus`: the button that was pressed could not keep it, being disabled meanwhile. */
function ProblemBanner({ problem, takesFocus = false }: ProblemProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem && takesFocus) place.current?.focus()
  }, [problem, takesFocus])
  return (
    problem && (
      <div ref={place} tabIndex={-1} className="pay__news">
        <Banner tone="bad" role="alert" title={problem.title} icon={problem.icon}>
          {problem.text}
        </Banner>
      </div>
    )
  )
}

/** What the button waits for, in words. */
const missingIn = (details: OrderDetails): string[] =>
  [
    [details.firstName, 'first name'],
    [details.lastName, 'last name'],
    [details.email, 'email'],
    [details.businessName, 'business name'],
    [details.agreeToTerms ? 'yes' : '', 'your tick at “I agree”'],
  ].flatMap(([value = '', words = '']) => (value.trim() === '' ? [words] : []))

function OtherWays({ text: { packages }, chosen }: { text: QuotientText; chosen: QuotientPackage }) {
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
