import { issueLink, passwordLinkUrl } from '#api/features/auth/links.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { withVat } from '#shared/rules/money.ts'
import type { Context } from '../context.ts'
import type { subscriptions } from '../db/schema/membership.ts'
import { queueLetter } from '../mail/letters.ts'
import { welcomeMail } from '../mail/templates/welcome.ts'

/** One welcome per membership, however often its payment is told. Runs inside the sync's transaction. */
export function queueWelcome(ctx: Context, userId: string, subscription: typeof subscriptions.$inferSelect): void {
  const cause = `welcome:${subscription.id}`
  if (ctx.sqlite.prepare('select 1 from mail_outbox where cause = ?').get(cause) !== undefined) return
  const user = ctx.sqlite
    .prepare<[string], { email: string; firstName: string | null; passwordHash: string | null }>(
      'select email, firstName, passwordHash from users where id = ?',
    )
    .get(userId)
  if (user === undefined) return
  const link = user.passwordHash === null ? issueLink(ctx, user.email, 'password') : null
  const letter = welcomeMail({
    firstName: user.firstName,
    tierName: tierBySlug(ctx, subscription.tierSlug)?.name ?? 'Alliance',
    membersUrl: `${ctx.settings.publicUrl}/members`,
    setPasswordUrl: link === null ? null : passwordLinkUrl(ctx, link.token),
    ...withVat(subscription.monthlyNet),
    nextPaymentOn: subscription.trialEnd ?? subscription.currentPeriodEnd ?? undefined,
  })
  queueLetter(ctx, { cause, to: user.email, userId }, letter)
}
