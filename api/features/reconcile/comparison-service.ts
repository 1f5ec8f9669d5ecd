import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { providerEvents } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { relational } from '#api/db/tables.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { breathe } from '#api/jobs/turns.ts'
import { idOf, toInstant } from '#api/stripe/ids-and-times.ts'
import { readCustomer } from '#api/stripe/read-customer.ts'
import type { EventGap, MrrDiff, MrrDifference, ProviderEvent } from '#shared/contract/provider-comparison.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isLive } from '#shared/rules/membership.ts'
import { monthlyOf, mrrRule, settledStatus } from '#shared/rules/mrr.ts'
import { readerOf } from './rows-service.ts'
import { syncCustomer } from './service.ts'

const rowsAfter = preparedQuery<{ after: string; limit: number }>()((db, { after, limit }) =>
  db
    .select({
      id: subscriptions.id,
      status: subscriptions.status,
      isSettled: subscriptions.isSettled,
      collectionPause: subscriptions.collectionPause,
      yearlyNet: subscriptions.yearlyNet,
      customer: customers.stripeCustomerId,
      memberId: customers.userId,
    })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(gt(subscriptions.id, after))
    .orderBy(asc(subscriptions.id))
    .limit(limit),
)

type Row = ReturnType<typeof rowsAfter.all>[number]
type Known = Pick<Row, 'status' | 'isSettled' | 'collectionPause' | 'yearlyNet'>

function countedOf({ yearlyNet, ...known }: Known) {
  const status = settledStatus(known)
  return { status, yearly: mrrRule(status).isCounted ? yearlyNet : 0 }
}

const shownSide = (counted: ReturnType<typeof countedOf> | null): MrrDifference['ours'] =>
  counted && { status: counted.status, monthlyAmount: monthlyOf(counted.yearly) }

const pieceOf = 500

/** In pieces, between which other requests get their turn. */
async function readRows(ctx: Context): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const piece = rowsAfter.all(ctx, { after: rows.at(-1)?.id ?? '', limit: pieceOf })
    rows.push(...piece)
    if (piece.length < pieceOf) return rows
    await breathe()
  }
}

/** Compares every live subscription with the provider. Writes nothing and returns only differences. */
export async function compareRevenue(ctx: Context): Promise<MrrDiff> {
  const rows = await readRows(ctx)
  const live = rows.filter(({ status }) => isLive(status))
  const atProvider = new Map<string, string>()
  for await (const { id, customer, status } of ctx.stripe.subscriptions.list({ limit: 100 })) {
    if (isLive(status)) atProvider.set(id, idOf(customer))
  }
  const involved = new Set([...live.map(({ customer }) => customer), ...atProvider.values()])
  const ours = Map.groupBy(rows, ({ customer }) => customer)
  const differences: MrrDifference[] = []
  for (const customer of involved) {
    differences.push(...(await differencesOf(ctx, customer, ours.get(customer) ?? [])))
  }
  return { compared: new Set([...live.map(({ id }) => id), ...atProvider.keys()]).size, differences }
}

async function differencesOf(ctx: Context, customer: string, ours: Row[]): Promise<MrrDifference[]> {
  const { subscriptions: read } = await readCustomer(readerOf(ctx), customer)
  const ids = new Set([...ours, ...read].map(({ id }) => id))
  return [...ids].flatMap((id) => {
    const [mine, theirs] = [ours.find((one) => one.id === id), read.find((one) => one.id === id)]
    const counted = [mine ? countedOf(mine) : null, theirs ? countedOf(theirs) : null] as const
    const sides = { ours: shownSide(counted[0]), provider: shownSide(counted[1]) }
    if (Bun.deepEquals(...counted) || !isOfInterest(sides)) return []
    return [{ subscriptionId: id, customer, memberId: mine?.memberId ?? null, ...sides }]
  })
}

/** Ignores ended subscriptions we never had. */
const isOfInterest = ({ ours, provider }: Pick<MrrDifference, 'ours' | 'provider'>) =>
  ours !== null || (provider !== null && isLive(provider.status))

const shown = 200

export const listEvents = (ctx: Context, isWaiting: boolean): ProviderEvent[] =>
  ctx.db
    .select({
      id: providerEvents.id,
      type: providerEvents.type,
      customer: providerEvents.stripeCustomerId,
      receivedAt: providerEvents.receivedAt,
      processedAt: providerEvents.processedAt,
    })
    .from(providerEvents)
    .where(and(isWaiting ? isNull(providerEvents.processedAt) : undefined))
    .orderBy(desc(providerEvents.receivedAt), desc(providerEvents.id))
    .limit(shown)
    .all()

/** Syncs the event's customer again, as on arrival. Changes nothing if it's already processed. */
export async function replayEvent(ctx: Context, { actor }: Owner, id: string): Promise<ProviderEvent> {
  const find = () =>
    relational(ctx.db)
      .query.providerEvents.findFirst({ where: (row, { eq: is }) => is(row.id, id) })
      .sync()
  const event = find()
  if (event === undefined) throw new AppError('not_found', 'We haven’t received that event.')
  if (event.stripeCustomerId === null)
    throw new AppError('conflict', 'This event isn’t about a customer, so there’s nothing to sync.')
  if ((await syncCustomer(ctx, event.stripeCustomerId)) === 'unknown') {
    const link = `alliance subscriptions link ${event.stripeCustomerId} EMAIL`
    throw new AppError('conflict', `Its customer has no account here. If they’re a member, link them: ${link}`)
  }
  const processedAt = ctx.now().toISOString()
  ctx.db.update(providerEvents).set({ processedAt }).where(eq(providerEvents.id, id)).run()
  audit(ctx, actor, 'event.replayed', { detail: { event: id, type: event.type } })
  return { id, type: event.type, customer: event.stripeCustomerId, receivedAt: event.receivedAt, processedAt }
}

const eventById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: providerEvents.id }).from(providerEvents).where(eq(providerEvents.id, id)),
)

const listedDays = 30

/** Events the provider lists but we never stored, oldest first. We only store types the webhook subscribes to. */
export async function findEventGaps(ctx: Context): Promise<EventGap[]> {
  const created = { gte: Math.floor((ctx.billingNow().getTime() - listedDays * dayMs) / 1000) }
  const gaps: EventGap[] = []
  for await (const event of ctx.stripe.events.list({ created, limit: 100 })) {
    if (eventById.get(ctx, { id: event.id }) === undefined) {
      gaps.push({ id: event.id, type: event.type, createdAt: toInstant(event.created) })
    }
  }
  return gaps.toReversed()
}
