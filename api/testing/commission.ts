import { insertRow } from '#api/db/insert.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { relational } from '#api/db/tables.ts'
import { commissionDueOn } from '#shared/rules/commission.ts'
import type { TestPerson } from './people.ts'
import type { World } from './world.ts'

const amounts = { net: 25_000, vat: 5_000 }
const line = { description: 'Alliance', quantity: 1, unitPrice: 25_000, rate: 20, ...amounts }

export function addPaidMonth({ ctx }: World, person: TestPerson, day: string): void {
  const customer = relational(ctx.db)
    .query.customers.findFirst({ where: (row, { eq }) => eq(row.userId, person.id) })
    .sync()
  const customerId = customer?.id ?? ctx.newId()
  const at = `${day}T09:00:00.000Z`
  const month = day.slice(0, 7)
  const invoiceId = ctx.newId()
  const [providerInvoiceId, sequence] = [`in_${invoiceId.slice(-12)}`, ctx.db.select().from(invoices).all().length]
  if (!customer)
    insertRow(ctx, customers, {
      id: customerId,
      userId: person.id,
      stripeCustomerId: `cus_${customerId.slice(-12)}`,
      createdAt: at,
    })
  insertRow(ctx, providerInvoices, {
    id: providerInvoiceId,
    customerId,
    status: 'paid',
    lines: [line],
    tierSlug: 'standard',
    ...amounts,
    total: 30_000,
    amountPaid: 30_000,
    created: at,
    paidAt: at,
    billingReason: 'subscription_cycle',
  })
  insertRow(ctx, invoices, {
    id: invoiceId,
    sequence: sequence + 1,
    number: `A-${sequence + 1}`,
    customerId,
    providerInvoiceId,
    taxPoint: day,
    issuedOn: day,
    createdAt: at,
    tierSlug: 'standard',
    ...amounts,
    gross: 30_000,
    seller: { name: 'The Alliance', address: '1 Mill Lane', vatNumber: 'GB123456789' },
    customer: { name: 'Danny Marsh', address: '2 Mill Lane' },
    lines: [line],
  })
  insertRow(ctx, commissionLedger, {
    id: ctx.newId(),
    kind: 'invoice',
    customerId,
    invoiceId,
    month,
    paymentMonth: month,
    tierSlug: 'standard',
    net: amounts.net,
    rate: 10,
    amount: 2_500,
    dueOn: commissionDueOn(day),
    createdAt: at,
  })
}

export function addClawback({ ctx }: World, person: TestPerson): void {
  const { id: customerId } =
    relational(ctx.db)
      .query.customers.findFirst({ where: (row, { eq }) => eq(row.userId, person.id) })
      .sync() ?? {}
  const earned = ctx.db
    .select()
    .from(commissionLedger)
    .all()
    .find((row) => row.customerId === customerId && row.kind === 'invoice')
  if (earned === undefined) throw new Error('They have paid no month.')
  const payment = ctx.db
    .select()
    .from(invoices)
    .all()
    .find(({ id }) => id === earned.invoiceId)
  const providerRefundId = `re_${earned.id.slice(-12)}`
  insertRow(ctx, providerRefunds, {
    id: providerRefundId,
    customerId: earned.customerId ?? '',
    providerInvoiceId: payment?.providerInvoiceId ?? '',
    amount: 30_000,
    status: 'succeeded',
    created: ctx.billingNow().toISOString(),
  })
  insertRow(ctx, commissionLedger, {
    ...earned,
    id: ctx.newId(),
    kind: 'clawback',
    providerRefundId,
    net: -earned.net,
    amount: -earned.amount,
  })
}
