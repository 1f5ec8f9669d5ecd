import { useQuery } from '@tanstack/react-query'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { invoicesQuery } from '#pwa/features/billing/queries.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { BillingSubscription, Invoice } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { stateLine } from '#shared/rules/state-line.ts'

export type PaidNoticeProps = {
  session: AuthSession
  memberId: string
  billing: BillingSubscription
  /** Without it the slip stays. */
  onClose?: () => void
}

/** The VAT invoice comes with Stripe's webhook, possibly a moment after the payment. */
const nextTryMs = 2_000
const mostTries = 15

/** The last payment: amount, day, invoice number, and what comes next. Renders nothing until the invoice is there. */
export default function PaidNotice({ session, memberId, billing, onClose }: PaidNoticeProps) {
  const { data: invoices } = useQuery({
    ...invoicesQuery({ session, memberId }),
    refetchInterval: ({ state }) =>
      findPaid(state.data, billing) !== undefined || state.dataUpdateCount >= mostTries ? false : nextTryMs,
  })
  const paid = findPaid(invoices, billing)
  if (paid === undefined) return null
  return (
    <section aria-label="Your payment" role="status">
      <Slip
        title="Payment received"
        stamp={
          <Stamp tone="ok" isLanding>
            Paid
          </Stamp>
        }
        total={paid.total}
        totalLabel="Paid, with VAT"
        after={[
          { label: 'Paid on', value: formatLongDate(new Date((paid.paid_at ?? paid.created) * 1000)) },
          { label: 'VAT invoice', value: <InvoiceLink invoice={paid} /> },
        ]}
      >
        <p className="slip__note">{stateLine(billing)}</p>
        {onClose && (
          <Button look="line" isSmall icon="cross" onClick={onClose}>
            Close
          </Button>
        )}
      </Slip>
    </section>
  )
}

const longestMonthSeconds = 32 * 86_400

/** The newest payment of the current month. An earlier membership's payment isn't the one just made. */
function findPaid(invoices: readonly Invoice[] | undefined, { next_billing_date, endsOn }: BillingSubscription) {
  const end = next_billing_date ?? (endsOn === null ? null : Date.parse(endsOn) / 1000)
  return invoices?.find(
    ({ status, number, refunded, created }) =>
      status === 'paid' && number !== null && !refunded && end !== null && end - created <= longestMonthSeconds,
  )
}

const InvoiceLink = ({ invoice: { number, invoice_pdf: pdf } }: { invoice: Invoice }) =>
  pdf === null ? (
    number
  ) : (
    <TextAnchor isTap href={pdf}>
      {number}
    </TextAnchor>
  )
