import { useQuery } from '@tanstack/react-query'
import { BillingSection } from '#pwa/features/billing/billing.tsx'
import { invoicesQuery } from '#pwa/features/billing/queries.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { type DocumentRow, documentRows } from './invoice-texts.ts'
import { ShareInvoice } from './share-invoice.tsx'

export function InvoicesSection() {
  const query = useQuery(invoicesQuery(useBillingContext()))
  return (
    <BillingSection name="invoices" title="Invoices" query={query} withoutSignal={inWallet}>
      {(invoices) =>
        invoices.length === 0 ? (
          <p>No invoices yet. Each payment gets a VAT invoice here.</p>
        ) : (
          <>
            <InvoiceTable rows={documentRows(invoices)} />
            {inWallet}
          </>
        )
      }
    </BillingSection>
  )
}

const inWallet = (
  <p>
    You can read them without signal.
    <br />
    <TextLink isTap to="/members/$place" params={{ place: 'wallet' }}>
      Coaches and invoices
    </TextLink>
  </p>
)

const InvoiceTable = ({ rows }: { rows: readonly DocumentRow[] }) => (
  <Table caption="Invoices and credit notes" isStacked>
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">Date</th>
        <th scope="col">Status</th>
        <th scope="col" className="n">
          Total
        </th>
        <th scope="col">
          <span className="vh">View or download</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <InvoiceRow key={row.id} row={row} />
      ))}
    </tbody>
  </Table>
)

const InvoiceRow = ({ row: { name, note, date, total, badge, pdf, page } }: { row: DocumentRow }) => (
  <Row>
    <Cell kind="who">
      {name}
      {note && <small>{note}</small>}
    </Cell>
    <Cell label="Date">{date}</Cell>
    <Cell label="Status">
      <Badge tone={badge.tone}>{badge.label}</Badge>
    </Cell>
    <Cell label="Total" kind="number">
      {total}
    </Cell>
    <Cell>
      <div className="billing__links">
        {pdf && (
          // Opened in its place, an app from the Home Screen would have no way back.
          <ButtonAnchor look="bare" isSmall href={pdf} download={`${name}.pdf`}>
            PDF <span className="vh">of {name}</span>
          </ButtonAnchor>
        )}
        {pdf && <ShareInvoice path={pdf} name={name} />}
        {page && (
          <ButtonAnchor look="bare" isSmall href={page} target="_blank" rel="noreferrer">
            View <span className="vh">{name}, in a new tab</span>
          </ButtonAnchor>
        )}
      </div>
    </Cell>
  </Row>
)
