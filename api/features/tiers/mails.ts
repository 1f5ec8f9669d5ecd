import type { Context } from '#api/context.ts'
import { bodyOf, queueMessage } from '#api/mail/outbox.ts'
import { priceMoveMail } from '#api/mail/templates/subscription.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { type Charged, chargeOf, type PeriodPrice } from '#shared/rules/charge.ts'
import { withVat } from '#shared/rules/money.ts'
import { monthsOf } from '#shared/rules/tier-prices.ts'
import { noticeCause, type PriceMove } from './price-move-queries.ts'

/** Who gets the notice, and what it says. Pence of each period, `toNet` excluding VAT; `on` is an instant or a day. */
export type Notice = {
  userId: string
  email: string
  firstName: string | null
  tierName: string
  before: PeriodPrice
  toNet: number
  every: PricePeriod
  on: string
}

const messageOf = (ctx: Context, { firstName, tierName, before, toNet, every, on }: Notice) =>
  priceMoveMail({
    firstName,
    tierName,
    on,
    before,
    after: { ...withVat(toNet), months: monthsOf[every] },
    billingUrl: `${ctx.settings.publicUrl}/members?tab=billing`,
  })

/** What they pay until then, with the VAT that's in it: where a change to this price is booked, what that was to cost. */
export function priceBefore(payer: Charged & { nextTierPrice: PeriodPrice | null }, fromNet: number): PeriodPrice {
  if (payer.nextTierPrice?.net === fromNet) return payer.nextTierPrice
  return payer.chargeTotal === null ? withVat(fromNet) : chargeOf(payer)
}

export function queueNotice(ctx: Context, move: Pick<PriceMove, 'id' | 'notices'>, notice: Notice): void {
  const { email, userId } = notice
  queueMessage(ctx, { cause: noticeCause(move), to: email, userId, isRepeatable: true }, messageOf(ctx, notice))
}

/** The exact mail, for the owner who decides. */
export function noticePreview(ctx: Context, notice: Notice): { to: string; subject: string; text: string } {
  const { subject, text } = bodyOf(ctx, noticeCause({ id: '', notices: 1 }), messageOf(ctx, notice))
  return { to: notice.email, subject, text }
}
