import * as v from 'valibot'
import { Email, RequiredLine } from './fields.ts'

const digits = 'Type the six digits.'
const withoutSpaces = v.transform<string, string>((text) => text.replace(/\s/g, ''))

/** Six digits from an email or an app. We ignore the spaces people type between them. */
const SixDigits = v.pipe(v.string(digits), v.maxLength(20, digits), withoutSpaces, v.regex(/^\d{6}$/, digits))

/** A code by email, valid in this browser only. The response is the same if no account has the address. */
export const CodeRequest = v.object({ email: Email })
export const CodeLoginRequest = v.object({ email: Email, code: SixDigits })

export const AuthenticatorRequest = v.strictObject({ code: SixDigits })

export const FactorCode = v.pipe(
  v.string('Type the code.'),
  v.maxLength(40, 'Type the code.'),
  v.transform((text) => text.replace(/[\s-]/g, '').toLowerCase()),
  v.regex(/^(\d{6}|[a-z2-9]{10})$/, 'Six digits from the app, or a recovery code of ten letters and digits.'),
)

const Base64Url = v.pipe(v.string(), v.maxLength(8000), v.regex(/^[\w-]+$/))
const Transports = v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20))
const credential = { id: Base64Url, rawId: Base64Url, type: v.literal('public-key') }

/** The browser's response to a challenge, in WebAuthn's JSON. */
export const PasskeyAnswer = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: v.optional(Base64Url),
  }),
})
export type PasskeyAnswer = v.InferOutput<typeof PasskeyAnswer>

/** What we ask a browser for: any passkey of this site, with user verification. */
export const PasskeyQuestion = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('required'),
})
export type PasskeyQuestion = v.InferOutput<typeof PasskeyQuestion>

export const PasskeyLoginRequest = v.object({ answer: PasskeyAnswer })

export const NewPasskeyQuestion = v.object({
  challenge: v.string(),
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
  timeout: v.number(),
  attestation: v.literal('none'),
  excludeCredentials: v.array(v.object({ id: v.string(), type: v.literal('public-key') })),
  authenticatorSelection: v.object({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification: v.literal('required'),
  }),
})
export type NewPasskeyQuestion = v.InferOutput<typeof NewPasskeyQuestion>

export const NewPasskeyAnswer = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: v.optional(Transports, []),
  }),
})
export type NewPasskeyAnswer = v.InferOutput<typeof NewPasskeyAnswer>

export const PasskeyName = v.object({ name: RequiredLine('Name', 60) })
export const AddPasskeyRequest = v.object({ ...PasskeyName.entries, answer: NewPasskeyAnswer })
export type AddPasskeyRequest = v.InferOutput<typeof AddPasskeyRequest>
export const PasskeyParams = v.object({ id: v.pipe(v.string(), v.maxLength(60)) })

const Passkey = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
})
export type Passkey = v.InferOutput<typeof Passkey>

/** An owner's second factor. `isRequired`: the settings require one from every owner. */
const SecondFactor = v.object({
  isRequired: v.boolean(),
  authenticatorSince: v.nullable(v.string()),
  recoveryCodes: v.number(),
})

/** How a person can log in to their account. `secondFactor` is null for members. */
export const SignInWays = v.object({
  hasPassword: v.boolean(),
  passkeys: v.array(Passkey),
  secondFactor: v.nullable(SecondFactor),
})
export type SignInWays = v.InferOutput<typeof SignInWays>

/** We show these once; `recoveryCodes` is empty if we made none. */
export const RecoveryCodes = v.object({ recoveryCodes: v.array(v.string()) })
export type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>

/** What an authenticator app needs: as text to type, and as the QR code's URI. */
export const AuthenticatorSetup = v.object({ secret: v.string(), uri: v.string() })
export type AuthenticatorSetup = v.InferOutput<typeof AuthenticatorSetup>

export const FactorReset = v.object({ email: v.string(), passkeys: v.number(), hadAuthenticator: v.boolean() })
export type FactorReset = v.InferOutput<typeof FactorReset>
