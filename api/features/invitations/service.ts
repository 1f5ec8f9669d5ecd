import { and, eq, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { memberInvitations } from '#api/db/schema/invitations.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, invalidField, notFound } from '#api/errors.ts'
import { findObstacle, findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import {
  assertTier,
  isOnSale,
  knownTier,
  type Tier,
  tierBySlug,
  tiersBySlug,
  toWire,
} from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { invitationMail } from '#api/mail/templates/inbox.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { Id, Instant } from '#shared/contract/fields.ts'
import { Invitation } from '#shared/contract/invitation.ts'
import type {
  MemberInvitation,
  MemberInvitationPreview,
  MemberInvitationRequest,
} from '#shared/contract/member-invitations.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from '#shared/rules/london.ts'
import { addMonths } from '#shared/rules/price-move.ts'
import { findOpenInvitation, type InvitationRow, listOpenInvitations, openInvitationTo } from './queries.ts'

const invitationDays = 14

/** Why someone can't be invited, to go after their name. */
const obstacles = {
  already_subscribed: 'is already a member. Change their tier on their page, under Members.',
  access_revoked: 'has no access because you ended it. Restore it on their page first.',
}

export type Wanted = Omit<MemberInvitationRequest, 'id'> & { id?: string | undefined }

type Person = Pick<Wanted, 'email' | 'firstName' | 'lastName'>

/** Refuses people who can't join, and a tier or price nobody can. The error is at what's to change. */
function assertInvitable(ctx: Context, wanted: Person & Pick<Wanted, 'tierSlug' | 'priceId'>): void {
  assertTier(ctx, 'tierSlug', wanted.tierSlug)
  const refusal = refusalOf(ctx, wanted)
  if (refusal) throw refusal
  const tier = knownTier(ctx, wanted.tierSlug)
  const sentence = 'This tier isn’t on sale. Restore it first, or choose another.'
  if (!isOnSale(tier)) throw invalidField('tierSlug', sentence)
  if (wanted.priceId === undefined || offeredAt(tier, wanted.priceId).length > 0) return
  const stopped = `${tier.name} isn’t sold at this price any more. Choose another.`
  throw new AppError('price_changed', stopped, { fields: { priceId: stopped } })
}

/** The price that's named, or all they can choose from. */
const offeredAt = ({ prices }: Tier, priceId: string | undefined) =>
  prices.filter(({ id, isOffered }) => isOffered && (priceId === undefined || id === priceId))

function refusalOf(ctx: Context, { email, firstName, lastName }: Person): AppError | null {
  const name = [firstName, lastName].filter(Boolean).join(' ') || email
  const isOwner = findUserByEmail(ctx, email)?.isAdmin === true
  const obstacle = findObstacle(ctx, email)
  if (!isOwner && obstacle === null) return null
  const sentence = isOwner || obstacle === null ? 'This is an owner’s address.' : `${name} ${obstacles[obstacle]}`
  return new AppError(obstacle ?? 'invalid', sentence, { fields: { email: sentence } })
}

export const canJoin = (ctx: Context, person: Person): boolean => refusalOf(ctx, person) === null

/** Stores an invitation in the caller's transaction and closes an open one to the same address. Sends no email. */
export function openInvitation(ctx: Context, { userId }: Owner, wanted: Wanted): InvitationRow {
  assertInvitable(ctx, wanted)
  const { email, firstName, lastName, tierSlug, priceId = null, freeMonths } = wanted
  closeOpen(ctx, email)
  const sentAt = ctx.now().toISOString()
  const row = {
    id: wanted.id ?? ctx.newId(),
    email,
    firstName,
    lastName,
    tierSlug,
    tierPriceId: priceId,
    freeMonths,
    sentAt,
    closedAt: null,
    invitedBy: userId,
    expiresAt: expiryOf(ctx),
  }
  insertRow(ctx, memberInvitations, row)
  return row
}

const expiryOf = (ctx: Context) => new Date(ctx.now().getTime() + invitationDays * dayMs).toISOString()

function closeOpen(ctx: Context, email: string): void {
  ctx.db
    .update(memberInvitations)
    .set({ closedAt: ctx.now().toISOString() })
    .where(and(eq(memberInvitations.email, email), isNull(memberInvitations.closedAt)))
    .run()
}

/** Invites anyone, with or without an account. Sent again with the same `id`, it changes and mails nothing. */
export function inviteMember(ctx: Context, owner: Owner, wanted: Wanted): MemberInvitation {
  const known = wanted.id === undefined ? undefined : findOpenInvitation(ctx, wanted.id)
  if (known !== undefined) return shown(ctx, known)
  return transact(ctx, () => {
    const row = openInvitation(ctx, owner, wanted)
    mail(ctx, row)
    const invitation = shown(ctx, row)
    const { tierSlug, every, freeMonths } = invitation
    const detail = { tierSlug, ...(every === null ? {} : { every }), freeMonths }
    audit(ctx, owner.actor, 'member.invited', { targetId: row.id, detail })
    return invitation
  })
}

/** Mails it again, with a new fortnight. */
export function resendInvitation(ctx: Context, owner: Owner, id: string): MemberInvitation {
  return transact(ctx, () => {
    const row = findOpenInvitation(ctx, id)
    if (row === undefined) throw notFound('This invitation')
    assertInvitable(ctx, wantedOf(row))
    const sent = { sentAt: ctx.now().toISOString(), expiresAt: expiryOf(ctx) }
    ctx.db.update(memberInvitations).set(sent).where(eq(memberInvitations.id, id)).run()
    const renewed = { ...row, ...sent }
    mail(ctx, renewed)
    audit(ctx, owner.actor, 'member.invited', { targetId: id, detail: { tierSlug: row.tierSlug, isAgain: true } })
    return shown(ctx, renewed)
  })
}

export function withdrawInvitation(ctx: Context, owner: Owner, id: string): MemberInvitation {
  return transact(ctx, () => {
    const row = findOpenInvitation(ctx, id)
    if (row === undefined) throw notFound('This invitation')
    const taken = { closedAt: ctx.now().toISOString() }
    ctx.db.update(memberInvitations).set(taken).where(eq(memberInvitations.id, id)).run()
    audit(ctx, owner.actor, 'member.uninvited', { targetId: id })
    return shown(ctx, row)
  })
}

export function listInvitations(ctx: Context): MemberInvitation[] {
  const tierWith = tiersBySlug(ctx)
  return listOpenInvitations(ctx).map((row) => onWire(ctx, row, tierWith(row.tierSlug)))
}

function shown(ctx: Context, row: InvitationRow): MemberInvitation {
  const by = row.invitedBy && ctx.db.select().from(users).where(eq(users.id, row.invitedBy)).get()
  return onWire(ctx, { ...row, invitedBy: by ? by.email : null }, knownTier(ctx, row.tierSlug))
}

function onWire(ctx: Context, row: InvitationRow, tier: Tier | undefined): MemberInvitation {
  const { closedAt: _, tierPriceId: priceId, ...invitation } = row
  const every = tier?.prices.find(({ id }) => id === priceId)?.every ?? null
  return { ...invitation, priceId, every, url: urlOf(ctx, row) }
}

type Told = Pick<Wanted, 'firstName' | 'tierSlug' | 'priceId' | 'freeMonths'>

export function messageOf(ctx: Context, wanted: Told, to: Link) {
  const { firstName, priceId, freeMonths } = wanted
  const tier = knownTier(ctx, wanted.tierSlug)
  const lastDay = londonDay(new Date(to.expires))
  const prices = offeredAt(tier, priceId).map(({ every, net, nextPrice: next }) => ({
    every,
    net,
    next: next !== null && next.from <= lastDay ? next : null,
  }))
  return invitationMail({ firstName, tier: { name: tier.name, prices }, freeMonths, ...to })
}

/** A row as it was asked for. */
export const wantedOf = ({ tierPriceId, ...row }: InvitationRow) => ({ ...row, priceId: tierPriceId ?? undefined })

type Link = { url: string; expires: string }

/** `id` names the link's row, but is left out of links that show how one will look. */
export function previewInvitation(ctx: Context, wanted: Wanted): MemberInvitationPreview {
  assertInvitable(ctx, wanted)
  const url = `${ctx.settings.publicUrl}/membership-application`
  const { subject, heading, blocks } = messageOf(ctx, wanted, { url, expires: expiryOf(ctx) })
  const lines = blocks.map((block) =>
    block.kind === 'text' ? block.text : block.kind === 'button' ? `[ ${block.label} ]` : '',
  )
  return { subject, text: [heading, ...lines].filter(Boolean).join('\n\n') }
}

function mail(ctx: Context, row: InvitationRow): void {
  const message = messageOf(ctx, wantedOf(row), { url: urlOf(ctx, row), expires: row.expiresAt })
  queueMessage(
    ctx,
    { cause: `member-invitation:${row.id}:${row.sentAt}`, to: row.email, userId: null, isRepeatable: true },
    message,
  )
}

const Signed = v.object({ ...v.omit(Invitation, ['tier', 'priceId']).entries, id: v.optional(Id), expires: Instant })

const signatureOf = (ctx: Context, body: string) => keyedHash(ctx, 'invitation', body)

/** The signed link opens the join at its tier, without a session or a fixed price. */
export function urlOf(ctx: Context, row: Omit<InvitationRow, 'closedAt' | 'invitedBy'>): string {
  const { id, email, firstName, lastName, tierSlug, freeMonths, expiresAt: expires } = row
  const said: v.InferOutput<typeof Signed> = { id, email, firstName, lastName, tierSlug, freeMonths, expires }
  const body = Buffer.from(JSON.stringify(said)).toString('base64url')
  return `${ctx.settings.publicUrl}/membership-application?invitation=${body}.${signatureOf(ctx, body)}`
}

/** Throws if the signature is wrong, or the link has run out or was cancelled. */
export function readInvitationLink(ctx: Context, link: string): Invitation {
  const [body = '', signature = ''] = link.split('.')
  if (!isSameSecret(signatureOf(ctx, body), signature)) throw invalidInvitation()
  const { expires, id, ...invitation } = v.parse(Signed, JSON.parse(Buffer.from(body, 'base64url').toString()))
  const row = id === undefined ? undefined : findOpenInvitation(ctx, id)
  const isOver = id === undefined ? Date.parse(expires) <= ctx.now().getTime() : row === undefined
  const tier = tierBySlug(ctx, invitation.tierSlug)
  if (isOver || tier === undefined) throw invalidInvitation()
  if (!isOnSale(tier))
    throw new AppError('conflict', `We don’t sell ${tier.name} at the moment. Ask us, or join on another tier.`)
  return { ...invitation, priceId: row?.tierPriceId ?? null, tier: toWire(tier) }
}

const invalidInvitation = () => new AppError('invalid_link', 'This invitation is invalid or has expired.')

export const isInvitedTo = (ctx: Context, email: string, tierSlug: string): boolean =>
  openInvitationTo(ctx, email)?.tierSlug === tierSlug

/** The first payment's day for someone invited with free months who joins at the tier they were invited to; null if it's today. */
export function firstPaymentOf(ctx: Context, email: string, tierSlug: string): string | null {
  const row = openInvitationTo(ctx, email)
  if (row === undefined || row.tierSlug !== tierSlug || row.freeMonths === 0) return null
  return londonDay(addMonths(`${londonDay(ctx.billingNow())}T12:00:00.000Z`, row.freeMonths))
}
