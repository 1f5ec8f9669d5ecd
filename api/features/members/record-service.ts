import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { countWhere } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { knownDevices } from '#api/db/schema/sessions.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { billingAddressOf } from '#api/features/billing/purchases/address-service.ts'
import { billingUrl } from '#api/features/billing-mails/mails.ts'
import { listPaymentsOfUser } from '#api/features/invoices/list-queries.ts'
import { noticesOf } from '#api/features/notices/choice-service.ts'
import { readProfile } from '#api/features/profile/account-service.ts'
import { listCredits } from '#api/features/subscriptions/credit-queries.ts'
import { listOtherAddresses } from '#api/features/subscriptions/provider-address-service.ts'
import { termsOfSubscription } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { findCustomer, findPaymentMethod, listAddOns, listKeptDrafts } from '#api/features/subscriptions/queries.ts'
import { billingView } from '#api/features/subscriptions/view-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { newsChoiceOf } from '#api/mail/choices.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { cardLinkMail } from '#api/mail/templates/payment.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { CardLink, type MemberRecord } from '#shared/contract/member-record.ts'
import { findGuarantee } from './guarantee-service.ts'
import { findMember } from './queries.ts'

/** Links to a member use either. */
export function readRecord(ctx: Context, idOrEmail: string): MemberRecord {
  const member = findMember(ctx, idOrEmail)
  if (member === null) throw memberNotFound()
  const { id, isAdmin } = member
  const access = accessOfUser(ctx, id)
  const seen = ctx.db
    .select({ at: users.lastSeenAt, accessVersion: users.accessVersion })
    .from(users)
    .where(eq(users.id, id))
    .get()
  return {
    member,
    profile: readProfile(ctx, id),
    lastSeenAt: seen?.at ?? null,
    devices: countWhere(ctx, knownDevices, eq(knownDevices.userId, id)),
    billing: billingView(ctx, { id, access, isAdmin }),
    keptDrafts: listKeptDrafts(ctx, id),
    addOns: listAddOns(ctx, id),
    credits: listCredits(ctx, { userId: id }),
    stripeAddress: listOtherAddresses(ctx, id)[0]?.address ?? null,
    paymentMethod: findPaymentMethod(ctx, id) ?? null,
    address: billingAddressOf(ctx, id),
    freeAccess: access.isGranted ? { until: access.freeUntil } : null,
    accessVersion: seen?.accessVersion ?? 1,
    guarantee: findGuarantee(ctx, id),
    payments: listPaymentsOfUser(ctx, id),
    news: newsChoiceOf(ctx, id),
    notices: noticesOf(ctx, id),
    termsVersion: access.subscriptionId === null ? null : termsOfSubscription(ctx, access.subscriptionId),
  }
}

type Asked = { memberId: string; key: string | undefined }

/** Mails a link to the card in Billing, where the member still has to log in. Repeating a key mails nothing. */
export function mailCardLink(ctx: Context, owner: Owner, { memberId, key }: Asked): CardLink {
  const { email, firstName } = readProfile(ctx, memberId)
  if (findCustomer(ctx, memberId) === undefined) {
    throw new AppError('conflict', 'This member has never paid here, so there’s no card to change.')
  }
  const url = `${billingUrl(ctx)}#billing-method`
  return runOncePerKey(ctx, { scope: 'card-link', key, body: { memberId } }, CardLink, () => {
    const cause = `card-link:${ctx.newId()}`
    queueMessage(ctx, { cause, to: email, userId: memberId, isRepeatable: true }, cardLinkMail({ firstName, url }))
    audit(ctx, owner.actor, 'member.card_link', { targetId: memberId })
    return { url, sentTo: email }
  })
}
