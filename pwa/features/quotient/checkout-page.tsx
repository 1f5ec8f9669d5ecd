import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { StepSubtitle } from '#pwa/features/payment/step-title-section.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import { loadToasts, useToast } from '#pwa/ui/toast.tsx'
import type { CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { type QuotientPackage, quotientPackages, quotientPrices } from '#shared/contract/quotient-setups.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { withVat } from '#shared/rules/money.ts'
import { leavePayment, type OrderRequest, readPayable, renewOrder } from './checkout-draft.ts'
import { countPurchase } from './count-purchase.ts'
import { DetailsStep } from './details-step.tsx'
import { OrderPayment } from './order-payment.tsx'
import { orderSteps } from './order-steps.ts'
import type { Ordered } from './ordered.ts'
import { PackageSlip } from './package-slip.tsx'
import { type Problem, problemOf } from './problems.ts'
import '#pwa/features/payment/payment.css'
import '#pwa/features/payment/purchase.css'
import './checkout.css'

const isPackage = (name: string): name is QuotientPackage => Object.hasOwn(quotientPrices, name)

type Props = { text: QuotientText; chosen: string | undefined }

/** Buying a setup without an account: the details, then the card. It goes on where it was left on this device. */
export const CheckoutPage = ({ text, chosen = 'professional' }: Props) =>
  isPackage(chosen) ? <Checkout key={chosen} text={text} chosen={chosen} /> : <Unknown text={text} name={chosen} />

type Payment = { request: OrderRequest; answer: CreateQuotientPaymentResponse | null }

/** Where the purchase stands, and its moves. */
function useCheckout(chosen: QuotientPackage) {
  const navigate = useNavigate()
  const toast = useToast()
  const [payment, setPayment] = useState<Payment | null>(() => {
    const request = readPayable(chosen)
    return request && { request, answer: null }
  })
  const [problem, setProblem] = useState<Problem | null>(null)
  // What goes wrong for want of signal must be told without it.
  useEffect(() => {
    loadToasts().catch(() => {})
  }, [])
  const [hasMoved, setMoved] = useState(false)
  const go = (next: Payment | null, why: Problem | null = null) => {
    setMoved(true)
    setProblem(why)
    setPayment(next)
  }
  const leaveWith = (ordered: Ordered) => {
    // In the place of what was said of an earlier try.
    toast({ title: 'Payment sent', tone: 'ok' })
    navigate({ to: '/quotient/success', search: {}, state: (last) => ({ ...last, ...ordered }), replace: true })
  }
  return {
    ...{ payment, problem, hasMoved },
    begin: (request: OrderRequest, answer: CreateQuotientPaymentResponse) => go({ request, answer }),
    back: () => {
      leavePayment()
      go(null)
    },
    end: (error: Error) => {
      if (payment) renewOrder(payment.request.key)
      go(null, problemOf(error))
    },
    take: (clientSecret: string) => leaveWith({ clientSecret }),
    finish: ({ key }: OrderRequest) => {
      countPurchase({ key })
      leaveWith({ isPaid: true })
    },
  }
}

function Checkout({ text, chosen }: { text: QuotientText; chosen: QuotientPackage }) {
  const { payment, problem, hasMoved, begin, back, end, take, finish } = useCheckout(chosen)
  const [isPaying, setPaying] = useState(false)
  const price = payment?.answer ?? withVat(quotientPrices[chosen])
  return (
    <div className="wrap purchase">
      <Stepper label="Ordering" steps={orderSteps} current={payment ? 1 : 0} />
      <h1 className="purchase__title">{text.checkout.heading}</h1>
      <div className="pay">
        <PackageSlip offer={text.packages.offers[chosen]} price={price} isShort={payment !== null} />
        <div className="pay__work">
          {payment ? (
            <>
              <BackToDetails chosen={chosen} onBack={() => !isPaying && back()} />
              <StepSubtitle key="payment" isNext={hasMoved}>
                Complete Your Purchase
              </StepSubtitle>
              <OrderPayment {...payment} onBusy={setPaying} onEnded={end} onTaken={take} onPaid={finish} />
            </>
          ) : (
            <>
              <StepSubtitle key="details" isNext={hasMoved}>
                Your Business Details
              </StepSubtitle>
              <DetailsStep text={text} form={{ chosen, problem, onBegun: begin, onPaid: finish }} />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

/** Back to step 1, with everything still filled in. */
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

const Unknown = ({ text: { packages, checkout }, name }: { text: QuotientText; name: string }) => (
  <div className="wrap purchase">
    <h1 className="purchase__title">{checkout.heading}</h1>
    <Banner
      role="status"
      icon="warn"
      title="There is no package of this name"
      action={quotientPackages.map((key) => (
        <ButtonLink key={key} to="/quotient/checkout" search={{ package: key }} look="line" isSmall>
          {packages.offers[key].name}
        </ButtonLink>
      ))}
    >
      <p>“{name.slice(0, 40)}” is not one of the two. Choose one here.</p>
    </Banner>
  </div>
)
