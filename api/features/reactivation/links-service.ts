import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { findLastPayment, findObstacle, findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { Day, Email, Instant } from '#shared/contract/fields.ts'
import {
  namelessMember,
  type ReactivationLink,
  type ReactivationLinkQuery,
  type ReactivationLinkRequest,
} from '#shared/contract/reactivation.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from '#shared/rules/london.ts'

/** A signed link's contents. `name` is null if it names no one. */
export type Invitation = { email: string; lastPayment: string | null; name: string | null }

/** Creates a link for one address. Anyone who opens it sees that address's offer, but can't access its account. */
export function makeReactivationLink(ctx: Context, owner: Owner, request: ReactivationLinkRequest): ReactivationLink {
  const { email, expiresInDays } = request
  const { lastPayment = lastPaymentDay(ctx, email), name = findUserByEmail(ctx, email)?.firstName ?? '' } = request
  assertNotOwner(ctx, email)
  if (lastPayment > londonDay(ctx.billingNow())) {
    const sentence = 'The last payment can’t be after today.'
    throw new AppError('invalid', sentence, { fields: { lastPayment: sentence } })
  }
  const { url, expires } = signLink(ctx, { email, lastPayment, name, expiresInDays })
  audit(ctx, owner.actor, 'reactivation.link', { detail: { email, lastPayment, expires } })
  return { url, expires, obstacle: findObstacle(ctx, email) }
}

type Unsigned = { email: string; lastPayment: string; name: string; expiresInDays: number }

function signLink(ctx: Context, { expiresInDays, ...about }: Unsigned): { url: string; expires: string } {
  const expires = new Date(ctx.now().getTime() + expiresInDays * dayMs).toISOString()
  const said = { ...about, expires }
  const signed = { ...said, signature: signatureOf(ctx, said) }
  const query = new URLSearchParams(Object.entries(signed).filter(([, value]) => value !== ''))
  return { url: `${ctx.settings.publicUrl}/reactivate-delayed?${query}`, expires }
}

/** The link in an automatic mail to a former member. */
export const linkBack = (ctx: Context, { email, firstName }: { email: string; firstName: string | null }): string =>
  signLink(ctx, { email, name: firstName ?? '', lastPayment: lastPaymentDay(ctx, email), expiresInDays: 30 }).url

function lastPaymentDay(ctx: Context, email: string): string {
  const known = findLastPayment(ctx, email)
  return known === null ? '' : londonDay(new Date(known))
}

function assertNotOwner({ settings }: Context, email: string): void {
  if (!settings.ownerEmails.includes(email) && settings.simpleAdminEmail !== email) return
  const sentence = 'This is an owner’s address.'
  throw new AppError('invalid', sentence, { fields: { email: sentence } })
}

/** A missing name and the placeholder for one have the same signature. */
function signatureOf(ctx: Context, { email, lastPayment, name, expires }: Omit<ReactivationLinkQuery, 'signature'>) {
  const parts = [email, lastPayment, name === namelessMember ? '' : name, expires]
  return keyedHash(ctx, 'reactivation-link', JSON.stringify(parts))
}

/** Throws if the signature is wrong or the link has expired. */
export function readInvitation(ctx: Context, query: ReactivationLinkQuery): Invitation {
  const email = v.safeParse(Email, query.email)
  const said = { ...query, email: email.success ? email.output : '' }
  const isOurs = email.success && isSameSecret(signatureOf(ctx, said), query.signature) && v.is(Instant, query.expires)
  if (!isOurs || Date.parse(query.expires) <= ctx.now().getTime()) throw invalidLink()
  return {
    email: email.output,
    lastPayment: v.is(Day, query.lastPayment) ? query.lastPayment : null,
    name: query.name === '' || query.name === namelessMember ? null : query.name,
  }
}

export const invalidLink = () => new AppError('invalid_link', 'This reactivation link is invalid or has expired.')
