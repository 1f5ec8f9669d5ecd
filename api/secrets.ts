import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for a cookie, a link or a token. */
export const newToken = () => randomBytes(32).toString('base64url')

/** What is stored of a token or an address: keyed, so that a copy of the database alone opens nothing. */
export function keyedHash(ctx: { secret: string }, purpose: string, value: string): string {
  return createHmac('sha256', ctx.secret).update(`${purpose}\0${value}`).digest('base64url')
}

/** Takes the same time wherever the two differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
