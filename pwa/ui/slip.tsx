import type { ReactNode } from 'react'
import { formatPoundsAndPence, vatLabel } from '#shared/rules/money.ts'
import './styles/slip.css'

type Line = { label: ReactNode; value: ReactNode }

type Props = {
  title?: ReactNode
  stamp?: ReactNode
  /** All in pence, in this order. A slip for a past payment may only have the total. */
  net?: number
  vat?: number
  /** Per cent; null if there are several rates. Ours, unless told otherwise. */
  vatRate?: number | null | undefined
  total: number
  netLabel?: ReactNode
  totalLabel?: ReactNode
  after?: readonly Line[]
  className?: string
  children?: ReactNode
}

/** A receipt with a torn edge: net, VAT, total. */
export const Slip = ({
  title,
  stamp,
  net,
  vat,
  vatRate,
  total,
  netLabel = 'Net',
  totalLabel = 'Total',
  after = [],
  className,
  children,
}: Props) => (
  <div className={className ? `slip ${className}` : 'slip'}>
    {title && (
      <h2 className="slip__title">
        {title}
        {stamp}
      </h2>
    )}
    <dl className="slip__rows">
      {net !== undefined && (
        <div>
          <dt>{netLabel}</dt>
          <dd>{formatPoundsAndPence(net)}</dd>
        </div>
      )}
      {vat !== undefined && (
        <div>
          <dt>{vatLabel(vatRate)}</dt>
          <dd>{formatPoundsAndPence(vat)}</dd>
        </div>
      )}
      <div className="slip__total">
        <dt>{totalLabel}</dt>
        <dd>{formatPoundsAndPence(total)}</dd>
      </div>
      {after.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of one receipt never move
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {children}
  </div>
)
