import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { usedChallenges } from '#api/db/schema/sign-in.ts'
import { isSameSecret, keyedHash, newToken } from '#api/secrets.ts'

const challengeMinutes = 10
export const challengeMs = challengeMinutes * 60_000

/** `sign-in` is for anyone with a passkey; a new passkey is for one account only. */
export type ChallengeFor = 'sign-in' | `new:${string}`

const sealChallenge = (ctx: Context, purpose: ChallengeFor, rest: string) =>
  keyedHash(ctx, 'passkey-challenge', `${purpose}\0${rest}`)

/** Carries its expiry and our seal, so showing the login page writes nothing. Only answered challenges are stored. */
export function makeChallenge(ctx: Context, purpose: ChallengeFor): string {
  const rest = `${newToken()}.${ctx.now().getTime() + challengeMs}`
  return `${rest}.${sealChallenge(ctx, purpose, rest)}`
}

/** `encoded` is as the browser returned it. */
export function isOwnChallenge(ctx: Context, purpose: ChallengeFor, encoded: string): boolean {
  const [nonce = '', end = '', given = ''] = decode(encoded).split('.')
  return isSameSecret(given, sealChallenge(ctx, purpose, `${nonce}.${end}`)) && Number(end) > ctx.now().getTime()
}

/** Call it in the caller's transaction. False if it was already answered. */
export function spendChallenge(ctx: Context, encoded: string): boolean {
  const challenge = decode(encoded)
  const expiresAt = new Date(Number(challenge.split('.')[1])).toISOString()
  return insertIfAbsent(ctx, usedChallenges, { challenge: keyedHash(ctx, 'used-challenge', challenge), expiresAt })
}

const decode = (encoded: string) => Buffer.from(encoded, 'base64url').toString()
