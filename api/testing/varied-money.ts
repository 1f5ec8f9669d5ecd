import { count } from 'drizzle-orm'
import { insertRow } from '#api/db/insert.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { paymentStatuses, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import type { Drawing } from './drawing.ts'
import type { TestPerson } from './people.ts'
import type { World } from './world.ts'

const months = ['2026-04', '2026-05', '2026-06']
const netAmounts = [12_500, 25_000, 45_000, 120_000]

/** Payments by members, former members, people with two successive customers, deleted accounts and an owner. */
export function addVariedMoney(
  world: World,
  drawing: Drawing,
  given: { rows: number; owner: TestPerson },
): TestPerson[] {
  const { ctx } = world
  const { draw, pick, id, name } = drawing
  const people: TestPerson[] = []
  const owners: Customer[] = [{ userId: given.owner.id, formerUserId: null }]
  for (let at = 0; at < given.rows; at += 1) {
    const person = world.addUser({
      id: id(),
      email: `person-${at}@${pick(['kim', 'sam'])}.test`,
      firstName: pick([null, name()]),
      lastName: pick([null, name()]),
      accessOverride: pick([null, null, null, 'granted', 'revoked'] as const),
      accessUntil: pick([null, new Date(ctx.now().getTime() + (draw(2) ? 1 : -1) * 86_400_000).toISOString()]),
    })
    people.push(person)
    if (draw(4) > 0) owners.push({ userId: person.id, formerUserId: null })
    if (draw(4) === 0) owners.push({ userId: null, formerUserId: person.id })
    if (draw(5) === 0) owners.push({ userId: null, formerUserId: null })
  }
  for (const owner of owners) addCustomer(world, drawing, owner)
  return people
}

type Customer = { userId: string | null; formerUserId: string | null }

function addCustomer(world: World, drawing: Drawing, owner: Customer): void {
  const { ctx } = world
  const { draw, pick, id, time } = drawing
  const [customerId, at] = [id(), time()]
  insertRow(ctx, customers, { id: customerId, ...owner, stripeCustomerId: `cus_${customerId}`, createdAt: at })
  const subscriptionId = `sub_${customerId}`
  insertRow(ctx, subscriptions, {
    id: subscriptionId,
    customerId,
    status: pick(subscriptionStatuses),
    isSettled: draw(4) > 0,
    tierSlug: pick(shippedTierSlugs),
    yearlyNet: pick(netAmounts) * 12,
    created: time(),
    updatedAt: at,
  })
  for (let count = draw(4); count > 0; count -= 1) addPayment(world, drawing, { customerId, subscriptionId })
}

type Payer = { customerId: string; subscriptionId: string }

function addPayment(world: World, drawing: Drawing, payer: Payer): void {
  const { draw, pick, id, time } = drawing
  const net = pick(netAmounts)
  const amounts = { net, vat: net / 5, total: (net * 6) / 5 }
  const status = pick([...paymentStatuses, 'paid'] as const)
  const [paymentId, created, tierSlug] = [`in_${id()}`, time(), pick(shippedTierSlugs)]
  insertRow(world.ctx, providerInvoices, {
    id: paymentId,
    ...payer,
    status,
    ...amounts,
    lines: [],
    tierSlug,
    created,
    amountPaid: status === 'paid' && draw(5) > 0 ? amounts.total : 0,
    billingReason: pick(['subscription_cycle', 'subscription_create']),
    paidAt: status === 'paid' ? created : null,
  })
  if (status !== 'paid') return
  const paid = { customerId: payer.customerId, providerInvoiceId: paymentId, net }
  const invoiceId = addInvoice(world, drawing, { ...paid, replacesId: null })
  if (draw(5) === 0) addInvoice(world, drawing, { ...paid, replacesId: invoiceId })
  if (draw(6) > 0) addLines(world, drawing, { customerId: payer.customerId, invoiceId, net })
}

type Paid = { customerId: string; providerInvoiceId: string; net: number; replacesId: string | null }

function addInvoice({ ctx }: World, { draw, pick, id, day, time, name }: Drawing, { net, ...paid }: Paid): string {
  const next = (table: typeof invoices | typeof creditNotes) =>
    (ctx.db.select({ rows: count() }).from(table).get()?.rows ?? 0) + 1
  const [invoiceId, sequence, taxPoint] = [id(), next(invoices), `${pick(months)}-${pick(['01', '12', '30'])}`]
  insertRow(ctx, invoices, {
    id: invoiceId,
    sequence,
    number: `A-${String(sequence).padStart(6, '0')}`,
    ...paid,
    taxPoint,
    issuedOn: taxPoint,
    net,
    vat: net / 5,
    gross: (net * 6) / 5,
    createdAt: time(),
    tierSlug: pick(shippedTierSlugs),
    lines: [],
    seller: { name: 'The Alliance', address: '1 Mill Lane', vatNumber: 'GB123456789' },
    customer: { name: name(), address: null },
  })
  for (let count = Math.max(0, draw(5) - 2); count > 0; count -= 1) {
    const noteSequence = next(creditNotes)
    insertRow(ctx, creditNotes, {
      id: id(),
      sequence: noteSequence,
      number: `C-${String(noteSequence).padStart(6, '0')}`,
      invoiceId,
      kind: pick(['refund', 'correction'] as const),
      reason: 'Refund',
      net: 1_000,
      vat: 200,
      gross: 1_200,
      issuedOn: day(),
      createdAt: time(),
    })
  }
  return invoiceId
}

type Earned = { customerId: string; invoiceId: string; net: number }

function addLines({ ctx }: World, { draw, pick, id, day, time }: Drawing, { net, ...about }: Earned): void {
  const month = pick(months)
  const amount = net / 10
  const add = (line: Partial<typeof commissionLedger.$inferInsert> & { kind: Line['kind']; amount: number }) => {
    const lineId = id()
    insertRow(ctx, commissionLedger, {
      id: lineId,
      ...about,
      month,
      paymentMonth: month,
      net: 0,
      dueOn: day(),
      createdAt: time(),
      ...line,
    })
    return lineId
  }
  const earned = add({ kind: 'invoice', amount, net, rate: 10, tierSlug: pick(shippedTierSlugs) })
  if (draw(3) === 0) {
    const paid = add({ kind: 'payment', amount: -amount, reverses: earned, isSettlement: true })
    if (draw(3) === 0) add({ kind: 'reversal', amount, reverses: paid, isSettlement: true })
  }
  if (draw(5) === 0) add({ kind: 'clawback', amount: -amount })
  if (draw(5) === 0) add({ kind: 'reversal', amount: -amount, reverses: earned })
}

type Line = typeof commissionLedger.$inferSelect
