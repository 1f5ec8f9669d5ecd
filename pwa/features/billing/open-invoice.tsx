import { useQuery } from '@tanstack/react-query'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import type { PaymentMethod } from '#shared/contract/billing.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { CardPanel } from './card-panel.tsx'
import { openInvoiceWords, openSince, priceInWords } from './charge-words.ts'
import { methodQuery, useDesk } from './desk.ts'
import { expiryOf, nameOfMethod } from './method-words.ts'
import { Refused } from './refused.tsx'
import { returnPathOf } from './returned.ts'
import { type PayInvoice, usePayInvoice } from './use-pay-invoice.ts'

const headingId = 'open-invoice'

/** What is owed, and the way to pay it. */
export function OpenInvoicePanel() {
  const { billing } = useDesk()
  const pay = usePayInvoice()
  const { due, cardFor } = pay
  return (
    <section className="billing__open" aria-labelledby={headingId}>
      <div className="billing__words">
        <h3 className="billing__subtitle" id={headingId} tabIndex={-1}>
          {due ? `${formatPoundsAndPence(due.total)} to pay` : 'An invoice is open'}
        </h3>
        <p>
          {openInvoiceWords(billing)} {billing.openInvoice && openSince(billing.openInvoice)}
        </p>
        {pay.refusal && !cardFor && (
          <Banner tone="bad" role="alert" title="Not paid">
            {pay.refusal.message}
            {pay.refusal.isDeclined && ' Nothing has been taken. Try another card, or ring your bank and press again.'}
          </Banner>
        )}
        <Refused title="Not paid" error={pay.error} />
        {cardFor ? <AnotherCard pay={pay} /> : <WaysToPay pay={pay} />}
      </div>
      {due && <Slip net={due.net} vat={due.vat} total={due.total} title="Open invoice" totalLabel="To pay" />}
    </section>
  )
}

function WaysToPay({ pay }: { pay: PayInvoice }) {
  const desk = useDesk()
  const { data: method, isPending } = useQuery(methodQuery(desk))
  if (!desk.hasSignal)
    return (
      <Button icon="nosignal" disabled>
        Needs signal
      </Button>
    )
  if (isPending) return null
  if (!pay.due)
    return (
      <Button icon="receipt" isBusy={pay.isPaying} busyLabel="Looking…" onClick={pay.see}>
        See what is to pay
      </Button>
    )
  const usable = method && expiryOf(method, new Date())?.state !== 'over' ? method : null
  return (
    <>
      {usable && <PayWithIt pay={pay} method={usable} />}
      {method && !usable && <p>{nameOfMethod(method)} has expired. Pay with another card.</p>}
      <Button look={usable ? 'line' : 'ink'} icon={usable ? undefined : 'lock'} onClick={pay.takeCard}>
        {usable ? 'Pay with another card' : 'Pay with a card'}
      </Button>
    </>
  )
}

const PayWithIt = ({ pay, method }: { pay: PayInvoice; method: PaymentMethod }) =>
  pay.due && (
    <>
      <p>{`Pressing this takes ${priceInWords(pay.due)} from ${nameOfMethod(method)} now.`}</p>
      <Button
        icon="lock"
        second={`with ${nameOfMethod(method)}`}
        isBusy={pay.isPaying}
        busyLabel="PROCESSING…"
        onClick={() => pay.payWith(method)}
      >
        {`PAY ${formatPoundsAndPence(pay.due.total)}`}
      </Button>
    </>
  )

const AnotherCard = ({ pay: { cardFor, leaveCard, paid } }: { pay: PayInvoice }) =>
  cardFor && (
    <CardPanel
      heading="Pay with another card"
      clientSecret={cardFor.clientSecret}
      consent={`Take ${formatPoundsAndPence(cardFor.total)} now, and use this card from now on.`}
      action={`PAY ${formatPoundsAndPence(cardFor.total)}`}
      second={`${formatPoundsAndPence(cardFor.net)} + ${formatPoundsAndPence(cardFor.vat)} VAT`}
      texts={texts}
      returnPath={returnPathOf('pay')}
      keep="Back without paying"
      onKeep={() => {
        leaveCard()
        document.getElementById(headingId)?.focus()
      }}
      onConfirmed={() => {
        leaveCard()
        paid(cardFor.total)
      }}
    />
  )

const texts = {
  rejectedTitle: 'Not paid',
  rejectedMessage: 'The payment did not go through. Please try again.',
  errorToast: { title: 'Not paid', description: 'Payment processing failed. Please try again.' },
}
