import { and, desc, eq, gt, inArray, lt, lte } from 'drizzle-orm'
import { type Context, perContext } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { limitHits } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import { customerNetwork } from '#api/network-address.ts'
import { keyedHash } from '#api/secrets.ts'

export type Limit = {
  /** What's counted, such as `login-address`. */
  name: string
  /** Hits with the same key count together. Stored as a keyed hash. */
  key: string
  max: number
  windowMs: number
}

const hour = 60 * 60_000
const loginWindow = 15 * 60_000
const longestWindow = 24 * hour

/** All rate limits. `address` is the client's network address. */
export const rateLimits = {
  /** Wrong passwords. `device` may be a login that re-enters the password. */
  loginFromDevice: (email: string, device: string) =>
    toLimit('login-device', `${device}\0${email}`, { max: 10, windowMs: loginWindow }),
  loginFromAddress: (email: string, address: string) =>
    toLimit('login-account-address', `${email}\0${address}`, { max: 10, windowMs: loginWindow }),
  loginToAccount: (email: string) => toLimit('login-account', email, { max: 50, windowMs: loginWindow }),
  anyLoginFromAddress: (address: string) => toLimit('login-address', address, { max: 60, windowMs: loginWindow }),
  /** Wrong passwords from all networks of an IPv6 customer, as for public forms. */
  anyLoginFromNetwork: (network: string) => toLimit('login-network', network, { max: 300, windowMs: loginWindow }),
  /** Successful logins of any kind and password checks, since each writes rows. More than a family, a phone and an office need. */
  logins: (userId: string) => toLimit('login-right', userId, { max: 60, windowMs: loginWindow }),
  /** Wrong two-step codes of an owner, after the right password. */
  factorTries: (userId: string) => toLimit('second-factor', userId, { max: 10, windowMs: loginWindow }),
  /** Rejected new passkeys, because checking what a device sends takes time. */
  newPasskeys: (userId: string) => toLimit('passkey-new', userId, { max: 10, windowMs: hour }),
  /** Login codes by email, which anyone can request. */
  codesFromAddress: (email: string, address: string) =>
    toLimit('code-account-address', `${email}\0${address}`, { max: 5, windowMs: hour }),
  codesToAccount: (email: string) => toLimit('code-account', email, { max: 20, windowMs: hour }),
  /** Setting a first password, which costs a hash. */
  passwordSets: (userId: string) => toLimit('password-set', userId, { max: 10, windowMs: hour }),
  /** Emails to confirm a new address, which needn't be the member's own. */
  emailChanges: (userId: string) => toLimit('email-change', userId, { max: 5, windowMs: hour }),
  emailChangeMails: (email: string) => toLimit('email-change-to', email, { max: 5, windowMs: hour }),
  testNotices: (userId: string) => toLimit('test-notice', userId, { max: 20, windowMs: hour }),
  archives: (userId: string) => toLimit('archive', userId, { max: 3, windowMs: 24 * hour }),
  /** Profile photos, because we re-encode each one. */
  photos: (userId: string) => toLimit('photo', userId, { max: 30, windowMs: 24 * hour }),
  /** Questions and what's added to them. A phone sends what it keeps again after a restore: a month of them. */
  questionTexts: (userId: string) => toLimit('question-text', userId, { max: 200, windowMs: hour }),
  /** Photos and voice notes, which take up to 2 MB of the disk each. */
  questionFiles: (userId: string) => toLimit('question-file', userId, { max: 300, windowMs: 24 * hour }),
  /** Audit entries anyone can cause, per kind and account, so a flood of one doesn't hide others. Null if no account matches. */
  auditedFailures: (action: string, userId: string | null) =>
    toLimit('audited-failures', `${action}\0${userId ?? ''}`, { max: 1000, windowMs: hour }),
  auditedRequests: (action: string, userId: string | null) =>
    toLimit('audited-requests', `${action}\0${userId ?? ''}`, { max: 1000, windowMs: hour }),
  publicForm: (form: string, address: string) => toLimit(`form-${form}`, address, { max: 60, windowMs: hour }),
  /** Public forms from all networks of an IPv6 customer, who may have 65,536. Some are a firm, or many phones of one provider. */
  publicFormFromNetwork: (form: string, network: string) =>
    toLimit(`form-network-${form}`, network, { max: 300, windowMs: hour }),
  /** A person's requests we pass on to Stripe. Polling after a payment has its own limit. */
  providerCallsOfPerson: (userId: string) => toLimit('provider-person', userId, { max: 60, windowMs: hour }),
  providerCallsFromAddress: (address: string) => toLimit('provider-address', address, { max: 300, windowMs: hour }),
  providerPolls: (userId: string) => toLimit('provider-poll', userId, { max: 240, windowMs: hour }),
  /** Joining reveals whether an address has an account. Limits how many a network can try, and how often one can be tried. */
  knownAddresses: (network: string) => toLimit('known-addresses', network, { max: 10, windowMs: hour }),
  addressChecks: (email: string) => toLimit('address-checks', email, { max: 3, windowMs: 24 * hour }),
  /** Emails anyone can have sent to someone else's address. */
  resetMails: (email: string) => toLimit('forgot-email', email, { max: 5, windowMs: hour }),
  joinLinkMails: (email: string) => toLimit('join-link-email', email, { max: 5, windowMs: hour }),
  enquiryReceipts: (email: string) => toLimit('enquiry-received', email, { max: 5, windowMs: hour }),
  /** Looking up an order by its payment secret: wrong secrets, and all lookups, because each calls Stripe. */
  wrongOrderSecrets: (address: string) => toLimit('quotient-payment-state', address, { max: 60, windowMs: hour }),
  orderLookups: (address: string) => toLimit('quotient-payment-look', address, { max: 240, windowMs: hour }),
}

