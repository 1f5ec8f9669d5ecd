import type { Report } from '#cli/output.ts'
import { type Column, type Tone, tableText } from '#cli/table.ts'
import type { AdminQuotientOrder } from '#shared/contract/quotient.ts'
import { shortReference } from '#shared/rules/id.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { fullName, nothing, timeWords } from './words.ts'

type Status = AdminQuotientOrder['status']

const statusWords: Record<Status, string> = {
  pending: 'Not paid yet',
  paid: 'Paid',
  refunded: 'Refunded',
  cancelled: 'Never paid',
}
const statusTones: Record<Status, Tone> = { pending: 'quiet', paid: 'ok', refunded: 'bad', cancelled: 'quiet' }
const packageWords = { professional: 'Professional', master: 'Master' }

const columns: readonly Column<AdminQuotientOrder>[] = [
  { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
  { title: 'NAME', text: fullName, shrinksTo: 12 },
  { title: 'BUSINESS', text: ({ businessName }) => businessName || nothing, shrinksTo: 10, givesWay: 3 },
  { title: 'E-MAIL', text: ({ email }) => email, shrinksTo: 16 },
  { title: 'PACKAGE', text: ({ packageType }) => packageWords[packageType], givesWay: 2 },
  { title: 'STATUS', text: ({ status }) => statusWords[status], tone: ({ status }) => statusTones[status] },
  { title: 'TOTAL', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
  { title: 'ORDERED', text: ({ createdAt }) => timeWords(createdAt), tone: () => 'quiet', givesWay: 1 },
  { title: 'PAID', text: ({ paidAt }) => timeWords(paidAt), tone: () => 'quiet', givesWay: 4 },
]

const fields = [
  'id',
  'status',
  'packageType',
  'firstName',
  'lastName',
  'email',
  'phone',
  'businessName',
  'tradeType',
  'preferredManufacturer',
  'warrantyBoostPrice',
  'cheapestCarePlanPrice',
  'generalHourlyRate',
  'generalInstallRate',
  'generalDayRate',
  'vatRegistered',
  'additionalRequirements',
  'net',
  'vat',
  'total',
  'createdAt',
  'paidAt',
] as const satisfies readonly (keyof AdminQuotientOrder)[]

export function ordersReport(orders: AdminQuotientOrder[]): Report {
  return {
    answer: orders,
    sheet: () => ({ head: fields, rows: orders.map((order) => fields.map((field) => order[field])) }),
    text: () => (orders.length === 0 ? 'No orders yet.\n' : tableText(columns, orders)),
    async view(width) {
      const [{ draw }, { OrdersView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/orders.tsx'),
      ])
      return draw(OrdersView, { orders, columns, width })
    },
  }
}
