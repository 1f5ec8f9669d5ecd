import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { canJoin, messageOf, openInvitation, urlOf, wantedOf } from '#api/features/invitations/service.ts'
import { knownTier } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import type { CanInvite, InboxParams, InvitationRequest, InvitationResponse } from '#shared/contract/inbox.ts'
import { firstNameOf, isKnownWish, mailSender, senderOf } from './notes-service.ts'

/** Invites someone who wrote to us, and keeps that beside what they wrote. Safe to repeat: one key, one mail. */
export function inviteToJoin(
  ctx: Context,
  owner: Owner,
  { tierSlug, priceId, wish, ...about }: InboxParams & InvitationRequest,
): InvitationResponse {
  const person = personOf(ctx, about)
  return transact(ctx, () => {
    const isKnown = wish !== undefined && isKnownWish(ctx, about, wish)
    const row = openInvitation(ctx, owner, { ...person, tierSlug, priceId, freeMonths: 0 })
    const link = { url: urlOf(ctx, row), expires: row.expiresAt }
    const [message, text] = [messageOf(ctx, wantedOf(row), link), knownTier(ctx, row.tierSlug).name]
    if (!isKnown) mailSender(ctx, owner, { about, kind: 'invitation', text, wish, to: person.email, message })
    return link
  })
}

/** Members have joined already, and someone who lost access gets it back on their page. */
export const canInvite = (ctx: Context, about: InboxParams): CanInvite => ({
  canInvite: canJoin(ctx, personOf(ctx, about)),
})

function personOf(ctx: Context, about: InboxParams) {
  const { name, email } = senderOf(ctx, about)
  const firstName = firstNameOf(name)
  return { email, firstName, lastName: name.trim().slice(firstName.length).trim() }
}
