import { and, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { limitHits } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import { keyedHash } from '#api/secrets.ts'
import { customerNetwork } from './client-address.ts'

export type Limit = {
  /** What is counted, such as `login-address`. */
  name: string
  /** Whose hits are counted together; stored as a keyed hash. */
  key: string
  max: number
  windowMs: number
}

const hour = 60 * 60_000
const loginWindow = 15 * 60_000
const longestWindow = 24 * hour

/** Every limit there is. `address` is the client's network address. */
export const rateLimits = {
  /** Wrong passwords; `device` may be a login that is open, in which the password is given again. */
  loginFromDevice: (email: string, device: string) =>
    toLimit('login-device', `${device}\0${email}`, { max: 10, windowMs: loginWindow }),
  loginFromAddress: (email: string, address: string) =>
    toLimit('login-account-address', `${email}\0${address}`, { max: 10, windowMs: loginWindow }),
  loginToAccount: (email: string) => toLimit('login-account', email, { max: 50, windowMs: loginWindow }),
  anyLoginFromAddress: (address: string) => toLimit('login-address', address, { max: 60, windowMs: loginWindow }),
  /** Right ones, by whichever way in, and proofs: each writes rows. More than a family, a van and an office together have. */
  logins: (userId: string) => toLimit('login-right', userId, { max: 60, windowMs: loginWindow }),
  /** Wrong codes of an owner's second factor, after the right password. */
  factorTries: (userId: string) => toLimit('second-factor', userId, { max: 10, windowMs: loginWindow }),
  /** New passkeys that were refused: what a device sends is read and checked, which takes time. */
  newPasskeys: (userId: string) => toLimit('passkey-new', userId, { max: 10, windowMs: hour }),
  /** Sign-in codes by mail, asked for by anybody. */
  codesFromAddress: (email: string, address: string) =>
    toLimit('code-account-address', `${email}\0${address}`, { max: 5, windowMs: hour }),
  codesToAccount: (email: string) => toLimit('code-account', email, { max: 20, windowMs: hour }),
  /** Setting a first password, which hashes. */
  passwordSets: (userId: string) => toLimit('password-set', userId, { max: 10, windowMs: hour }),
  /** Mails to confirm a new address: of a member, and to an address that need not be their own. */
  emailChanges: (userId: string) => toLimit('email-change', userId, { max: 5, windowMs: hour }),
  emailChangeMails: (email: string) => toLimit('email-change-to', email, { max: 5, windowMs: hour }),
  /** Copies of everything about a member. */
  archives: (userId: string) => toLimit('archive', userId, { max: 3, windowMs: 24 * hour }),
  /** Photos of themselves, each of which is drawn anew. */
  photos: (userId: string) => toLimit('photo', userId, { max: 30, windowMs: 24 * hour }),
  /**
   * Entries in the audit that anybody can cause: failed logins, and what else is asked for. Each kind, and each account, for
   * itself; null for all that is typed and is nobody's. So a flood of one hides no other.
   */
  auditedFailures: (action: string, userId: string | null) =>
    toLimit('audited-failures', `${action}\0${userId ?? ''}`, { max: 1000, windowMs: hour }),
  auditedRequests: (action: string, userId: string | null) =>
    toLimit('audited-requests', `${action}\0${userId ?? ''}`, { max: 1000, windowMs: hour }),
  /** Each use of a form that anybody can send. */
  publicForm: (form: string, address: string) => toLimit(`form-${form}`, address, { max: 60, windowMs: hour }),
  /** The same from all networks of one IPv6 customer, who may have 65,536. Some are a firm, or many phones of one provider. */
  publicFormFromNetwork: (form: string, network: string) =>
    toLimit(`form-network-${form}`, network, { max: 300, windowMs: hour }),
  /** Requests of a person that are passed on to the payment provider; a page that polls after a payment has its own. */
  providerCallsOfPerson: (userId: string) => toLimit('provider-person', userId, { max: 60, windowMs: hour }),
  providerCallsFromAddress: (address: string) => toLimit('provider-address', address, { max: 300, windowMs: hour }),
  providerPolls: (userId: string) => toLimit('provider-poll', userId, { max: 240, windowMs: hour }),
  /** The join tells whether an address has an account: how many a network learns of, and how often one is asked about. */
  knownAddresses: (network: string) => toLimit('known-addresses', network, { max: 10, windowMs: hour }),
  addressChecks: (email: string) => toLimit('address-checks', email, { max: 3, windowMs: 24 * hour }),
  /** Mails that anybody can have sent to an address, which need not be their own. */
  resetMails: (email: string) => toLimit('forgot-email', email, { max: 5, windowMs: hour }),
  joinLinkMails: (email: string) => toLimit('join-link-email', email, { max: 5, windowMs: hour }),
  enquiryReceipts: (email: string) => toLimit('enquiry-received', email, { max: 5, windowMs: hour }),
  /** Looking up an order by the secret of its payment: those that were wrong, and all of them, each a request to the provider. */
  wrongOrderSecrets: (address: string) => toLimit('quotient-payment-state', address, { max: 60, windowMs: hour }),
  orderLookups: (address: string) => toLimit('quotient-payment-look', address, { max: 240, windowMs: hour }),
}

const toLimit = (name: string, key: string, size: { max: number; windowMs: number }): Limit => ({ name, key, ...size })

/** Whether another hit of each would be allowed. */
export const isWithinLimits = (ctx: Context, limits: readonly Limit[]): boolean =>
  limits.every((limit) => secondsUntilAllowed(ctx, limit) === null)

/** Refuses with 429 while any of the limits is used up. */
export function assertWithinLimits(ctx: Context, limits: readonly Limit[], message: string): void {
  const waits = limits.map((limit) => secondsUntilAllowed(ctx, limit) ?? 0)
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter > 0) throw new AppError('rate_limited', message, { retryAfter })
}

