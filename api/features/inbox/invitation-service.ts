import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError, notFound } from '#api/errors.ts'
import { findObstacle } from '#api/features/reactivation/queries.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/http/session.ts'
import { invitationMail } from '#api/mail/templates/inbox.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { Instant } from '#shared/contract/fields.ts'
import {
  type InboxParams,
  Invitation,
  type InvitationRequest,
  type InvitationResponse,
} from '#shared/contract/inbox.ts'
import { firstNameOf, isKnownWish, mailSender, senderOf } from './notes-service.ts'

const invitationDays = 14

/** Why someone isn't invited, to follow their name. */
const obstacles = {
  already_subscribed: 'is already a member. Change their tier on their page, under Active.',
  access_revoked: 'has no access because you ended it. Restore it on their page first.',
}

/** The signed link opens the join at its tier, without a session or a fixed price. Safe to repeat: one key, one mail. */
export function inviteToJoin(
  ctx: Context,
  owner: Owner,
  { tierSlug, wish, ...about }: InboxParams & InvitationRequest,
): InvitationResponse {
  const { name, email } = senderOf(ctx, about)
  const tier = tierBySlug(ctx, tierSlug)
  if (tier === undefined) throw notFound('This tier')
  const obstacle = findObstacle(ctx, email)
  if (obstacle) throw new AppError(obstacle, `${name} ${obstacles[obstacle]}`)
  const firstName = firstNameOf(name)
  const lastName = name.trim().slice(firstName.length).trim()
  const expires = new Date(ctx.now().getTime() + invitationDays * 86_400_000).toISOString()
  const url = `${ctx.settings.publicUrl}/membership-application?invitation=${signInvitation(ctx, { email, firstName, lastName, tierSlug, expires })}`
  const message = invitationMail({ firstName, tier, url, expires })
  transact(ctx, () => {
    if (wish !== undefined && isKnownWish(ctx, about, wish)) return
    mailSender(ctx, owner, { about, kind: 'invitation', text: tier.name, wish, to: email, message })
  })
  return { url, expires }
}

const Signed = v.object({ ...Invitation.entries, expires: Instant })

const signatureOf = (ctx: Context, body: string) => keyedHash(ctx, 'invitation', body)

function signInvitation(ctx: Context, said: v.InferOutput<typeof Signed>): string {
  const body = Buffer.from(JSON.stringify(said)).toString('base64url')
  return `${body}.${signatureOf(ctx, body)}`
}

/** Throws if the signature is wrong or the link has expired. */
export function readInvitationLink(ctx: Context, link: string): Invitation {
  const [body = '', signature = ''] = link.split('.')
  if (!isSameSecret(signatureOf(ctx, body), signature)) throw invalidInvitation()
  const { expires, ...invitation } = v.parse(Signed, JSON.parse(Buffer.from(body, 'base64url').toString()))
  if (Date.parse(expires) <= ctx.now().getTime()) throw invalidInvitation()
  return invitation
}

const invalidInvitation = () => new AppError('invalid_link', 'This invitation is invalid or has expired.')
