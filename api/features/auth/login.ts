import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { countHit, type Limit, refuseOverLimit } from '#api/http/limits.ts'
import { type Person, personById } from '#api/http/session.ts'
import { deviceCookie } from '#api/http/session-cookies.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import type { LoginRequest } from '#shared/contract/auth.ts'
import { isRightPassword } from './passwords.ts'

const windowMs = 15 * 60_000

/** Where a login comes from: `device` is the token of the cookie of a browser that logged in before. */
export type Caller = { address: string; device: string | undefined }

const deviceHash = (ctx: Context, token: string) => keyedHash(ctx, 'device', token)

const tooMany = 'Too many wrong tries. Wait a while, or set a new password by the link below the form.'

/**
 * Checks e-mail and password. Wrong ones are counted: 10 in 15 minutes per account and address, 50 per account, 60 per
 * address; a known device has its own 10 and skips the rest, so that a stranger's guesses lock no member out.
 */
export async function checkLogin(ctx: Context, { email, password }: LoginRequest, caller: Caller): Promise<Person> {
  const user = accountOf(ctx, email)
  const limits = limitsFor(ctx, user?.id ?? null, { email, caller })
  refuseOverLimit(ctx, limits, tooMany)
  const isRight = await isRightPassword(password, user?.passwordHash ?? null)
  // Guesses sent all at once were let in together: those that come out last learn nothing.
  refuseOverLimit(ctx, limits, tooMany)
  // Nor does a password count that was changed in the meantime.
  const isStill = accountOf(ctx, email)?.passwordHash === user?.passwordHash
  const person = isRight && isStill && user ? personById(ctx, user.id) : null
  if (person === null) {
    for (const limit of limits) countHit(ctx, limit)
    throw new AppError('invalid_credentials', 'That e-mail and password do not match. Please check both and try again.')
  }
  return person
}

const accountOf = (ctx: Context, email: string) =>
  ctx.sqlite
    .prepare<[string], { id: string; passwordHash: string | null }>(
      'select id, passwordHash from users where email = ?',
    )
    .get(email)

function limitsFor(ctx: Context, userId: string | null, { email, caller }: { email: string; caller: Caller }): Limit[] {
  if (userId !== null && caller.device !== undefined && isKnownDevice(ctx, userId, caller.device)) {
    return [{ name: 'login-device', key: `${caller.device}\0${email}`, max: 10, windowMs }]
  }
  return [
    { name: 'login-account-address', key: `${email}\0${caller.address}`, max: 10, windowMs },
    { name: 'login-account', key: email, max: 50, windowMs },
    { name: 'login-address', key: caller.address, max: 60, windowMs },
  ]
}

function isKnownDevice(ctx: Context, userId: string, token: string): boolean {
  return (
    ctx.sqlite
      .prepare('select 1 from known_devices where tokenHash = ? and userId = ?')
      .get(deviceHash(ctx, token), userId) !== undefined
  )
}

/** Remembers this browser for the account; its cookie stays when he logs out. A token that we never gave is not taken up. */
export function rememberDevice(ctx: Context, userId: string, device: string | undefined): string {
  const isOurs =
    device !== undefined &&
    ctx.sqlite.prepare('select 1 from known_devices where tokenHash = ?').get(deviceHash(ctx, device)) !== undefined
  const token = isOurs ? device : newToken()
  ctx.sqlite
    .prepare('insert into known_devices (tokenHash, userId, createdAt) values (?, ?, ?) on conflict do nothing')
    .run(deviceHash(ctx, token), userId, ctx.now().toISOString())
  return deviceCookie(ctx, token)
}
