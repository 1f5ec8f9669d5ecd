import { formatPoundsAndPence, type Price, vatRate } from '#shared/rules/money.ts'

export type Row = readonly [label: string, value: string]

const plainLabels = { net: 'Net', total: 'Total' }
/** For what comes again every month. */
export const monthlyLabels = { net: 'Each month, net', total: 'Total each month' }

/** Net, VAT and total, in that order. */
export const amountRows = ({ net, vat, total }: Price, labels = plainLabels): Row[] => [
  [labels.net, formatPoundsAndPence(net)],
  [`VAT ${vatRate}%`, formatPoundsAndPence(vat)],
  [labels.total, formatPoundsAndPence(total)],
]
