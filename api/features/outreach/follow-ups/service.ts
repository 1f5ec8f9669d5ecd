import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { followUps } from '#api/db/schema/outreach.ts'
import { queueTemplate, toAddressee } from '#api/features/billing-mails/mails.ts'
import { findMember, type Member, subscriptionById, wasMemberBefore } from '#api/features/billing-mails/queries.ts'
import { linkBack } from '#api/features/reactivation/links-service.ts'
import { versionsOfPages } from '#api/features/site/content/queries.ts'
import { findObstacle } from '#api/features/subscriptions/obstacle-queries.ts'
import { isMailWanted } from '#api/mail/choices.ts'
import type { Block, Message } from '#api/mail/templates/layout.ts'
import { writtenMail } from '#api/mail/templates/written.ts'
import { contentOf } from '#api/site/content.ts'
import { type FollowUp, type FollowUpKind, followUpKinds } from '#shared/contract/follow-up.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { londonDay } from '#shared/rules/london.ts'
import { type Candidate, countFollowUps, hasFollowUpSince, hasRefused, wasToldOfFailureToday } from './queries.ts'

export const textOf = (ctx: Context, kind: FollowUpKind) => contentOf(ctx).read().followUps[kind]

export function listFollowUps(ctx: Context): FollowUp[] {
  const version = versionsOfPages(ctx).get('follow-ups') ?? 0
  const counted = countFollowUps(ctx)
  return followUpKinds.map((kind) => {
    const { waiting = 0, arrived = 0, refused = 0, cameBack = 0 } = counted.find((row) => row.kind === kind) ?? {}
    return { kind, ...textOf(ctx, kind), waiting, arrived, refused, cameBack, version }
  })
}

/** The owners' text, followed by what such a mail has to include. */
export function followUpMail(
  ctx: Context,
  kind: FollowUpKind,
  firstName: string | null,
  after: readonly Block[],
): Message {
  const { subject, text } = textOf(ctx, kind)
  return writtenMail({ subject, text, firstName, after, siteUrl: ctx.settings.publicUrl })
}

/** Records that this mail goes out for an occasion; false if it already did. Call it inside the sending transaction. */
export const noteFollowUp = (ctx: Context, kind: FollowUpKind, { userId, occasion }: Candidate): boolean =>
  insertIfAbsent(ctx, followUps, { id: ctx.newId(), userId, kind, occasion, at: ctx.now().toISOString() })

/** No one gets two of them within a day. */
const apartMs = 20 * 60 * 60_000

/** Not alongside a mail about a failed payment, nor on a day when a payment may fail, nor to an address that refuses our mail. */
function mayHear(ctx: Context, { id, access, isAdmin }: Member): boolean {
  const { status, isRevoked, nextBillingAt } = access
  if (isAdmin || isRevoked || status === 'past_due' || status === 'unpaid') return false
  // A renewal due by today that no mail has mentioned may still fail.
  const isPaying = nextBillingAt !== null && londonDay(new Date(nextBillingAt)) <= londonDay(ctx.billingNow())
  if (isPaying || wasToldOfFailureToday(ctx, id) || hasRefused(ctx, id)) return false
  return !hasFollowUpSince(ctx, id, new Date(ctx.now().getTime() - apartMs))
}

type Kind = Exclude<FollowUpKind, 'card-expiring'>

const purposeOf: Record<Kind, MailPurpose> = {
  'after-joining': 'check-in',
  'not-seen': 'check-in',
  'coming-back': 'news',
}

/** Whether the candidate still qualifies: the query found them by one row only. */
const isFor: Record<Kind, (ctx: Context, member: Member, occasion: string) => boolean> = {
  'after-joining': (ctx, { access }, occasion) => {
    const subscription = subscriptionById.get(ctx, { id: occasion })
    return access.hasAccess && subscription !== undefined && !wasMemberBefore(ctx, subscription)
  },
  'not-seen': (_ctx, { access }) => access.hasAccess,
  'coming-back': (ctx, { email, access }, occasion) =>
    !access.hasAccess && access.subscriptionId === occasion && findObstacle(ctx, email) === null,
}

const membersButton = (ctx: Context): Block => ({
  kind: 'button',
  label: 'Open the members’ area',
  url: `${ctx.settings.publicUrl}/members`,
})

const buttonOf: Record<Kind, (ctx: Context, member: Member) => Block> = {
  'after-joining': membersButton,
  'not-seen': membersButton,
  'coming-back': (ctx, member) => ({ kind: 'button', label: 'Come back', url: linkBack(ctx, member) }),
}

/** Mails one person, once per occasion. Returns whether it did. Safe to interrupt and repeat. */
export const sendFollowUp = (ctx: Context, kind: Kind, candidate: Candidate): boolean =>
  transact(ctx, () => {
    const { userId, occasion } = candidate
    const member = findMember(ctx, userId)
    if (member === null || !isFor[kind](ctx, member, occasion) || !mayHear(ctx, member)) return false
    const purpose = purposeOf[kind]
    if (!isMailWanted(ctx, { userId, purpose }) || !noteFollowUp(ctx, kind, candidate)) return false
    const message = followUpMail(ctx, kind, member.firstName, [buttonOf[kind](ctx, member)])
    queueTemplate(ctx, toAddressee(member), { cause: `${kind}:${occasion}`, message, purpose })
    return true
  })
