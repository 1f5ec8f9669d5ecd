import { and, desc, eq, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { manualCommissions } from '#api/db/schema/commission.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { ManualCommission, type ManualCommissionRequest } from '#shared/contract/commission.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { linesOfUpsell } from './ledger-queries.ts'
import { appendLine } from './ledger-service.ts'
import { reverseLines, reversePayments, settleDueLines } from './payout-service.ts'

type Row = typeof manualCommissions.$inferSelect

const toPence = (pounds: number) => Math.round(pounds * 100)

const toWire = ({
  id,
  description,
  totalAmount,
  commissionAmount,
  saleDate,
  commissionPaid,
}: Row): ManualCommission => ({
  id,
  description,
  saleDate,
  commissionPaid,
  totalAmount: totalAmount / 100,
  commissionAmount: commissionAmount / 100,
})

/** Newest sale first, without deleted ones. */
export const listUpsells = (ctx: Context): ManualCommission[] =>
  ctx.db
    .select()
    .from(manualCommissions)
    .where(isNull(manualCommissions.deletedAt))
    .orderBy(desc(manualCommissions.saleDate), desc(manualCommissions.id))
    .all()
    .map(toWire)

/** A sale more than five years ago or one year ahead is a typing mistake. */
const [daysBack, daysAhead] = [5 * 365, 365]

function checkSaleDate(ctx: Context, saleDate: string): void {
  const today = londonDay(ctx.billingNow())
  const [earliest, latest] = [addDays(today, -daysBack), addDays(today, daysAhead)]
  if (saleDate >= earliest && saleDate <= latest) return
  const sentence = `Use a date from ${formatLongDate(earliest)} to ${formatLongDate(latest)}.`
  throw new AppError('invalid', 'Check the marked fields.', { fields: { saleDate: sentence } })
}

/** Due from the day of the sale, because an up-sell has no guarantee. Repeating a request with the same key adds nothing. */
export function addUpsell(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: ManualCommissionRequest; key: string | undefined },
): ManualCommission {
  return runOncePerKey(ctx, { scope: 'manual-commission', key, body: request }, ManualCommission, () => {
    checkSaleDate(ctx, request.saleDate)
    const [totalAmount, commissionAmount] = [toPence(request.totalAmount), toPence(request.commissionAmount)]
    const { description, saleDate } = request
    const row = ctx.db
      .insert(manualCommissions)
      .values({
        id: ctx.newId(),
        description,
        saleDate,
        totalAmount,
        commissionAmount,
        createdAt: ctx.billingNow().toISOString(),
      })
      .returning()
      .get()
    appendLine(ctx, {
      kind: 'upsell',
      manualCommissionId: row.id,
      paymentMonth: saleDate.slice(0, 7),
      dueOn: saleDate,
      net: totalAmount,
      amount: commissionAmount,
    })
    audit(ctx, owner.actor, 'upsell.added', {
      targetId: row.id,
      detail: { description, totalAmount, commissionAmount, saleDate },
    })
    return toWire(row)
  })
}

function findUpsell(ctx: Context, id: string): Row {
  const row = ctx.db.select().from(manualCommissions).where(eq(manualCommissions.id, id)).get()
  if (row === undefined) throw notFound('This commission')
  return row
}

const detailOf = ({ id, description, commissionAmount }: Row) => ({
  targetId: id,
  detail: { description, commissionAmount },
})

const tooEarly = (day: string) => `This commission is due from ${day}, the day of the sale.`

/** Safe to repeat. */
export function setUpsellPaid(ctx: Context, owner: Owner, id: string, commissionPaid: boolean): ManualCommission {
  return transact(ctx, () => {
    const row = findUpsell(ctx, id)
    if (row.deletedAt !== null) throw notFound('This commission')
    if (row.commissionPaid === commissionPaid) return toWire(row)
    const lines = linesOfUpsell.all(ctx, { manualCommissionId: id })
    if (commissionPaid) settleDueLines(ctx, lines, tooEarly)
    else reversePayments(ctx, lines)
    audit(ctx, owner.actor, commissionPaid ? 'upsell.paid' : 'upsell.unpaid', detailOf(row))
    const commissionPaidDate = commissionPaid ? ctx.billingNow().toISOString() : null
    return toWire(
      ctx.db
        .update(manualCommissions)
        .set({ commissionPaid, commissionPaidDate })
        .where(eq(manualCommissions.id, id))
        .returning()
        .get(),
    )
  })
}

/** Removes it from every list and reverses its lines. Safe to repeat. */
export function deleteUpsell(ctx: Context, owner: Owner, id: string): void {
  transact(ctx, () => {
    const row = findUpsell(ctx, id)
    if (row.deletedAt !== null) return
    reverseLines(ctx, linesOfUpsell.all(ctx, { manualCommissionId: id }))
    ctx.db
      .update(manualCommissions)
      .set({ deletedAt: ctx.billingNow().toISOString(), commissionPaid: false, commissionPaidDate: null })
      .where(and(eq(manualCommissions.id, id), isNull(manualCommissions.deletedAt)))
      .run()
    audit(ctx, owner.actor, 'upsell.deleted', detailOf(row))
  })
}
