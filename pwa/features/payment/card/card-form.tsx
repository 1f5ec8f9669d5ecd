import { Elements, PaymentElement } from '@stripe/react-stripe-js'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { LegalNote } from '#pwa/features/legal/legal-note.tsx'
import type { Provider } from '#pwa/features/payment/queries.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { AddressFields } from './address-fields.tsx'
import { useAppearance } from './use-appearance.ts'
import {
  membershipTexts,
  type PaymentDetails,
  type PaymentRejection,
  type PaymentTexts,
  useAddressOnFile,
  useCardPayment,
} from './use-card-payment.ts'

export type CardFormProps = {
  provider: Provider
  clientSecret: string
  holder: string
  /** Sent to Stripe with the name; without it Stripe asks for one if it needs it. */
  email?: string
  /** Offers PayPal next to the card, each under its own tab. */
  takesPayPal?: boolean
  /** What the payer agrees to, such as "Take £300.00 today and £300.00 a month until I cancel."; none for a single payment. */
  consent?: ReactNode
  action: ReactNode
  second?: ReactNode
  busyLabel?: string
  texts?: PaymentTexts
  /** The page the bank's page leads back to; defaults to the members' area. */
  returnPath?: string
  /** Prefilled; `on-file` is the one the logged-in person gave before. */
  address?: Partial<BillingAddress> | 'on-file'
  /** For a payer without an account; by default we save the address for the logged-in person. */
  saveAddress?: PaymentDetails['saveAddress']
  /** What went wrong before the form was shown, such as on the bank's page. */
  initialRejection?: PaymentRejection | null
  /** The person shouldn't leave the page during a payment. */
  onBusy?: (isBusy: boolean) => void
  /** Called once, when Stripe has taken the payment or saved the card. The form stays busy until it's done. */
  onConfirmed: () => void | Promise<void>
}

const cardOnly = {
  layout: 'tabs',
  fields: { billingDetails: { name: 'never', address: 'never' } },
  wallets: { applePay: 'auto', googlePay: 'auto' },
  terms: { card: 'never', applePay: 'never', googlePay: 'never' },
} as const

const cardOrPayPal = {
  ...cardOnly,
  fields: { billingDetails: { ...cardOnly.fields.billingDetails, email: 'never' } },
  paymentMethodOrder: ['card', 'paypal'],
  terms: { ...cardOnly.terms, paypal: 'never' },
} as const

/** Name, card, billing address, consent, and the one button that pays. `LazyCardForm` loads it at a payment step. */
function CardForm(props: CardFormProps) {
  const { provider, clientSecret } = props
  const appearance = useAppearance()
  const options = useMemo(() => ({ clientSecret, appearance, locale: 'en-GB' as const }), [clientSecret, appearance])
  return (
    <Elements key={clientSecret} stripe={provider.stripe} options={options}>
      <PayForm {...props} />
    </Elements>
  )
}

function PayForm(props: CardFormProps) {
  const { provider, clientSecret, holder, consent, action, second, busyLabel = 'PROCESSING…' } = props
  const { texts = membershipTexts, returnPath = '/members', initialRejection = null, onBusy, onConfirmed } = props
  const { email, takesPayPal = false, saveAddress } = props
  const asksConsent = consent !== undefined
  const details = { clientSecret, returnPath, email, saveAddress }
  const payment = useCardPayment({ ...details, asksConsent, texts, initialRejection, onBusy, onConfirmed })
  const { form, errors, rejection, hasNoSignal, isPaying } = payment
  const page = useRef<HTMLFormElement>(null)
  const onFile = useAddressOnFile(page, props.address === 'on-file')
  const address = props.address === 'on-file' ? onFile : props.address
  return (
    <form ref={page} className="pay__form" aria-label="Payment" {...form}>
      {rejection && <RejectionBanner title={texts.rejectedTitle} rejection={rejection} />}
      <fieldset className="pay__part">
        <legend className="vh">{takesPayPal ? 'Payment method' : 'Card'}</legend>
        <TextField
          label={takesPayPal ? 'Name' : 'Name on card'}
          name="holder"
          autoComplete="cc-name"
          required
          defaultValue={holder}
          error={errors.holder}
        />
        <PaymentElement options={takesPayPal ? cardOrPayPal : cardOnly} />
      </fieldset>
      <AddressFields key={onFile ? 'on-file' : 'typed'} errors={errors} address={address} />
      {asksConsent && <CheckField label={consent} name="consent" required error={errors.consent} />}
      <LegalNote />
      <div className="pay__press">
        {hasNoSignal && <NoSignalBanner wasAnswered={rejection === null || rejection.isDeclined} />}
        <Button type="submit" icon="lock" isWide second={second} isBusy={isPaying} busyLabel={busyLabel}>
          {action}
        </Button>
        <CardSafetyNote isSandbox={provider.isSandbox} />
      </div>
    </form>
  )
}

/** If an earlier attempt had no clear result, it says nothing about that one's money. */
const NoSignalBanner = ({ wasAnswered }: { wasAnswered: boolean }) => (
  <Banner tone="bad" role="status" title="No signal">
    {wasAnswered
      ? 'Your details are still here, and you haven’t been charged. Try again when you’re back in range.'
      : 'Your details are still here. Try again when you’re back in range. You won’t be charged twice.'}
  </Banner>
)

/** Takes the focus, because the pressed button is a screen further down. */
function RejectionBanner({ title, rejection }: { title: string; rejection: PaymentRejection }) {
  const banner = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rejection is shown again
  useEffect(() => banner.current?.focus(), [rejection])
  return (
    <div ref={banner} tabIndex={-1} className="pay__news">
      <Banner tone="bad" role="alert" title={title}>
        {rejection.message}
        {rejection.isDeclined && ' You haven’t been charged. Try another card, or ring your bank and try again.'}
      </Banner>
    </div>
  )
}

const CardSafetyNote = ({ isSandbox }: { isSandbox: boolean }) => (
  <p className="pay__safe second">
    <Icon name="lock" />
    <span>{isSandbox ? 'Use a test card, never a real one.' : 'We never see your card details.'}</span>
  </p>
)

export default CardForm
