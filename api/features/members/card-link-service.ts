import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { findCustomer } from '#api/features/billing/queries.ts'
import { billingUrl } from '#api/features/billing-mails/mails.ts'
import { runOncePerKey } from '#api/http/idempotency.ts'
import type { Owner } from '#api/http/session.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { cardLinkMail } from '#api/mail/templates/card-link.ts'
import { CardLink } from '#shared/contract/member-record.ts'
import { readProfile } from './profile-service.ts'

type Asked = { memberId: string; key: string | undefined }

/**
 * Mails the way to the card in Billing. It opens nothing by itself: the member logs in there. A request with a key that was
 * used mails nothing.
 */
export function mailCardLink(ctx: Context, owner: Owner, { memberId, key }: Asked): CardLink {
  const { email, firstName } = readProfile(ctx, memberId)
  if (findCustomer(ctx, memberId) === undefined) {
    throw new AppError('conflict', 'This member has never paid here, so there is no card to change.')
  }
  const url = `${billingUrl(ctx)}#billing-method`
  return runOncePerKey(ctx, { scope: 'card-link', key, body: { memberId } }, CardLink, () => {
    const cause = `card-link:${ctx.newId()}`
    queueMessage(ctx, { cause, to: email, userId: memberId, isRepeatable: true }, cardLinkMail({ firstName, url }))
    audit(ctx, owner.actor, 'member.card_link', { targetId: memberId })
    return { url, sentTo: email }
  })
}