/** Counts each use of a public form, and refuses those over a limit: of the address, and of the customer who has its network. */
export function limitPublicForm(ctx: Context, form: string, address: string): void {
  const network = customerNetwork(address)
  const ofAll = network === address ? [] : [rateLimits.publicFormFromNetwork(form, network)]
  const message = 'You’ve sent this too many times. Try again in an hour.'
  recordHitsInAdvance(ctx, [rateLimits.publicForm(form, address), ...ofAll], message)
}

/** Counts a request that is passed on to the payment provider, and refuses a person or an address over its limit. */
export function limitProviderCalls(
  ctx: Context,
  { person, address }: { person: { id: string }; address: string },
): void {
  const limits = [rateLimits.providerCallsOfPerson(person.id), rateLimits.providerCallsFromAddress(address)]
  recordHitsInAdvance(ctx, limits, 'You’ve made too many changes. Try again in an hour.')
}

/** Counts a hit, unless the limit is used up. Returns whether it was counted. */
export function recordHitIfAllowed(ctx: Context, limit: Limit): boolean {
  const isAllowed = secondsUntilAllowed(ctx, limit) === null
  if (isAllowed) recordHit(ctx, limit)
  return isAllowed
}

/**
 * Counts a hit of every limit before the work that it allows, so that requests which are sent all at once do not pass
 * together. The hits are returned to be taken back where the work succeeds. Refuses with 429 while any is used up.
 */
export function recordHitsInAdvance(ctx: Context, limits: readonly Limit[], message: string): number[] {
  return transact(ctx, () => {
    assertWithinLimits(ctx, limits, message)
    return limits.flatMap((limit) => recordHit(ctx, limit))
  })
}

export function takeBackHits(ctx: Context, hits: readonly number[]): void {
  ctx.db
    .delete(limitHits)
    .where(inArray(limitHits.seq, [...hits]))
    .run()
}

/** In the transaction of what shows that the person these limits are about is here: nothing was counted against them. */
export function forgetHits(ctx: Context, limits: readonly Limit[]): void {
  const buckets = limits.map((limit) => bucketOf(ctx, limit))
  ctx.db.delete(limitHits).where(inArray(limitHits.bucket, buckets)).run()
}

/**
 * Windows slide: each hit counts until it is as old as the window. `rate-limiter-flexible` was weighed: its windows are fixed,
 * so that twice the limit passes around their edge, it goes by the machine's clock, and its SQLite store is asynchronous,
 * while our hits are counted in the transaction of what they allow.
 */
export function recordHit(ctx: Context, limit: Limit): number[] {
  const added = addHit.all(ctx, { bucket: bucketOf(ctx, limit), at: ctx.now().toISOString() })
  return added.map(({ seq }) => seq)
}

const addHit = preparedQuery<{ bucket: string; at: string }>()((db, { bucket, at }) =>
  db.insert(limitHits).values({ bucket, at }).returning({ seq: limitHits.seq }),
)

const bucketOf = (ctx: Context, limit: Limit) => `${limit.name}:${keyedHash(ctx, 'limit', limit.key)}`

/**
 * The hit that must leave the window before another is allowed; there is none while fewer were counted. One in the future
 * is from before the clock was set back, and would never leave it.
 */
const decidingHit = preparedQuery<{ bucket: string; since: string; until: string; offset: number }>()(
  (db, { bucket, since, until, offset }) =>
    db
      .select({ at: limitHits.at })
      .from(limitHits)
      .where(and(eq(limitHits.bucket, bucket), gt(limitHits.at, since), lte(limitHits.at, until)))
      .orderBy(desc(limitHits.at))
      .limit(1)
      .offset(offset),
)

/** Null while another hit is allowed. At least 60, so that no client is told to ask every second. */
function secondsUntilAllowed(ctx: Context, limit: Limit): number | null {
  const now = ctx.now().getTime()
  const since = new Date(now - limit.windowMs).toISOString()
  const until = new Date(now).toISOString()
  const deciding = decidingHit.get(ctx, { bucket: bucketOf(ctx, limit), since, until, offset: limit.max - 1 })
  if (deciding === undefined) return null
  return Math.max(60, Math.ceil((Date.parse(deciding.at) + limit.windowMs - now) / 1000))
}

/** Deletes hits that are older than any window. Returns how many. */
export function deleteOldHits(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - longestWindow).toISOString()
  return ctx.db.delete(limitHits).where(lt(limitHits.at, before)).run().changes
}
