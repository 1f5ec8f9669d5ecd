import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { passkeys } from '#api/db/schema/sign-in.ts'
import { AppError, notFound } from '#api/errors.ts'
import { auditAuth } from '#api/features/auth/audit-service.ts'
import { assertStillLoggedIn } from '#api/features/auth/session-service.ts'
import { contentOf } from '#api/features/content/service.ts'
import { rateLimits, recordHitsInAdvance, takeBackHits } from '#api/http/rate-limits.ts'
import { ownOrigins } from '#api/http/request-checks.ts'
import type { Person } from '#api/http/session.ts'
import { type AddPasskeyRequest, type NewPasskeyAnswer, NewPasskeyQuestion } from '#shared/contract/sign-in.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { challengeMs, isOwnChallenge, makeChallenge, spendChallenge } from './challenge-service.ts'
import { assertMayLoseFactor, endOtherSessions, makeFirstRecoveryCodes } from './factor-service.ts'
import { queuePasskeyMail } from './mails.ts'
import { hasSecondFactor } from './queries.ts'

/** Far more than anybody has devices; the list is shown in one piece. */
const mostPasskeys = 10

/** Ed25519, ES256 and RS256: what devices make. */
const algorithms = [-8, -7, -257]

/** Loaded by the first passkey: its parsers of certificates would make each start of the server slower. */
export const webauthn = () => import('@simplewebauthn/server')

/** The name that keys are bound to: they work on this host and nowhere else. */
export const keyHost = ({ settings }: Context) => new URL(settings.publicUrl).hostname

/** What the browser needs to make a new passkey for this account. */
export async function askForPasskey(ctx: Context, person: Person): Promise<NewPasskeyQuestion> {
  assertRoom(ctx, person)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: contentOf(ctx).read().site.brand.name,
    rpID: keyHost(ctx),
    userName: person.email,
    userDisplayName: nameOrEmail(person),
    userID: new TextEncoder().encode(person.id),
    challenge: makeChallenge(ctx, `new:${person.id}`),
    timeout: challengeMs,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: credentialsOf(ctx, person.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return v.parse(NewPasskeyQuestion, options)
}

/**
 * Stores a new passkey. An owner's is a second factor from now on: with their first one come recovery codes, which are
 * returned and shown once, and every other browser is signed out.
 */
export async function addPasskey(
  ctx: Context,
  person: Person,
  { name, answer, address }: AddPasskeyRequest & { address: string },
): Promise<{ recoveryCodes: string[] }> {
  const hits = recordHitsInAdvance(ctx, [rateLimits.newPasskeys(person.id)], 'Too many attempts. Try again in an hour.')
  const credential = await verifyNew(ctx, person, answer)
  return transact(ctx, () => {
    assertStillLoggedIn(ctx, person)
    assertRoom(ctx, person)
    const isKnown = eq(passkeys.credentialId, credential.id)
    if (ctx.db.select({ id: passkeys.id }).from(passkeys).where(isKnown).get() !== undefined) throw refused()
    const isFirstFactor = person.isAdmin && !hasSecondFactor(ctx, person.id)
    insertRow(ctx, passkeys, {
      ...{ id: ctx.newId(), userId: person.id, name, createdAt: ctx.now().toISOString() },
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: answer.response.transports,
    })
    auditAuth(ctx, 'auth.passkey_added', { userId: person.id, address, name })
    queuePasskeyMail(ctx, person, { name, isAdded: true })
    if (person.isAdmin) endOtherSessions(ctx, person)
    takeBackHits(ctx, hits)
    return { recoveryCodes: isFirstFactor ? makeFirstRecoveryCodes(ctx, person.id) : [] }
  })
}

/** An owner's last factor stays while the site asks every owner for one. */
export function removePasskey(ctx: Context, person: Person, { id, address }: { id: string; address: string }): void {
  transact(ctx, () => {
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.userId, person.id))
    const removed = ctx.db.delete(passkeys).where(isOwn).returning({ name: passkeys.name }).get()
    if (removed === undefined) throw notFound('This passkey')
    assertMayLoseFactor(ctx, person)
    auditAuth(ctx, 'auth.passkey_removed', { userId: person.id, address, name: removed.name })
    queuePasskeyMail(ctx, person, { name: removed.name, isAdded: false })
  })
}

async function verifyNew(ctx: Context, person: Person, answer: NewPasskeyAnswer) {
  const challenge = spendAnswered(ctx, person, answer)
  if (!(await isWithoutCertificates(answer))) throw refused()
  const { verifyRegistrationResponse } = await webauthn()
  const result = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: ownOrigins(ctx),
    expectedRPID: keyHost(ctx),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
  if (!result?.verified) throw refused()
  return result.registrationInfo.credential
}

const ClientData = v.pipe(v.string(), v.parseJson(), v.object({ challenge: v.string() }))

/** Before anything else is done with the answer: one that is wrong uses its challenge up as well. */
function spendAnswered(ctx: Context, person: Person, { response }: NewPasskeyAnswer): string {
  const said = v.safeParse(ClientData, Buffer.from(response.clientDataJSON, 'base64url').toString())
  const challenge = said.success ? said.output.challenge : ''
  if (!isOwnChallenge(ctx, `new:${person.id}`, challenge) || !spendChallenge(ctx, challenge)) throw refused()
  return challenge
}

/**
 * Whether nobody vouches for the key, or the key itself: all that a browser sends to who asks for no more, as we do. Certificates
 * are whatever the client has written, and the library would ask the addresses in them whether they were revoked.
 */
async function isWithoutCertificates({ response }: NewPasskeyAnswer): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

function assertRoom(ctx: Context, { id, hasPassword }: Person): void {
  // Without one, a person who mistyped an address in the join would keep a key to another person's account.
  if (!hasPassword) throw new AppError('conflict', 'Set a password first. It gets you back in if you lose your device.')
  if (credentialsOf(ctx, id).length < mostPasskeys) return
  throw new AppError('conflict', 'You can have up to ten passkeys. Remove one you no longer use.')
}

const credentialsOf = ({ db }: Context, userId: string) =>
  db.select({ id: passkeys.credentialId }).from(passkeys).where(eq(passkeys.userId, userId)).all()

const refused = () => new AppError('invalid', 'We couldn’t add that passkey. Try again on this page, with this device.')