const toLimit = (name: string, key: string, size: { max: number; windowMs: number }): Limit => ({ name, key, ...size })

export const isWithinLimits = (ctx: Context, limits: readonly Limit[]): boolean =>
  limits.every((limit) => secondsUntilAllowed(ctx, limit) === null)

export function assertWithinLimits(ctx: Context, limits: readonly Limit[], message: string): void {
  const waits = limits.map((limit) => secondsUntilAllowed(ctx, limit) ?? 0)
  const retryAfter = Math.max(0, ...waits)
  if (retryAfter > 0) throw new AppError('rate_limited', message, { retryAfter })
}

/** Counts a submission of a public form, and throws if the address or its customer's network is over the limit. */
export function limitPublicForm(ctx: Context, form: string, address: string): void {
  const network = customerNetwork(address)
  const ofAll = network === address ? [] : [rateLimits.publicFormFromNetwork(form, network)]
  const message = 'You’ve sent this too many times. Try again in an hour.'
  recordHitsInAdvance(ctx, [rateLimits.publicForm(form, address), ...ofAll], message)
}

/** Wrong passwords of an address, and of the network its customer may have. */
export function loginLimitsOf(address: string): Limit[] {
  const network = customerNetwork(address)
  const ofAll = network === address ? [] : [rateLimits.anyLoginFromNetwork(network)]
  return [rateLimits.anyLoginFromAddress(address), ...ofAll]
}

/** Counts a request to Stripe, and throws if the person or address is over the limit. */
export function limitProviderCalls(
  ctx: Context,
  { person, address }: { person: { id: string }; address: string },
): void {
  const limits = [rateLimits.providerCallsOfPerson(person.id), rateLimits.providerCallsFromAddress(address)]
  recordHitsInAdvance(ctx, limits, 'You’ve made too many changes. Try again in an hour.')
}

/** Counts a hit unless the limit is used up. Returns whether it did. */
export function recordHitIfAllowed(ctx: Context, limit: Limit): boolean {
  const isAllowed = secondsUntilAllowed(ctx, limit) === null
  if (isAllowed) recordHit(ctx, limit)
  return isAllowed
}

/**
 * Counts a hit of every limit before the work, so that parallel requests can't all get in. Returns the hits, to be removed if the
 * work succeeds. Throws a 429 if any limit is used up, which a read finds first: a flood mustn't cause a write per request.
 */
export function recordHitsInAdvance(ctx: Context, limits: readonly Limit[], message: string): number[] {
  assertWithinLimits(ctx, limits, message)
  return transact(ctx, () => {
    assertWithinLimits(ctx, limits, message)
    return limits.flatMap((limit) => recordHit(ctx, limit))
  })
}

const reserved = perContext(() => new Map<string, number>())

/**
 * Counts an attempt in this process while it waits for its turn, so that one that's turned away writes nothing. Throws a 429 if any
 * limit is used up. Call what it returns once: before the hits are recorded, or when it's clear that they won't be.
 */
export function reserveHits(ctx: Context, limits: readonly Limit[], message: string): () => void {
  assertWithinLimits(ctx, limits, message)
  const counts = reserved(ctx)
  const buckets = limits.map((limit) => bucketOf(ctx, limit))
  for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
  return () => {
    for (const bucket of buckets.splice(0)) {
      const left = (counts.get(bucket) ?? 1) - 1
      if (left > 0) counts.set(bucket, left)
      else counts.delete(bucket)
    }
  }
}

export function takeBackHits(ctx: Context, hits: readonly number[]): void {
  ctx.db
    .delete(limitHits)
    .where(inArray(limitHits.seq, [...hits]))
    .run()
}

/** Call it in the transaction that proves the person is who they say: their earlier attempts don't count against them. */
export function forgetHits(ctx: Context, limits: readonly Limit[]): void {
  const buckets = limits.map((limit) => bucketOf(ctx, limit))
  ctx.db.delete(limitHits).where(inArray(limitHits.bucket, buckets)).run()
}

/**
 * Sliding windows: each hit counts until it's as old as the window. We considered `rate-limiter-flexible`, but its windows are
 * fixed, so twice the limit gets through around the edge. It uses the machine's clock, and its SQLite store is async, while we
 * count hits in the transaction of what they allow.
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
 * The hit that must expire before another is allowed. None while there are fewer. Hits in the future date from before the clock
 * was set back, and would never expire.
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

/** In seconds, so clients don't retry every second. */
const leastWait = 60

/** Null while another hit is allowed. */
function secondsUntilAllowed(ctx: Context, limit: Limit): number | null {
  const now = ctx.now().getTime()
  const since = new Date(now - limit.windowMs).toISOString()
  const until = new Date(now).toISOString()
  const bucket = bucketOf(ctx, limit)
  const left = limit.max - (reserved(ctx).get(bucket) ?? 0)
  if (left <= 0) return leastWait
  const deciding = decidingHit.get(ctx, { bucket, since, until, offset: left - 1 })
  if (deciding === undefined) return null
  return Math.max(leastWait, Math.ceil((Date.parse(deciding.at) + limit.windowMs - now) / 1000))
}

/** Deletes hits older than any window. Returns how many. */
export function deleteOldHits(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - longestWindow).toISOString()
  return ctx.db.delete(limitHits).where(lt(limitHits.at, before)).run().changes
}
