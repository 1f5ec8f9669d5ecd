import type Stripe from 'stripe'
import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { greatest } from '#api/db/expressions.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { balanceTransactions } from '#api/db/schema/provider.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { errorName } from '#api/log.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { idOf, toInstant } from '#api/stripe/ids-and-times.ts'
import { addDays, londonDay, monthBefore, startOfMonth } from '#shared/rules/london.ts'
import { balanceUntil } from './queries.ts'

const key = 'balance'

/**
 * `from`: the first month whose transactions we have, all of them. `before`: the balance when it began. `at` and `balance`: what
 * Stripe said at the last reading, which ours has to equal.
 */
const Reading = v.object({ from: v.string(), before: v.number(), at: v.string(), balance: v.number() })
type Reading = v.InferOutput<typeof Reading>

export function lastReading(ctx: Context): Reading | null {
  const parsed = v.safeParse(Reading, readSetting(ctx, key)?.value)
  return parsed.success ? parsed.output : null
}

const backfilledMonths = 24
/** Stripe dates few transactions back, and these days are read again each night. */
const overlapDays = 7
const pageSize = 100

/**
 * Stores what moved our balance at Stripe since the last run; the first one goes back 24 whole months. Reads everything again with
 * `all`, and when the sum isn't Stripe's. Returns how many transactions it read.
 */
export async function readBalance(ctx: Context, { all }: { all: boolean }): Promise<number> {
  const { read, isComplete } = await readOnce(ctx, { all })
  return isComplete ? read : read + (await readOnce(ctx, { all: true })).read
}

const waiting = perContext(() => ({ refresh: null as Promise<void> | null }))

/**
 * The newest transactions, after money moved, so that the books needn't wait for the night. The caller's work is done by then, so
 * this never throws: the nightly job makes up for it, and for a sum that isn't Stripe's. Calls that wait share a reading.
 */
export function refreshBalance(ctx: Context): Promise<void> {
  const own = waiting(ctx)
  own.refresh ??= withKeyLock(ctx, key, async () => {
    own.refresh = null
    // The first reading is long.
    if (lastReading(ctx) !== null) await readOnce(ctx, { all: false })
  }).catch((error: unknown) => ctx.log.warn('balance not read', { name: errorName(error) }))
  return own.refresh
}

/** `isComplete`: our sum is Stripe's, or everything was read. */
async function readOnce(ctx: Context, { all }: { all: boolean }): Promise<{ read: number; isComplete: boolean }> {
  const known = lastReading(ctx)
  const from = known?.from ?? monthsBack(londonDay(ctx.billingNow()).slice(0, 7), backfilledMonths)
  const start = startOfMonth(from)
  const since = known === null || all ? start : startOf(ctx, start)
  const { read, balance } = await readWhole(ctx, since)
  const before = known?.before ?? (await balanceBefore(ctx, start, balance))
  writeSetting(ctx, key, { from, before, at: ctx.billingNow().toISOString(), balance } satisfies Reading)
  return { read, isComplete: since === start || before + balanceUntil(ctx) === balance }
}

function monthsBack(month: string, count: number): string {
  let first = month
  for (let back = 0; back < count; back++) first = monthBefore(first)
  return first
}

const newestDay = preparedQuery()((db) =>
  db.select({ day: greatest(balanceTransactions.createdOn) }).from(balanceTransactions),
)

function startOf(ctx: Context, start: Date): Date {
  const newest = newestDay.get(ctx)?.day ?? null
  const since = newest === null ? start : new Date(`${addDays(newest, -overlapDays)}T00:00:00Z`)
  return since > start ? since : start
}

const mostReadings = 3

/** A payment may come between the list and the balance. Then they're read again. */
async function readWhole(ctx: Context, since: Date): Promise<{ read: number; balance: number }> {
  let balance = await balanceAtStripe(ctx)
  for (let reading = 1; ; reading++) {
    const read = await storeSince(ctx, since)
    const after = await balanceAtStripe(ctx)
    if (after === balance || reading === mostReadings) return { read, balance: after }
    balance = after
  }
}

/** Available and pending together, because that’s what the transactions add up to. */
async function balanceAtStripe({ stripe }: Context): Promise<number> {
  const { available, pending } = await stripe.balance.retrieve()
  const ours = [...available, ...pending].filter(({ currency }) => currency === 'gbp')
  return ours.reduce((sum, { amount }) => sum + amount, 0)
}

async function storeSince(ctx: Context, since: Date): Promise<number> {
  const list = ctx.stripe.balanceTransactions.list({ created: { gte: seconds(since) }, limit: pageSize })
  let read = 0
  const page: Stripe.BalanceTransaction[] = []
  for await (const entry of list) {
    page.push(entry)
    if (page.length === pageSize) read += storePage(ctx, page.splice(0))
  }
  return read + storePage(ctx, page)
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

function storePage(ctx: Context, page: readonly Stripe.BalanceTransaction[]): number {
  const ours = page.filter(({ currency }) => currency === 'gbp')
  transact(ctx, () => {
    for (const entry of ours) upsert(ctx, balanceTransactions, toRow(entry))
  })
  return ours.length
}

const toRow = ({ id, type, reporting_category, source, ...entry }: Stripe.BalanceTransaction) => ({
  id,
  kind: type === 'adjustment' ? reporting_category : type,
  amount: entry.amount,
  fee: entry.fee,
  availableOn: londonDay(new Date(toInstant(entry.available_on))),
  createdOn: londonDay(new Date(toInstant(entry.created))),
  source: source === null ? null : idOf(source),
})

/** £0 for an account that's younger than the months we read: then our sum covers every penny it ever held. */
async function balanceBefore(ctx: Context, start: Date, balance: number): Promise<number> {
  const earlier = await ctx.stripe.balanceTransactions.list({ created: { lt: seconds(start) }, limit: 1 })
  return earlier.data.length === 0 ? 0 : balance - balanceUntil(ctx)
}
