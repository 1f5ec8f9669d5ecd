import { Elements, PaymentElement } from '@stripe/react-stripe-js'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { AddressFields } from './address-fields.tsx'
import { useAppearance } from './appearance.ts'
import type { Provider } from './provider.ts'
import { type Charge, membershipWords, type PaymentWords, type Refusal, useCardPayment } from './use-card-payment.ts'

export type CardFormProps = {
  provider: Provider
  clientSecret: string
  /** Filled in as the name on the card, to be changed. */
  holder: string
  /** Told to the provider with the name; without it the provider asks for one where it needs it. */
  email?: string
  /** A card alone, or the card and PayPal, each under its tab. */
  takesPayPal?: boolean
  /** What the person agrees to, such as "Take £300.00 today and £300.00 a month until I cancel."; none for a single payment. */
  consent?: ReactNode
  /** The words of the button, and the small line under them. */
  action: ReactNode
  second?: ReactNode
  busyLabel?: string
  words?: PaymentWords
  /** Where the bank's page leads back to; the members' area if nothing else is said. */
  returnPath?: string
  /** The one on file, to be changed. */
  address?: Partial<BillingAddress>
  /** Of somebody without an account; otherwise the address is kept with the person. */
  saveAddress?: Charge['saveAddress']
  /** What went wrong before the form was shown, such as on the bank's page. */
  before?: Refusal | null
  /** While a payment is under way the page should not be left. */
  onBusy?: (isBusy: boolean) => void
  /** Called once, when the provider has taken the payment or saved the card. */
  onPaid: () => void
}

/** Everything else about the payer is asked by the site itself. */
const cardOnly = {
  layout: 'tabs',
  fields: { billingDetails: { name: 'never', address: 'never' } },
  wallets: { applePay: 'never', googlePay: 'never' },
  terms: { card: 'never' },
} as const

const cardOrPayPal = {
  ...cardOnly,
  fields: { billingDetails: { ...cardOnly.fields.billingDetails, email: 'never' } },
  paymentMethodOrder: ['card', 'paypal'],
  terms: { card: 'never', paypal: 'never' },
} as const

/** Name, card, billing address, consent, and the one button that pays. Loaded at a payment step alone. */
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
  const { words = membershipWords, returnPath = '/members', saveAddress, before = null, onBusy, onPaid } = props
  const { email, takesPayPal = false } = props
  const asksConsent = consent !== undefined
  const charge = { clientSecret, returnPath, email, saveAddress }
  const { form, errors, refusal, isPaying } = useCardPayment({ ...charge, asksConsent, words, before, onBusy, onPaid })
  return (
    <form className="pay__form" aria-label="Payment" {...form}>
      {refusal && <Refused title={words.refused} refusal={refusal} />}
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
      <AddressFields errors={errors} address={props.address} />
      {asksConsent && <CheckField label={consent} name="consent" required error={errors.consent} />}
      <div className="pay__press">
        <Button type="submit" icon="lock" isWide second={second} isBusy={isPaying} busyLabel={busyLabel}>
          {action}
        </Button>
        <CardPromise isSandbox={provider.isSandbox} />
      </div>
    </form>
  )
}

/** Takes the focus, since the button that was pressed is a screen below. */
function Refused({ title, refusal }: { title: string; refusal: Refusal }) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is shown anew
  useEffect(() => place.current?.focus(), [refusal])
  return (
    <div ref={place} tabIndex={-1} className="pay__news">
      <Banner tone="bad" role="alert" title={title}>
        {refusal.message}
        {refusal.isDeclined &&
          ' Nothing has been taken. Try another card, or ring your bank and press again: what you filled in here stays.'}
      </Banner>
    </div>
  )
}

const CardPromise = ({ isSandbox }: { isSandbox: boolean }) => (
  <p className="pay__safe second">
    <Icon name="lock" />
    <span>
      {isSandbox
        ? 'This is the payment sandbox. Use a test card, never a real one.'
        : 'Card details go straight to the payment provider. They never reach us.'}
    </span>
  </p>
)

export default CardForm
