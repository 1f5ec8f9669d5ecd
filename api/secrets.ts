import { insertIfAbsent } from './db/insert.ts'
import type { HasDb } from './db/query.ts'
import { settings } from './db/schema/system.ts'
import { readSetting } from './db/stored-settings.ts'

/** 256 random bits for a cookie, a link or a token. */
export const newToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

/** What we store instead of a token or an address. It's keyed, so a copy of the database alone is no use to an attacker. */
export function keyedHash(ctx: { secret: string }, purpose: string, value: string): string {
  return new Bun.CryptoHasher('sha256', ctx.secret).update(`${purpose}\0${value}`).digest('base64url')
}

/** Compares in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && crypto.timingSafeEqual(left, right)
}

const sessionSecretKey = 'session_secret'

/** SESSION_SECRET may be empty outside production. We then make one and keep it in the database, so a restart logs no one out. */
export function getOrCreateSessionSecret(ctx: HasDb, now: () => Date): string {
  const stored = () => readSetting(ctx, sessionSecretKey)?.value
  if (stored() === undefined) {
    insertIfAbsent(ctx, settings, { key: sessionSecretKey, value: newToken(), updatedAt: now().toISOString() })
  }
  return String(stored())
}
