import type { Context } from '#api/context.ts'
import { tierChangeMail, tierKeptMail } from '#api/mail/templates/tier-change.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'
import { asAddressee, billingUrl, endsAt, lastTold, queueTemplate, tierName } from './mails.ts'
import type { Member, Subscription } from './queries.ts'

/** A change of tier that was booked, and taken back before it took effect, as often as it turns. */
export function queueTierChange(ctx: Context, member: Member, subscription: Subscription): void {
  const { id, tierSlug, nextTierSlug, nextTierAt, nextTierNet, monthlyNet } = subscription
  if (!['active', 'trialing'].includes(member.access.status) || endsAt(subscription) !== null) return
  const told = lastTold(ctx, ['tier-change', 'tier-kept'], id)
  const count = (told?.count ?? 0) + 1
  const about = () => ({
    ...{ firstName: member.firstName, fromName: tierName(ctx, tierSlug), billingUrl: billingUrl(ctx) },
  })
  const [toldSlug, toldDay] = told?.kind === 'tier-change' ? told.rest : []
  const toldTier = tierSlugs.find((slug) => slug === toldSlug)
  if (nextTierSlug !== null && nextTierAt !== null) {
    const on = londonDay(new Date(nextTierAt))
    if (toldTier === nextTierSlug && toldDay === on) return
    const price = withVat(nextTierNet ?? monthlyNet)
    const message = tierChangeMail({ ...about(), ...price, toName: tierName(ctx, nextTierSlug), on })
    queueTemplate(ctx, asAddressee(member), { cause: `tier-change:${id}:${count}:${nextTierSlug}:${on}`, message })
    return
  }
  // From its day on the change is no longer booked because it has come, which the next receipt tells.
  if (toldTier === undefined || toldDay === undefined || toldDay <= londonDay(ctx.billingNow())) return
  const message = tierKeptMail({ ...about(), ...withVat(monthlyNet), toName: tierName(ctx, toldTier), on: toldDay })
  queueTemplate(ctx, asAddressee(member), { cause: `tier-kept:${id}:${count}`, message })
}
