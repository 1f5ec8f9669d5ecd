import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { errorName } from '#api/log.ts'
import { previewNextPayment, previewWaitingStart } from '#api/stripe/next-payment.ts'
import type { ProviderState } from '#api/stripe/read-customer.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { chooseSubscription } from './duplicates-service.ts'

/** We ask once more shortly before it's due: what a preview said a month ago may have come to depend on something we don't read. */
const lastLookMs = 3 * dayMs

const stored = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({
      nextPayment: subscriptions.nextPayment,
      nextPaymentKey: subscriptions.nextPaymentKey,
      nextPaymentAskedAt: subscriptions.nextPaymentAskedAt,
    })
    .from(subscriptions)
    .where(eq(subscriptions.id, id)),
)

type Stored = NonNullable<ReturnType<typeof stored.get>>
export type NextPaymentState = { id: string } & Stored

const nothing: Stored = { nextPayment: null, nextPaymentKey: null, nextPaymentAskedAt: null }

/**
 * What comes next by the provider's word; undefined if what we have still holds. It never fails a sync: what isn't known promises
 * nothing, and the next sync asks again.
 */
export async function readNextPayment(ctx: Context, state: ProviderState): Promise<NextPaymentState | undefined> {
  const { chosen } = chooseSubscription(state)
  if (chosen === undefined) return undefined
  const { id } = chosen
  const known = stored.get(ctx, { id })
  const upcoming = state.upcoming.find(({ subscription }) => subscription === id)
  if (upcoming === undefined) return known?.nextPaymentAskedAt ? { id, ...nothing } : undefined
  const isSame = known !== undefined && known.nextPaymentKey === upcoming.key
  if (isSame && !isLastLook(ctx, known)) return undefined
  try {
    const nextPayment = await previewNextPayment(ctx, upcoming)
    return { id, nextPayment, nextPaymentKey: upcoming.key, nextPaymentAskedAt: ctx.billingNow().toISOString() }
  } catch (error) {
    ctx.log.warn('next payment not previewed', { subscription: id, name: errorName(error) })
    return isSame ? undefined : { id, ...nothing }
  }
}

/** It's asked about at each sync, since hardly anyone has one. A failure costs the sum, not the sync. */
export async function readWaitingStart(
  ctx: Context,
  { waitingStart }: Pick<ProviderState, 'waitingStart'>,
): Promise<WaitingStart | null> {
  if (waitingStart === null) return null
  try {
    return await previewWaitingStart(ctx, waitingStart)
  } catch (error) {
    ctx.log.warn('waiting start not previewed', { schedule: waitingStart.schedule, name: errorName(error) })
    return { ...waitingStart, payment: null }
  }
}

function isLastLook(ctx: Context, { nextPayment, nextPaymentAskedAt }: Stored): boolean {
  if (nextPayment === null || nextPaymentAskedAt === null) return false
  const lastLook = new Date(Date.parse(nextPayment.at) - lastLookMs).toISOString()
  return nextPaymentAskedAt < lastLook && lastLook <= ctx.billingNow().toISOString()
}

/** In the transaction of the sync that read it. */
export function writeNextPayment(ctx: Context, { id, ...next }: NextPaymentState): void {
  ctx.db.update(subscriptions).set(next).where(eq(subscriptions.id, id)).run()
}
