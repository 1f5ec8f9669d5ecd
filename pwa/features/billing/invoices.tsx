import { useQuery } from '@tanstack/react-query'
import { Badge } from '#pwa/ui/badge.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { invoicesQuery, useDesk } from './desk.ts'
import { type DocumentLine, linesOf } from './invoice-words.ts'
import { Section } from './section.tsx'

/** Every invoice and credit note, the newest first. */
export function InvoiceSection() {
  const invoices = useQuery(invoicesQuery(useDesk()))
  return (
    <Section name="invoices" title="Invoices" query={invoices}>
      {(found) =>
        found.length === 0 ? (
          <p>No invoices yet. The VAT invoice of each payment is kept here.</p>
        ) : (
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
                  <span className="vh">Open it</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {linesOf(found).map((line) => (
                <DocumentRow key={line.id} line={line} />
              ))}
            </tbody>
          </Table>
        )
      }
    </Section>
  )
}

const DocumentRow = ({ line: { name, note, date, total, badge, pdf, page } }: { line: DocumentLine }) => (
  <Row>
    <Cell kind="who">
      {name}
      {note && <small>{note}</small>}
    </Cell>
    <Cell label="Date">{date}</Cell>
    <Cell label="Status">
      <Badge tone={badge.tone}>{badge.words}</Badge>
    </Cell>
    <Cell label="Total" kind="number">
      {total}
    </Cell>
    <Cell>
      <div className="billing__links">
        {pdf && (
          <ButtonAnchor look="bare" isSmall href={pdf}>
            PDF <span className="vh">of {name}</span>
          </ButtonAnchor>
        )}
        {page && (
          <ButtonAnchor look="bare" isSmall href={page} target="_blank" rel="noreferrer">
            View <span className="vh">{name}, in a new tab</span>
          </ButtonAnchor>
        )}
      </div>
    </Cell>
  </Row>
)
