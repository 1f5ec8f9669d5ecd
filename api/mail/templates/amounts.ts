import { formatPoundsAndPence, type Price, vatRate } from '#shared/rules/money.ts'
import type { Block } from './layout.ts'

const plainLabels = { net: 'Net', total: 'Total' }
/** For what comes again every month. */
export const monthlyLabels = { net: 'Each month, net', total: 'Total each month' }

/** Net, VAT and total, in that order. */
export const billOf = ({ net, vat, total }: Price, labels = plainLabels): Block => ({
  kind: 'bill',
  rows: [
    [labels.net, formatPoundsAndPence(net)],
    [`VAT ${vatRate}%`, formatPoundsAndPence(vat)],
  ],
  total: [labels.total, formatPoundsAndPence(total)],
})
