import type { Context } from '#api/context.ts'
import { issueLink, passwordLinkUrl } from '#api/features/accounts/login/link-service.ts'
import { listHours } from '#api/features/calendar/queries.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { welcomeLinkDays } from '#api/mail/retry.ts'
import {
  type CoolingOff,
  type FirstSteps,
  reactivatedMail,
  setUpMail,
  type Welcome,
  welcomeMail,
} from '#api/mail/templates/welcome.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { chargeOf } from '#shared/rules/charge.ts'
import { addDays, londonDay, weekdayName } from '#shared/rules/london.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import { knownSince, nextPayment, tierName } from './mails.ts'
import { type Member, type Subscription, wasMemberBefore, wasQueued } from './queries.ts'

const templates = { welcome: welcomeMail, reactivated: reactivatedMail, 'set-up': setUpMail }
type WelcomeKind = keyof typeof templates
const kinds: readonly WelcomeKind[] = ['welcome', 'reactivated', 'set-up']

export const wasWelcomed = (ctx: Context, { id }: Subscription) => kinds.some((kind) => wasQueued(ctx, `${kind}:${id}`))

/** One mail per membership that starts, however often its payment is reported. */
export function queueWelcome(ctx: Context, member: Member, subscription: Subscription): void {
  if (!member.access.subscriptionGivesAccess || subscription.created < knownSince(ctx, subscription.customerId)) return
  if (wasWelcomed(ctx, subscription)) return
  const kind = kindFor(ctx, subscription)
  const cause = `${kind}:${subscription.id}`
  const setPassword = member.hasPassword ? null : passwordLink(ctx, member)
  const lapse = setPassword === null ? { isRepeatable: true } : { lapsesAt: setPassword.expiresAt }
  const welcome: Welcome = {
    firstName: member.firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    membersUrl: `${ctx.settings.publicUrl}/members`,
    setPassword,
    ...chargeOf(subscription),
    nextPaymentOn: nextPayment(subscription)?.on,
    coolingOff: coolingOffOf(ctx),
    ...firstStepsOf(ctx, subscription),
  }
  queueMessage(ctx, { cause, to: member.email, userId: member.id, ...lapse }, templates[kind](welcome))
}

const coolingOffDays = 14

/** The period starts on the day after the contract. */
function coolingOffOf(ctx: Context): CoolingOff | null {
  const { site, pages } = contentOf(ctx).read()
  if (!site.sellsToConsumers) return null
  const parts = pages.cancellation.sections.flatMap(({ body }) => body)
  return {
    until: addDays(londonDay(ctx.billingNow()), coolingOffDays),
    url: `${ctx.settings.publicUrl}/cancellation`,
    email: siteSettings(ctx).firm.email,
    form: parts.flatMap((part) => (typeof part === 'object' && 'form' in part ? part.form : [])),
  }
}

function firstStepsOf(ctx: Context, { tierSlug }: Subscription): FirstSteps {
  const { site } = contentOf(ctx).read()
  const [first] = videosByCategory(listVideos(ctx, tierSlug)).flatMap(({ videos }) => videos)
  const community = site.links.community || null
  const minutes = tierBySlug(ctx, tierSlug)?.callDuration ?? null
  const isBookable = site.links.coachCalls.length > 0 || listHours(ctx).some(({ kind }) => kind === 'coaching')
  const { publicUrl } = ctx.settings
  return {
    video: first ? { title: first.title, url: `${publicUrl}/members/videos/${first.slug}` } : null,
    community,
    weeklyCall: community && nextDayOf(ctx.billingNow(), site.callDay),
    coachingCall: minutes !== null && isBookable ? { minutes, url: `${publicUrl}/book-call` } : null,
  }
}

/** From tomorrow on: today's call may be over. */
function nextDayOf(now: Date, weekday: string): string {
  const ahead = [1, 2, 3, 4, 5, 6, 7].map((days) => addDays(londonDay(now), days))
  return ahead.find((day) => weekdayName(day).startsWith(weekday)) ?? londonDay(now)
}

function passwordLink(ctx: Context, { email }: Member) {
  const { token, expiresAt } = issueLink(ctx, email, 'password', welcomeLinkDays * 24 * 60)
  const forgotUrl = `${ctx.settings.publicUrl}/forgot-password`
  return { url: passwordLinkUrl(ctx, token), days: welcomeLinkDays, forgotUrl, expiresAt }
}

function kindFor(ctx: Context, subscription: Subscription): WelcomeKind {
  if (subscription.status === 'trialing') return 'set-up'
  return wasMemberBefore(ctx, subscription) ? 'reactivated' : 'welcome'
}
