import { type ReactNode, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { readOrderedPackage } from './checkout-storage.ts'
import { orderSteps } from './checkout-texts.ts'
import { type SuccessSearch, usePaymentState } from './use-payment-state.ts'
import '#pwa/features/payment/purchase.css'
import './checkout.css'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { StepList } from '#pwa/ui/list.tsx'

type Props = { text: QuotientText; search: SuccessSearch }

export function SuccessPage({ text, search }: Props) {
  const { outcome, isOffline, isFetching, refetch } = usePaymentState(search)
  const retryButton = (label: string) => (
    <Button look="line" isSmall icon="sync" isBusy={isFetching} busyLabel="Checking…" onClick={() => refetch()}>
      {label}
    </Button>
  )
  switch (outcome) {
    case 'paid':
      return <Paid text={text} />
    case 'pending':
      return <LookingUp />
    case 'unpaid':
      return <Unpaid text={text} />
    case 'confirming':
      return (
        <PaymentState text={text} title="Your payment">
          <Banner role="status" title="We’re waiting for your bank" action={retryButton('Check again')}>
            Please don’t pay again. We’ll email you as soon as it’s confirmed.
          </Banner>
        </PaymentState>
      )
    case 'refunded':
      return (
        <PaymentState text={text} title="Your payment">
          <Banner role="status" title="We’ve refunded this payment">
            You’re getting it all back. Your bank may take a few days.
          </Banner>
        </PaymentState>
      )
    case 'failed':
      return (
        <PaymentState text={text} title="Your payment">
          <Banner
            role="alert"
            icon={isOffline ? 'nosignal' : 'warn'}
            title={isOffline ? 'You need signal to check your payment' : 'We couldn’t check your payment'}
            action={retryButton('Try again')}
          >
            Your order is safe. Please don’t pay again. We’ll email you once it’s paid.
          </Banner>
        </PaymentState>
      )
    case 'unknown':
    case 'none':
      return (
        <PaymentState text={text} title="Your order">
          <p className="lead">{buysNothing}</p>
        </PaymentState>
      )
  }
}

const buysNothing = 'You’ll see this page after you pay. Already paid? Your order is in your confirmation email.'

const Paid = ({ text }: { text: QuotientText }) => (
  <div className="wrap purchase">
    <Stepper label="Ordering" steps={orderSteps} current={orderSteps.length} />
    <h1 className="purchase__title">Payment Successful!</h1>
    <div className="purchase__done">
      <NextSteps text={text} />
      <Help text={text} />
    </div>
    <LinksBack />
  </div>
)

const LookingUp = () => (
  <div className="wrap purchase">
    <h1 className="purchase__title">Your payment</h1>
    <div className="purchase__part" role="status" aria-label="Checking your payment">
      <Skeleton size="title" isShort />
      <Skeleton size="block" />
    </div>
  </div>
)

type PaymentStateProps = { text: QuotientText; title: string; children: ReactNode }

/** Says no more than the server did. */
const PaymentState = ({ text, title, children }: PaymentStateProps) => (
  <div className="wrap purchase">
    <h1 className="purchase__title">{title}</h1>
    <div className="purchase__done">
      <div className="purchase__part">{children}</div>
      <Help text={text} />
    </div>
    <LinksBack />
  </div>
)

function Unpaid({ text }: { text: QuotientText }) {
  const [ordered] = useState(readOrderedPackage)
  return (
    <PaymentState text={text} title="Payment not completed">
      <Banner
        tone="bad"
        role="alert"
        title="Payment Failed"
        action={
          <ButtonLink to="/quotient/checkout" search={ordered ? { package: ordered } : {}} icon="arrow">
            Back to the payment
          </ButtonLink>
        }
      >
        Your bank didn’t confirm the payment, so you haven’t been charged. Try again or use another card. We’ve kept
        what you typed.
      </Banner>
    </PaymentState>
  )
}

const NextSteps = ({ text: { success } }: { text: QuotientText }) => (
  <section aria-labelledby="next" className="purchase__part">
    <h2 className="purchase__second" id="next">
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

function Help({ text: { success } }: { text: QuotientText }) {
  const { email, phone, response, hours } = success.help
  return (
    <section aria-labelledby="help" className="sheet checkout__help">
      <h2 className="purchase__second" id="help">
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
            {response}, in business hours <span>{hours}</span>
          </dd>
        </div>
      </dl>
    </section>
  )
}

const LinksBack = () => (
  <p className="purchase__ways">
    <ButtonLink to="/quotient" look="line">
      Back to Quotient
    </ButtonLink>
    <ButtonLink to="/" look="line">
      Back to home
    </ButtonLink>
  </p>
)
