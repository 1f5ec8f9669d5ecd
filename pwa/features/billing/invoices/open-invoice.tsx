import { useQuery } from '@tanstack/react-query'
import { ErrorBanner } from '#pwa/features/billing/billing.tsx'
import { expiryOf, openInvoiceText } from '#pwa/features/billing/billing-texts.ts'
import { BillingCardForm } from '#pwa/features/billing/payment-method.tsx'
import { paymentMethodQuery } from '#pwa/features/billing/queries.ts'
import { bankReturnPath } from '#pwa/features/billing/search.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { focusSection } from '#pwa/features/billing/use-section-focus.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import type { PaymentMethod } from '#shared/contract/billing.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { dueOf, dueText, toPayText } from '#shared/rules/payment-words.ts'
import { type PayInvoice, usePayInvoice } from './use-pay-invoice.ts'

export function OpenInvoiceSection() {
  const { billing } = useBillingContext()
  const pay = usePayInvoice()
  const { due, newCardPayment, rejection, error } = pay
  return (
    <section className="billing__open" aria-label="Unpaid invoice">
      <div className="billing__texts">
        <p>{openInvoiceText(billing)}</p>
        {due && toPayText(due) && <p>{toPayText(due)}</p>}
        {rejection && !newCardPayment && (
          <Banner tone="bad" role="alert" title="Not paid">
            {rejection.message}
            {rejection.isDeclined && ' You haven’t been charged. Try another card, or ring your bank and try again.'}
          </Banner>
        )}
        <ErrorBanner title="Not paid" error={error} />
        {newCardPayment ? <NewCardPayment pay={pay} /> : <PaymentChoice pay={pay} />}
      </div>
      {due && (
        <Slip
          net={due.net}
          vat={due.vat}
          vatRate={due.vatRate ?? null}
          total={due.total}
          title="Unpaid invoice"
          totalLabel={dueOf(due) === due.total ? 'To pay' : 'Total'}
        />
      )}
    </section>
  )
}

function PaymentChoice({ pay }: { pay: PayInvoice }) {
  const context = useBillingContext()
  const { data: method, isPending } = useQuery(paymentMethodQuery(context))
  if (!context.hasSignal)
    return (
      <Button icon="nosignal" disabled>
        Needs signal
      </Button>
    )
  if (isPending) return null
  if (!pay.due)
    return (
      <Button icon="receipt" isBusy={pay.isPaying} busyLabel="Checking…" onClick={pay.loadAmount}>
        See what you owe
      </Button>
    )
  const usable = method && expiryOf(method, new Date())?.state !== 'expired' ? method : null
  return (
    <>
      {usable && <SavedMethodPayment pay={pay} method={usable} />}
      {method && !usable && <p>{methodLabel(method)} has expired. Pay with another card.</p>}
      <Button look={usable ? 'line' : 'ink'} icon={usable ? undefined : 'lock'} onClick={pay.openNewCard}>
        {usable ? 'Pay with another card' : 'Pay with a card'}
      </Button>
    </>
  )
}

const SavedMethodPayment = ({ pay, method }: { pay: PayInvoice; method: PaymentMethod }) =>
  pay.due && (
    <>
      <p>{`We’ll take ${dueText(pay.due)} from ${methodLabel(method)} today.`}</p>
      <Button
        icon="lock"
        second={`with ${methodLabel(method)}`}
        isBusy={pay.isPaying}
        busyLabel="PROCESSING…"
        onClick={() => pay.payWith(method)}
      >
        {`PAY ${formatPoundsAndPence(dueOf(pay.due))}`}
      </Button>
    </>
  )

const NewCardPayment = ({ pay: { newCardPayment: payment, closeNewCard, finish } }: { pay: PayInvoice }) =>
  payment && (
    <BillingCardForm
      heading="Pay with another card"
      clientSecret={payment.clientSecret}
      consent={`Take ${formatPoundsAndPence(dueOf(payment))} today, and use this card from now on.`}
      action={`PAY ${formatPoundsAndPence(dueOf(payment))}`}
      second={
        dueOf(payment) === payment.total
          ? `${formatPoundsAndPence(payment.net)} + ${formatPoundsAndPence(payment.vat)} VAT`
          : undefined
      }
      texts={paymentTexts}
      returnPath={bankReturnPath('pay')}
      cancelLabel="Back without paying"
      onCancel={() => {
        closeNewCard()
        focusSection('status')
      }}
      onConfirmed={() => {
        closeNewCard()
        finish(dueOf(payment))
      }}
    />
  )

const paymentTexts = {
  rejectedTitle: 'Not paid',
  rejectedMessage: 'The payment didn’t go through. Try again, or pay with another card.',
  errorToast: { title: 'Not paid', description: 'Payment processing failed. Please try again.' },
}
