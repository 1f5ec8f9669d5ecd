import type { Context } from '#api/context.ts'

/** What is still sent to a removed member: the documents of his money, and the word that nothing more is charged. */
const isFarewell = `(cause like 'receipt:%' or cause like 'refund:%' or cause like 'refund-failed:%' or cause like 'ended:%')`

export const isUnsentFarewell = `userId = @userId and status in ('waiting', 'sending') and ${isFarewell}`

/** Takes them out of the account, which is about to go with every other mail. */
export function keepFarewells(ctx: Context, userId: string): void {
  ctx.sqlite.prepare(`update mail_outbox set userId = null where ${isUnsentFarewell}`).run({ userId })
}

const ofRemoved = 'join customers on customers.id = customerId where removedAt is not null'

/** Forgets those that have gone out, or never will: they name the person. Returns how many. */
export const forgetFarewells = (ctx: Context): number =>
  ctx.sqlite
    .prepare(
      `delete from mail_outbox where userId is null and status not in ('waiting', 'sending') and cause in (
         select 'receipt:' || invoices.id from invoices ${ofRemoved}
         union all select 'refund:' || provider_refunds.id from provider_refunds ${ofRemoved}
         union all select 'refund-failed:' || provider_refunds.id from provider_refunds ${ofRemoved}
         union all select 'ended:' || subscriptions.id from subscriptions ${ofRemoved})`,
    )
    .run().changes
