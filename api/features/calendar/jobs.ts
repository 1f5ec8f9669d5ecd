import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { changeCall } from './booking-service.ts'
import { queueReminder } from './mails.ts'
import { callsToRemind } from './queries.ts'

const aheadMs = dayMs

/** Reminds people of each call once, 24 hours before. Uses the billing clock, like the times on offer. */
export function remindOfCalls(ctx: Context): { reminders: number } {
  const calls = callsToRemind(ctx, new Date(ctx.billingNow().getTime() + aheadMs))
  for (const call of calls) {
    transact(ctx, () => {
      changeCall(ctx, call.id, { reminderSent: true })
      queueReminder(ctx, call)
    })
  }
  return { reminders: calls.length }
}
