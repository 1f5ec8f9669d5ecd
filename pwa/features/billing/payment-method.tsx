import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { CardFormSkeleton, LazyCardForm } from '#pwa/features/payment/card/lazy-card-form.tsx'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { PaymentMethod } from '#shared/contract/billing.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { BillingSection, ErrorBanner, OnlineButton } from './billing.tsx'
import { cardConsentText, expiryOf, noMethodText } from './billing-texts.ts'
import {
  addressQuery,
  cardSetupQuery,
  isPaidUp,
  paymentMethodQuery,
  type SettledBilling,
  useSettlePayment,
} from './queries.ts'
import { bankReturnPath } from './search.ts'
import { useBillingContext } from './use-billing-context.tsx'
import { focusSection, useReportDone } from './use-section-focus.ts'

export function PaymentMethodSection() {
  const context = useBillingContext()
  const method = useQuery(paymentMethodQuery(context))
  const [isChanging, setChanging] = useState(false)
  const close = () => {
    setChanging(false)
    focusSection('method')
  }
  return (
    <BillingSection name="method" title="Payment method" query={method}>
      {(saved) => (
        <>
          {saved ? <Method method={saved} /> : <p>{noMethodText(context.billing, context.actions.changeCard)}</p>}
          {isChanging ? (
            <NewCard isFirst={saved === null} onClose={close} />
          ) : (
            context.actions.changeCard && (
              <OnlineButton label={saved ? 'Change card' : 'Add a card'} onClick={() => setChanging(true)} />
            )
          )}
        </>
      )}
    </BillingSection>
  )
}

function Method({ method }: { method: PaymentMethod }) {
  const expiry = expiryOf(method, new Date())
  return (
    <p className="billing__method">
      <b>{methodLabel(method)}</b>
      {expiry?.state === 'valid' && <span>{expiry.text}</span>}
      {expiry && expiry.state !== 'valid' && (
        <Badge tone={expiry.state === 'expired' ? 'bad' : 'open'} icon="warn">
          {expiry.text}
        </Badge>
      )}
    </p>
  )
}

function NewCard({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const context = useBillingContext()
  const queryClient = useQueryClient()
  const setup = useQuery(cardSetupQuery(context))
  const settlePayment = useSettlePayment()
  const reportDone = useReportDone()
  const finish = async () => {
    const settled = await settlePayment().catch(() => null)
    queryClient.removeQueries({ queryKey: cardSetupQuery(context).queryKey })
    onClose()
    if (settled) reportDone(isFirst ? 'Card added' : 'Card changed', cardChangedText(settled), 'method')
    else reportDone('Card saved', 'It’ll show here when you’re back in range.', 'method')
  }
  return (
    <BillingCardForm
      heading={isFirst ? 'Your card' : 'Another card'}
      clientSecret={setup.data?.clientSecret}
      error={setup.error}
      onRetry={() => setup.error && setup.refetch()}
      consent={cardConsentText(context.billing)}
      action="Save this card"
      busyLabel="Saving…"
      texts={isFirst ? firstCardTexts : cardChangeTexts}
      returnPath={bankReturnPath('card')}
      cancelLabel={isFirst ? 'Not now' : 'Cancel'}
      onCancel={onClose}
      onConfirmed={finish}
    />
  )
}

const cardChangedText = ({ billing, method }: SettledBilling) =>
  `We’ll use ${method ? methodLabel(method) : 'it'} from now on.${isPaidUp(billing) ? '' : ' You still have an unpaid invoice: pay it above.'}`

const cardChangeTexts = {
  rejectedTitle: 'Card not changed',
  rejectedMessage: 'We’re still using your old card. Try again.',
  errorToast: { title: 'Card not changed', description: 'We’re still using your old card. Try again.' },
}

const firstCardTexts = {
  rejectedTitle: 'Card not saved',
  rejectedMessage: 'We couldn’t save your card. Try again.',
  errorToast: { title: 'Card not saved', description: 'We couldn’t save your card. Try again.' },
}

type CardFormProps = Omit<
  ComponentProps<typeof LazyCardForm>,
  'provider' | 'clientSecret' | 'holder' | 'address' | 'ref'
> & {
  heading: string
  /** Undefined until Stripe is waiting for the card. */
  clientSecret: string | undefined
  error?: Error | null
  onRetry?: () => void
  cancelLabel: string
  onCancel: () => void
}

export function BillingCardForm({
  heading,
  clientSecret,
  error = null,
  cancelLabel,
  onCancel,
  ...form
}: CardFormProps) {
  const context = useBillingContext()
  const provider = useQuery(providerQuery)
  const address = useQuery(addressQuery(context))
  const title = useRef<HTMLHeadingElement>(null)
  const [isPaying, setPaying] = useState(false)
  useEffect(() => title.current?.focus(), [])
  const problem = error ?? provider.error
  const retry = () => {
    if (provider.error) provider.refetch()
    form.onRetry?.()
  }
  return (
    <div className="billing__card">
      <h3 ref={title} tabIndex={-1} className="billing__subtitle">
        {heading}
      </h3>
      {problem ? (
        <>
          <ErrorBanner title="We couldn’t load the card form" error={problem} />
          <Button look="line" isSmall icon="sync" onClick={retry}>
            Try again
          </Button>
        </>
      ) : clientSecret && !address.isPending ? (
        <LazyCardForm
          provider={provider.data}
          clientSecret={clientSecret}
          holder={context.cardHolder}
          address={address.data ?? undefined}
          onBusy={setPaying}
          {...form}
        />
      ) : (
        <CardFormSkeleton />
      )}
      <Button look="bare" disabled={isPaying} onClick={onCancel}>
        {cancelLabel}
      </Button>
    </div>
  )
}
