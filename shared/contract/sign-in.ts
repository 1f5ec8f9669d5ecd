import * as v from 'valibot'
import { Email, RequiredLine } from './fields.ts'

const digits = 'Type the six digits.'
const withoutSpaces = v.transform<string, string>((text) => text.replace(/\s/g, ''))

/** Six digits, as they are mailed or shown by an app: the spaces that people type between them do not count. */
const SixDigits = v.pipe(v.string(digits), v.maxLength(20, digits), withoutSpaces, v.regex(/^\d{6}$/, digits))

/** A code by mail, for this browser alone. The response is the same for an address that nobody has. */
export const CodeRequest = v.object({ email: Email })
export const CodeLoginRequest = v.object({ email: Email, code: SixDigits })

/** The first code of an authenticator app, which shows that it was set up right. */
export const AuthenticatorRequest = v.strictObject({ code: SixDigits })

/** The six digits of an authenticator app, or a recovery code. */
export const FactorCode = v.pipe(
  v.string('Type the code.'),
  v.maxLength(40, 'Type the code.'),
  v.transform((text) => text.replace(/[\s-]/g, '').toLowerCase()),
  v.regex(/^(\d{6}|[a-z2-9]{10})$/, 'Six digits from the app, or a recovery code of ten letters and digits.'),
)

const Base64Url = v.pipe(v.string(), v.maxLength(8000), v.regex(/^[\w-]+$/))
/** How a passkey is reached, as its device says. */
const Transports = v.pipe(v.array(v.pipe(v.string(), v.maxLength(40))), v.maxLength(20))
const credential = { id: Base64Url, rawId: Base64Url, type: v.literal('public-key') }

/** What the browser answers to a challenge, as WebAuthn writes it in JSON. */
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

/** What a browser is asked for: any passkey of this site that the person picks, opened by them. */
export const PasskeyQuestion = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal('required'),
})
export type PasskeyQuestion = v.InferOutput<typeof PasskeyQuestion>

export const PasskeyLoginRequest = v.object({ answer: PasskeyAnswer })

/** The same for a new passkey. */
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

/** `name` is what the member calls the device that holds it. */
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

/** An owner's second factor. `isRequired`: the site's settings ask every owner for one. */
const SecondFactor = v.object({
  isRequired: v.boolean(),
  authenticatorSince: v.nullable(v.string()),
  recoveryCodes: v.number(),
})

/** How somebody gets into their account. `secondFactor` is null for members. */
export const SignInWays = v.object({
  hasPassword: v.boolean(),
  passkeys: v.array(Passkey),
  secondFactor: v.nullable(SecondFactor),
})
export type SignInWays = v.InferOutput<typeof SignInWays>

/** Shown once; `recoveryCodes` is empty where none were made. */
export const RecoveryCodes = v.object({ recoveryCodes: v.array(v.string()) })
export type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>

/** What an authenticator app needs: as text to type, and as the address that a QR code holds. */
export const AuthenticatorSetup = v.object({ secret: v.string(), uri: v.string() })
export type AuthenticatorSetup = v.InferOutput<typeof AuthenticatorSetup>

/** What was taken from an owner who has lost their second factor. */
export const FactorReset = v.object({ email: v.string(), passkeys: v.number(), hadAuthenticator: v.boolean() })
export type FactorReset = v.InferOutput<typeof FactorReset>
