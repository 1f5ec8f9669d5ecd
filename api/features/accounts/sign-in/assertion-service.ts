import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { passkeys } from '#api/db/schema/sign-in.ts'
import { AppError } from '#api/errors.ts'
import { auditFailure } from '#api/features/accounts/login/audit-service.ts'
import { type Person, personById } from '#api/identity/person.ts'
import { loginLimitsOf, recordHitsInAdvance, takeBackHits } from '#api/serving/rate-limits.ts'
import { ownOrigins } from '#api/settings.ts'
import { type PasskeyAnswer, PasskeyQuestion } from '#shared/contract/sign-in.ts'
import { challengeMs, isOwnChallenge, makeChallenge, spendChallenge } from './challenge-service.ts'
import { keyHost, webauthn } from './passkey-service.ts'

/** Any passkey for this site. The device knows which it has, and our question reveals no account. */
export const askWithPasskey = (ctx: Context): PasskeyQuestion =>
  v.parse(PasskeyQuestion, {
    challenge: Buffer.from(makeChallenge(ctx, 'sign-in')).toString('base64url'),
    rpId: keyHost(ctx),
    timeout: challengeMs,
    userVerification: 'required',
  })

type Key = typeof passkeys.$inferSelect

/** The device checked a finger, face or code, so a passkey counts as two factors. A falling counter means a copied key. */
export async function personOfPasskey(ctx: Context, answer: PasskeyAnswer, address: string): Promise<Person> {
  const limits = loginLimitsOf(address)
  const hits = recordHitsInAdvance(ctx, limits, 'Too many attempts. Wait 15 minutes.')
  const key = ctx.db.select().from(passkeys).where(eq(passkeys.credentialId, answer.id)).get()
  const proof = key === undefined ? null : await verifyAssertion(ctx, key, answer)
  const person = key !== undefined && proof !== null ? transact(ctx, () => recordUse(ctx, key, proof)) : null
  if (person === null) {
    auditFailure(ctx, 'auth.failed', { userId: key?.userId ?? null, address })
    const why = 'We don’t know that passkey. Log in with your password.'
    throw new AppError('invalid_credentials', why)
  }
  takeBackHits(ctx, hits)
  return person
}

type Proof = { challenge: string; newCounter: number }

async function verifyAssertion(ctx: Context, key: Key, answer: PasskeyAnswer): Promise<Proof | null> {
  const { verifyAuthenticationResponse } = await webauthn()
  const handle = answer.response.userHandle
  // The key names its account. Refuse one that names another.
  if (handle === undefined || Buffer.from(handle, 'base64url').toString() !== key.userId) return null
  // The library checks that a challenge is ours but doesn't return it.
  let challenge = ''
  const isExpected = (encoded: string) => {
    challenge = encoded
    return isOwnChallenge(ctx, 'sign-in', encoded)
  }
  const result = await verifyAuthenticationResponse({
    response: { ...answer, response: { ...answer.response, userHandle: handle }, clientExtensionResults: {} },
    expectedChallenge: isExpected,
    expectedOrigin: ownOrigins(ctx.settings),
    expectedRPID: keyHost(ctx),
    requireUserVerification: true,
    credential: {
      id: key.credentialId,
      counter: key.counter,
      transports: key.transports,
      publicKey: new Uint8Array(Buffer.from(key.publicKey, 'base64url')),
    },
  }).catch(() => null)
  if (!result?.verified) return null
  return { challenge, newCounter: result.authenticationInfo.newCounter }
}

/** Null if the challenge was already answered, or the key was used or removed during the check. */
function recordUse(ctx: Context, { id, userId, counter }: Key, { challenge, newCounter }: Proof): Person | null {
  if (!spendChallenge(ctx, challenge)) return null
  const isAsRead = and(eq(passkeys.id, id), eq(passkeys.counter, counter))
  const use = { counter: newCounter, lastUsedAt: ctx.now().toISOString() }
  const { changes } = ctx.db.update(passkeys).set(use).where(isAsRead).run()
  return changes === 1 ? personById(ctx, userId) : null
}
