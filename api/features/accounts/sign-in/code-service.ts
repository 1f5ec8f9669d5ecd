import { and, eq, lt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { signInCodes } from '#api/db/schema/sign-in.ts'
import { AppError } from '#api/errors.ts'
import { auditFailure, auditRequest } from '#api/features/accounts/login/audit-service.ts'
import { isSignInMailPaused } from '#api/features/accounts/login/link-service.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { type Person, personById } from '#api/identity/person.ts'
import { isSameSecret, keyedHash, newToken } from '#api/secrets.ts'
import { assertWithinLimits, loginLimitsOf, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { queueCodeMail } from './mails.ts'

/** How long a mailed code is valid, in minutes, and how many wrong attempts it allows. */
export const codeMinutes = 10
const mostTries = 5

const accountOf = (ctx: Context, email: string) => keyedHash(ctx, 'code-account', email)
const browserOf = (ctx: Context, token: string) => keyedHash(ctx, 'code-browser', token)
const hashOf = (ctx: Context, id: string, code: string) => keyedHash(ctx, 'sign-in-code', `${id}\0${code}`)

/** Draws again in the uneven rest, so that no code is likelier than another. */
function drawCode(): string {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn < 4_294_000_000 ? String(drawn % 1_000_000).padStart(6, '0') : drawCode()
}

type Asking = { email: string; address: string; browser: string | undefined }

/**
 * Writes the same for an unknown address, so that neither response nor timing reveals it. Owners get a mail saying codes aren't for
 * them. Returns the token for the browser's cookie.
 */
export function askForCode(ctx: Context, { email, address, browser: former }: Asking): string {
  return transact(ctx, () => {
    const limits = [rateLimits.codesFromAddress(email, address), rateLimits.codesToAccount(email)]
    const tooMany = 'You’ve asked for too many codes. Use your password, or try again in an hour.'
    assertWithinLimits(ctx, limits, tooMany)
    for (const limit of limits) recordHit(ctx, limit)
    const user = findAccount(ctx, email)
    const [id, token, code] = [ctx.newId(), newToken(), drawCode()]
    const now = ctx.now()
    const expiresAt = new Date(now.getTime() + codeMinutes * 60_000).toISOString()
    if (former !== undefined) {
      const isReplaced = eq(signInCodes.browser, browserOf(ctx, former))
      ctx.db.delete(signInCodes).where(isReplaced).run()
    }
    const account = accountOf(ctx, email)
    const row = { id, account, browser: browserOf(ctx, token), code: hashOf(ctx, id, code), expiresAt }
    insertRow(ctx, signInCodes, row)
    auditRequest(ctx, 'auth.code_asked', { userId: user?.id ?? null, account: user?.id ?? null, address, email })
    const userId = isSignInMailPaused(ctx, user?.id ?? '') ? null : (user?.id ?? null)
    queueCodeMail(ctx, {
      cause: `sign-in-code:${id}`,
      to: email,
      userId,
      code: user?.isAdmin ? null : code,
      minutes: codeMinutes,
      lapsesAt: expiresAt,
    })
    return token
  })
}

type Typed = { email: string; code: string; address: string; browser: string | undefined }

/** Returns the person whose code it is, and uses it up. Counts each attempt before checking it. */
export function redeemCode(ctx: Context, { email, code, address, browser }: Typed): Person {
  const person = transact(ctx, () => {
    const limits = loginLimitsOf(address)
    assertWithinLimits(ctx, limits, 'Too many attempts. Wait 15 minutes.')
    const found = findPerson(ctx, { email, code, browser })
    if (found === null) {
      for (const limit of limits) recordHit(ctx, limit)
      auditFailure(ctx, 'auth.failed', { userId: findAccount(ctx, email)?.id ?? null, address, email })
    }
    return found
  })
  if (person !== null) return person
  const why = 'That code’s wrong or too old. Use the newest email or ask for another code.'
  throw new AppError('invalid_credentials', why, { fields: { code: why } })
}

function findPerson(ctx: Context, { email, code, browser }: Omit<Typed, 'address'>): Person | null {
  if (browser === undefined) return null
  const row = ctx.db
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(
      and(
        eq(signInCodes.browser, browserOf(ctx, browser)),
        eq(signInCodes.account, accountOf(ctx, email)),
        lt(signInCodes.tries, mostTries),
      ),
    )
    .returning()
    .get()
  if (row === undefined || row.expiresAt <= ctx.now().toISOString()) return null
  if (!isSameSecret(row.code, hashOf(ctx, row.id, code))) return null
  ctx.db.delete(signInCodes).where(eq(signInCodes.id, row.id)).run()
  const user = findAccount(ctx, email)
  return user === undefined || user.isAdmin ? null : personById(ctx, user.id)
}

export function revokeCodes(ctx: Context, email: string): void {
  ctx.db
    .delete(signInCodes)
    .where(eq(signInCodes.account, accountOf(ctx, email)))
    .run()
}
