import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { StepSubtitle } from '#pwa/features/payment/step-title.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import { loadToasts, useToast } from '#pwa/ui/toast.tsx'
import type { CreateQuotientPaymentResponse, QuotientPackage } from '#shared/contract/quotient.ts'
import type { QuotientOffer, QuotientText } from '#shared/contract/texts/quotient.ts'
import { type Price, withVat } from '#shared/rules/money.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import { quotientPackages } from '#shared/values/column-values.ts'
import {
  leavePayment,
  type OrderRequest,
  type PaymentReference,
  readPendingOrder,
  renewKey,
  trackPurchase,
} from './checkout-storage.ts'
import { type OrderProblem, orderSteps, problemOf } from './checkout-texts.ts'
import { DetailsForm } from './details-form.tsx'
import { OrderPayment } from './order-payment.tsx'
import '#pwa/features/payment/payment.css'
import '#pwa/features/payment/purchase.css'
import './checkout.css'

const isPackage = (name: string): name is QuotientPackage => Object.hasOwn(quotientPrices, name)

type Props = { text: QuotientText; chosen: string | undefined }

/** Buying a setup without an account: the details, then the card. A reload resumes at the same step. */
export const CheckoutPage = ({ text, chosen = 'professional' }: Props) =>
  isPackage(chosen) ? (
    <Checkout key={chosen} text={text} chosen={chosen} />
  ) : (
    <UnknownPackage text={text} name={chosen} />
  )

function Checkout({ text, chosen }: { text: QuotientText; chosen: QuotientPackage }) {
  const { payment, problem, hasMoved, startPayment, goBack, end, confirm, finish } = useCheckout(chosen)
  const [isPaying, setPaying] = useState(false)
  const price = payment?.response ?? withVat(quotientPrices[chosen])
  return (
    <div className="wrap purchase">
      <Stepper label="Ordering" steps={orderSteps} current={payment ? 1 : 0} />
      <h1 className="purchase__title">{text.checkout.heading}</h1>
      <div className="pay">
        <PackageSummary offer={text.packages.offers[chosen]} price={price} isShort={payment !== null} />
        <div className="pay__work">
          {payment ? (
            <>
              <BackToDetails chosen={chosen} onBack={() => !isPaying && goBack()} />
              <StepSubtitle key="payment" isNext={hasMoved}>
                Complete Your Purchase
              </StepSubtitle>
              <OrderPayment {...payment} onBusy={setPaying} onEnded={end} onConfirmed={confirm} onPaid={finish} />
            </>
          ) : (
            <>
              <StepSubtitle key="details" isNext={hasMoved}>
                Your Business Details
              </StepSubtitle>
              <DetailsForm
                text={text}
                options={{ chosen, initialProblem: problem, onCreated: startPayment, onPaid: finish }}
              />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

type Payment = { request: OrderRequest; response: CreateQuotientPaymentResponse | null }

function useCheckout(chosen: QuotientPackage) {
  const navigate = useNavigate()
  const toast = useToast()
  const [payment, setPayment] = useState<Payment | null>(() => {
    const request = readPendingOrder(chosen)
    return request && { request, response: null }
  })
  const [problem, setProblem] = useState<OrderProblem | null>(null)
  // Toasts load on demand, but we have to report a lost signal without one.
  useEffect(() => {
    loadToasts().catch(() => {})
  }, [])
  const [hasMoved, setMoved] = useState(false)
  const go = (next: Payment | null, reason: OrderProblem | null = null) => {
    setMoved(true)
    setProblem(reason)
    setPayment(next)
  }
  const goToSuccess = (reference: PaymentReference) => {
    // This replaces an earlier attempt's toast.
    toast({ title: 'Payment sent', tone: 'ok' })
    navigate({ to: '/quotient/success', search: {}, state: (last) => ({ ...last, ...reference }), replace: true })
  }
  return {
    payment,
    problem,
    hasMoved,
    startPayment: (request: OrderRequest, response: CreateQuotientPaymentResponse) => go({ request, response }),
    goBack: () => {
      leavePayment()
      go(null)
    },
    end: (error: Error) => {
      if (payment) renewKey(payment.request.key)
      go(null, problemOf(error))
    },
    confirm: (clientSecret: string) => goToSuccess({ clientSecret }),
    finish: ({ key }: OrderRequest) => {
      trackPurchase({ key })
      goToSuccess({ isPaid: true })
    },
  }
}

type SummaryProps = {
  offer: QuotientOffer
  price: Price
  isShort: boolean
}

const PackageSummary = ({ offer: { name, features }, price, isShort }: SummaryProps) => (
  <aside className="pay__sum" aria-label="Package summary">
    <Slip title={name} netLabel="Setup, once" totalLabel="Total, once" {...price}>
      <div className={isShort ? 'checkout__short' : undefined}>
        <TickList items={features} />
      </div>
    </Slip>
  </aside>
)

const BackToDetails = ({ chosen, onBack }: { chosen: QuotientPackage; onBack: () => void }) => (
  <TextLink
    isTap
    className="purchase__back"
    to="/quotient/checkout"
    search={{ package: chosen }}
    onClick={(event) => {
      event.preventDefault()
      onBack()
    }}
  >
    <Icon name="back" />
    Back to your details
  </TextLink>
)

const UnknownPackage = ({ text: { packages, checkout }, name }: { text: QuotientText; name: string }) => (
  <div className="wrap purchase">
    <h1 className="purchase__title">{checkout.heading}</h1>
    <Banner
      role="status"
      icon="warn"
      title="We can’t find that package"
      action={quotientPackages.map((key) => (
        <ButtonLink key={key} to="/quotient/checkout" search={{ package: key }} look="line" isSmall>
          {packages.offers[key].name}
        </ButtonLink>
      ))}
    >
      <p>“{name.slice(0, 40)}” isn’t one of ours. Pick one here.</p>
    </Banner>
  </div>
)
