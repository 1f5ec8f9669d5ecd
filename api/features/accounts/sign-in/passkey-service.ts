import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { passkeys } from '#api/db/schema/sign-in.ts'
import { AppError, notFound } from '#api/errors.ts'
import { auditAuth } from '#api/features/accounts/login/audit-service.ts'
import { assertStillLoggedIn } from '#api/features/accounts/login/session-service.ts'
import type { Member } from '#api/identity/person.ts'
import { hasSecondFactor } from '#api/identity/second-factor.ts'
import { rateLimits, recordHitsInAdvance, takeBackHits } from '#api/serving/rate-limits.ts'
import { ownOrigins } from '#api/settings.ts'
import { contentOf } from '#api/site/content.ts'
import { type AddPasskeyRequest, type NewPasskeyAnswer, NewPasskeyQuestion } from '#shared/contract/sign-in.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { challengeMs, isOwnChallenge, makeChallenge, spendChallenge } from './challenge-service.ts'
import { assertMayLoseFactor, endOtherSessions, makeFirstRecoveryCodes } from './factor-service.ts'
import { queuePasskeyMail } from './mails.ts'

/** Far more than anyone's devices. The list isn't paged. */
const mostPasskeys = 10

/** Ed25519, ES256 and RS256: what devices make. */
const algorithms = [-8, -7, -257]

/** Loaded with the first passkey, because its certificate parsers would slow down every start. */
export const webauthn = () => import('@simplewebauthn/server')

/** The host name keys are bound to. They work nowhere else. */
export const keyHost = ({ settings }: Context) => new URL(settings.publicUrl).hostname

export async function askForPasskey(ctx: Context, person: Member): Promise<NewPasskeyQuestion> {
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

/** Stores a new passkey. An owner's first one returns recovery codes, shown once, and logs out every other browser. */
export async function addPasskey(
  ctx: Context,
  person: Member,
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
      id: ctx.newId(),
      userId: person.id,
      name,
      createdAt: ctx.now().toISOString(),
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

/** An owner's last factor stays while the site requires one. */
export function removePasskey(ctx: Context, person: Member, { id, address }: { id: string; address: string }): void {
  transact(ctx, () => {
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.userId, person.id))
    const removed = ctx.db.delete(passkeys).where(isOwn).returning({ name: passkeys.name }).get()
    if (removed === undefined) throw notFound('This passkey')
    assertMayLoseFactor(ctx, person)
    auditAuth(ctx, 'auth.passkey_removed', { userId: person.id, address, name: removed.name })
    queuePasskeyMail(ctx, person, { name: removed.name, isAdded: false })
  })
}

async function verifyNew(ctx: Context, person: Member, answer: NewPasskeyAnswer) {
  const challenge = spendAnswered(ctx, person, answer)
  if (!(await isWithoutCertificates(answer))) throw refused()
  const { verifyRegistrationResponse } = await webauthn()
  const result = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: ownOrigins(ctx.settings),
    expectedRPID: keyHost(ctx),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
  if (!result?.verified) throw refused()
  return result.registrationInfo.credential
}

const ClientData = v.pipe(v.string(), v.parseJson(), v.object({ challenge: v.string() }))

/** Runs first, so that a wrong answer uses up its challenge too. */
function spendAnswered(ctx: Context, person: Member, { response }: NewPasskeyAnswer): string {
  const said = v.safeParse(ClientData, Buffer.from(response.clientDataJSON, 'base64url').toString())
  const challenge = said.success ? said.output.challenge : ''
  if (!isOwnChallenge(ctx, `new:${person.id}`, challenge) || !spendChallenge(ctx, challenge)) throw refused()
  return challenge
}

/** Browsers send no attestation unless asked. A client could put any certificate in, and the library would call its URLs. */
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

function assertRoom(ctx: Context, { id, hasPassword }: Member): void {
  // Without a password, someone who mistyped their address when joining would keep a key to another person's account.
  if (!hasPassword) throw new AppError('conflict', 'Set a password first. It gets you back in if you lose your device.')
  if (credentialsOf(ctx, id).length < mostPasskeys) return
  throw new AppError('conflict', 'You can have up to ten passkeys. Remove one you no longer use.')
}

const credentialsOf = ({ db }: Context, userId: string) =>
  db.select({ id: passkeys.credentialId }).from(passkeys).where(eq(passkeys.userId, userId)).all()

const refused = () => new AppError('invalid', 'We couldn’t add that passkey. Try again on this page, with this device.')
