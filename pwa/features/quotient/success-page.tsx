import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { StepList } from '#pwa/ui/step-list.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { begunPackage, hasBought } from './checkout-draft.ts'
import { countPurchase } from './count-purchase.ts'
import { orderSteps } from './order-steps.ts'
import './checkout.css'

export type SuccessSearch = { payment_intent?: string; redirect_status?: string }

type Props = { text: QuotientText; search: SuccessSearch }

/** After the payment, from this site or from the bank's page: what happens next. Of a payment that it does not know it says so. */
export const SuccessPage = ({ text, search }: Props) => {
  const outcome = useOutcome(search)
  return (
    <div className="wrap checkout">
      {outcome === 'failed' ? (
        <Failed />
      ) : (
        <>
          {outcome === 'paid' && <Stepper label="Ordering" steps={orderSteps} current={orderSteps.length} />}
          <h1 className="checkout__title">Payment Successful!</h1>
          {outcome === 'unknown' && (
            <p className="lead">
              This page follows a payment; opening it by itself buys nothing. What was paid is in your confirmation
              email.
            </p>
          )}
          <div className="checkout__done">
            <NextSteps text={text} />
            <Help text={text} />
          </div>
          <p className="checkout__ways">
            <ButtonLink to="/quotient" look="line">
              Back to Quotient
            </ButtonLink>
            <ButtonLink to="/" look="line">
              Back to home
            </ButtonLink>
          </p>
        </>
      )}
    </div>
  )
}

type Outcome = 'paid' | 'failed' | 'unknown'

const outcomeOf = ({ payment_intent, redirect_status }: SuccessSearch): Outcome => {
  if (redirect_status === 'failed') return 'failed'
  const isTaken = redirect_status === 'succeeded' || redirect_status === 'processing'
  return (payment_intent && isTaken) || hasBought() ? 'paid' : 'unknown'
}

/** Reads what the bank's page added to the address, once, and takes it out again. */
const useOutcome = (search: SuccessSearch): Outcome => {
  const navigate = useNavigate()
  const [outcome] = useState(() => outcomeOf(search))
  useEffect(() => {
    if (!search.payment_intent) return
    if (outcome === 'paid') countPurchase()
    if (outcome !== 'failed') navigate({ to: '/quotient/success', search: {}, replace: true })
  }, [search.payment_intent, outcome, navigate])
  return outcome
}

const Failed = () => {
  const [begun] = useState(begunPackage)
  return (
    <>
      <h1 className="checkout__title">Payment not completed</h1>
      <Banner
        tone="bad"
        role="alert"
        title="Payment Failed"
        action={
          <>
            <ButtonLink to="/quotient/checkout" search={begun ? { package: begun } : {}} icon="arrow">
              Back to the payment
            </ButtonLink>
            <ButtonLink to="/quotient" look="line">
              Back to Quotient
            </ButtonLink>
          </>
        }
      >
        Your bank did not confirm the payment. Nothing has been taken. Try again, or use another card: what you typed is
        kept.
      </Banner>
    </>
  )
}

const NextSteps = ({ text: { success } }: { text: QuotientText }) => (
  <section aria-labelledby="next" className="checkout__part">
    <h2 className="checkout__step" id="next">
      What happens next
    </h2>
    <StepList>
      {success.steps.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </StepList>
  </section>
)

const Help = ({ text: { success } }: { text: QuotientText }) => {
  const { email, phone, response, hours } = success.help
  return (
    <section aria-labelledby="help" className="sheet checkout__help">
      <h2 className="checkout__step" id="help">
        Need a hand?
      </h2>
      <dl>
        <div>
          <dt className="label">Email</dt>
          <dd>
            <TextAnchor isTap href={`mailto:${email}`}>
              {email}
            </TextAnchor>
          </dd>
        </div>
        <div>
          <dt className="label">Phone</dt>
          <dd>
            <TextAnchor isTap href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              {phone}
            </TextAnchor>
          </dd>
        </div>
        <div>
          <dt className="label">Response time</dt>
          <dd>
            {response}, in business hours {hours}
          </dd>
        </div>
      </dl>
    </section>
  )
}
