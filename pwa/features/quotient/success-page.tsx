import { type ReactNode, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { Help, NextSteps, WaysBack } from './after-order.tsx'
import { begunPackage } from './checkout-draft.ts'
import { orderSteps } from './order-steps.ts'
import { type SuccessSearch, usePaymentState } from './use-payment-state.ts'
import '#pwa/features/payment/purchase.css'
import './checkout.css'

type Props = { text: QuotientText; search: SuccessSearch }

/** After the payment, from this site or from the bank's page: what the server says became of it. */
export function SuccessPage({ text, search }: Props) {
  const { outcome, isOffline, isFetching, refetch } = usePaymentState(search)
  const again = (label: string) => (
    <Button look="line" isSmall icon="sync" isBusy={isFetching} busyLabel="Asking…" onClick={() => refetch()}>
      {label}
    </Button>
  )
  switch (outcome) {
    case 'paid':
      return <Paid text={text} />
    case 'unnamed':
      return <Paid text={text} note={buysNothing} />
    case 'asking':
      return <Asking />
    case 'unpaid':
      return <Unpaid text={text} />
    case 'confirming':
      return (
        <Standing text={text} title="Your payment">
          <Banner role="status" title="Your payment is being confirmed" action={again('Ask again')}>
            Your bank has not told us the end of it yet. There is nothing to do and nothing to pay again: this page asks
            a few times by itself, and your confirmation email follows.
          </Banner>
        </Standing>
      )
    case 'refunded':
      return (
        <Standing text={text} title="Your payment">
          <Banner role="status" title="This payment was given back">
            The whole amount goes back to where it came from, which can take your bank some days.
          </Banner>
        </Standing>
      )
    case 'unread':
      return (
        <Standing text={text} title="Your payment">
          <Banner
            role="alert"
            icon={isOffline ? 'nosignal' : 'warn'}
            title={isOffline ? 'Looking up your payment needs signal' : 'Your payment could not be looked up'}
            action={again('Try again')}
          >
            Your order does not depend on this page: once it is paid, your confirmation email follows. Please do not pay
            again.
          </Banner>
        </Standing>
      )
    case 'unknown':
      return (
        <Standing text={text} title="Your order">
          <p className="lead">{buysNothing}</p>
        </Standing>
      )
  }
}

const buysNothing =
  'This page follows a payment; opening it by itself buys nothing. What was paid is in your confirmation email.'

const Paid = ({ text, note }: { text: QuotientText; note?: string }) => (
  <div className="wrap purchase">
    <Stepper label="Ordering" steps={orderSteps} current={orderSteps.length} />
    <h1 className="purchase__title">Payment Successful!</h1>
    {note && <p className="lead">{note}</p>}
    <div className="purchase__done">
      <NextSteps text={text} />
      <Help text={text} />
    </div>
    <WaysBack />
  </div>
)

const Asking = () => (
  <div className="wrap purchase">
    <h1 className="purchase__title">Your payment</h1>
    <div className="purchase__part" role="status" aria-label="Looking up your payment">
      <Skeleton size="title" isShort />
      <Skeleton size="block" />
    </div>
  </div>
)

type StandingProps = { text: QuotientText; title: string; children: ReactNode }

/** Nothing is claimed beyond what the server said. */
const Standing = ({ text, title, children }: StandingProps) => (
  <div className="wrap purchase">
    <h1 className="purchase__title">{title}</h1>
    <div className="purchase__done">
      <div className="purchase__part">{children}</div>
      <Help text={text} />
    </div>
    <WaysBack />
  </div>
)

function Unpaid({ text }: { text: QuotientText }) {
  const [begun] = useState(begunPackage)
  return (
    <Standing text={text} title="Payment not completed">
      <Banner
        tone="bad"
        role="alert"
        title="Payment Failed"
        action={
          <ButtonLink to="/quotient/checkout" search={begun ? { package: begun } : {}} icon="arrow">
            Back to the payment
          </ButtonLink>
        }
      >
        Your bank did not confirm the payment. Nothing has been taken. Try again, or use another card: what you typed is
        kept.
      </Banner>
    </Standing>
  )
}
