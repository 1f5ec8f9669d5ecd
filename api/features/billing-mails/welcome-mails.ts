import type { Context } from '#api/context.ts'
import { issueLink, passwordLinkUrl, welcomeLinkDays } from '#api/features/auth/link-service.ts'
import { queueMessage } from '#api/mail/messages.ts'
import { reactivatedMail, setUpMail, type Welcome, welcomeMail } from '#api/mail/templates/welcome.ts'
import { withVat } from '#shared/rules/money.ts'
import { isTold, knownSince, nextPayment, tierName } from './mails.ts'
import { type Member, queriesOf, type Subscription } from './queries.ts'

const letters = { welcome: welcomeMail, reactivated: reactivatedMail, 'set-up': setUpMail }
type Hello = keyof typeof letters
const hellos: readonly Hello[] = ['welcome', 'reactivated', 'set-up']

/** Whether the beginning of a subscription was told, in whichever words. */
export const isGreeted = (ctx: Context, { id }: Subscription) => hellos.some((kind) => isTold(ctx, `${kind}:${id}`))

/** One mail for each membership that begins, however often its payment is told. */
export function queueHello(ctx: Context, member: Member, subscription: Subscription): void {
  if (!member.access.subscriptionGivesAccess || subscription.created < knownSince(ctx, subscription.customerId)) return
  if (isGreeted(ctx, subscription)) return
  const kind = helloFor(ctx, subscription)
  const cause = `${kind}:${subscription.id}`
  const setPassword = member.hasPassword ? null : passwordLink(ctx, member)
  const welcome: Welcome = {
    firstName: member.firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    membersUrl: `${ctx.settings.publicUrl}/members`,
    setPassword,
    ...withVat(subscription.monthlyNet),
    nextPaymentOn: nextPayment(subscription)?.on,
  }
  const envelope = { cause, to: member.email, userId: member.id, isRepeatable: setPassword === null }
  queueMessage(ctx, envelope, letters[kind](welcome))
}

function passwordLink(ctx: Context, { email }: Member) {
  const { token } = issueLink(ctx, email, 'password', welcomeLinkDays * 24 * 60)
  const forgotUrl = `${ctx.settings.publicUrl}/forgot-password`
  return { url: passwordLinkUrl(ctx, token), days: welcomeLinkDays, forgotUrl }
}

function helloFor(ctx: Context, { id, customerId, status }: Subscription): Hello {
  if (status === 'trialing') return 'set-up'
  return queriesOf(ctx).wasMember.get({ id, customerId }) === undefined ? 'welcome' : 'reactivated'
}
