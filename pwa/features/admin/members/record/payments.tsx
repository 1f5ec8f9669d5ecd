import { lazy, Suspense, useState } from 'react'
import { statusBadge } from '#pwa/features/billing/invoices/invoice-texts.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import type { MemberPayment, MemberRecord } from '#shared/contract/member-record.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const RefundDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/refund-dialog.tsx')).then((file) => ({
    default: file.RefundDialog,
  })),
)
const GuaranteeDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/refund-dialog.tsx')).then((file) => ({
    default: file.GuaranteeDialog,
  })),
)

type Props = { record: MemberRecord; name: string }

export function PaymentsSection({ record, name }: Props) {
  const [open, setOpen] = useState<{ paymentId: string } | 'guarantee' | null>(null)
  const { guarantee, payments } = record
  // Look it up again: the other owner may refund part of it while the dialog is open.
  const payment = payments.find(
    ({ paymentId }) => open !== null && open !== 'guarantee' && paymentId === open.paymentId,
  )
  const close = () => setOpen(null)
  return (
    <section className="sheet person__part" aria-label="Payments, invoices, credit notes">
      <div className="person__top">
        <h2>Payments, invoices, credit notes</h2>
        {guarantee && (
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen('guarantee')}>
            Refund under the guarantee
          </Button>
        )}
      </div>
      {payments.length === 0 ? (
        <EmptyState title="No payments yet" />
      ) : (
        <PaymentTable payments={payments} onRefund={setOpen} />
      )}
      {open && (
        <Suspense>
          {open === 'guarantee' && guarantee && (
            <GuaranteeDialog record={record} name={name} guarantee={guarantee} onClose={close} />
          )}
          {payment && <RefundDialog record={record} name={name} payment={payment} onClose={close} />}
        </Suspense>
      )}
    </section>
  )
}

type TableProps = { payments: readonly MemberPayment[]; onRefund: (payment: MemberPayment) => void }

const PaymentTable = ({ payments, onRefund }: TableProps) => (
  <Table caption="Payments" isStacked>
    <thead>
      <tr>
        <th scope="col">Document</th>
        <th scope="col">Day</th>
        <th scope="col" className="n">
          Amount
        </th>
        <th scope="col">State</th>
        <th scope="col" className="n">
          Actions
        </th>
      </tr>
    </thead>
    <tbody>
      {payments.map((payment) => (
        <PaymentRow key={payment.paymentId} payment={payment} onRefund={onRefund} />
      ))}
    </tbody>
  </Table>
)

const dayOf = (seconds: number) => formatLongDate(new Date(seconds * 1000))

function PaymentRow({ payment, onRefund }: { payment: MemberPayment; onRefund: TableProps['onRefund'] }) {
  const { tone, label } = statusBadge(payment)
  const about = payment.number === null ? `the payment on ${dayOf(payment.created)}` : `invoice ${payment.number}`
  return (
    <Row>
      <Cell kind="who">
        {payment.number === null ? (
          payment.isHistory ? (
            'From before you moved'
          ) : (
            'No number yet'
          )
        ) : (
          <DocumentLink name={payment.number} url={payment.hosted_invoice_url} />
        )}
        {(payment.credit_notes ?? []).map((note) => (
          <small key={note.id}>
            <DocumentLink name={note.number} url={note.url} />{' '}
            <span className="person__sum">−{formatPoundsAndPence(note.total)},</span> {dayOf(note.created)}
          </small>
        ))}
      </Cell>
      <Cell label="Day">{dayOf(payment.created)}</Cell>
      <Cell label="Amount" kind="number">
        <div>
          {formatPoundsAndPence(payment.total)} <small>inc. {formatPoundsAndPence(payment.vat)} VAT</small>
        </div>
      </Cell>
      <Cell label="State">
        <span className="badges">
          <Badge tone={tone}>{label}</Badge>
          {payment.refunded && <Badge tone="open">{formatPoundsAndPence(payment.refunded)} refunded</Badge>}
        </span>
      </Cell>
      <Cell>
        {payment.refundable > 0 && (
          <div className="acts">
            <Button
              isSmall
              look="line"
              aria-haspopup="dialog"
              aria-label={`Refund ${about}`}
              onClick={() => onRefund(payment)}
            >
              Refund
            </Button>
          </div>
        )}
      </Cell>
    </Row>
  )
}

const DocumentLink = ({ name, url }: { name: string; url: string | null }) =>
  url === null ? name : <TextAnchor href={url}>{name}</TextAnchor>
