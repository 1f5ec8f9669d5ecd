import * as v from 'valibot'
import { minPasswordLength } from '#shared/rules/password.ts'
import { Email, RequiredLine, withoutControls } from './fields.ts'
import { FactorCode, PasskeyAnswer } from './sign-in.ts'
import { TierSlug } from './tier.ts'

/** On what a page asks by its clock, untouched: it doesn’t count as using the login. */
export const timerHeader = 'x-by-timer'

const password = (minLength: number) =>
  v.pipe(
    v.string(`Password must be at least ${minLength} characters`),
    withoutControls,
    v.minLength(minLength, `Password must be at least ${minLength} characters`),
    v.maxLength(200, 'Use up to 200 characters.'),
  )

export const NewPassword = password(minPasswordLength.new)

/** `code` is an owner's second factor, sent once the server has asked for it. */
export const LoginRequest = v.object({
  email: Email,
  password: password(minPasswordLength.atLogin),
  code: v.optional(FactorCode),
})
export type LoginRequest = v.InferOutput<typeof LoginRequest>

/** The password of the person who asks, given again: for some minutes this login may do what needs it. */
export const PasswordProof = v.object({ password: password(minPasswordLength.atLogin) })

/** The same by an owner's second factor, or by a passkey. */
export const ProofRequest = v.union([
  PasswordProof,
  v.object({ code: FactorCode }),
  v.object({ answer: PasskeyAnswer }),
])
export type ProofRequest = v.InferOutput<typeof ProofRequest>

export const ForgotPasswordRequest = v.object({ email: Email })
export type ForgotPasswordRequest = v.InferOutput<typeof ForgotPasswordRequest>

/** Whether a mailed link still works; it is not used by this. */
export const ResetLinkRequest = v.object({
  token: v.pipe(v.string(), v.minLength(1, 'Invalid or expired reset token.'), v.maxLength(200)),
})

export const ResetPasswordRequest = v.object({
  ...ResetLinkRequest.entries,
  newPassword: NewPassword,
})
export type ResetPasswordRequest = v.InferOutput<typeof ResetPasswordRequest>

/** A first password, set on the spot by somebody who is logged in and has none; `email` puts a mistyped address right. */
export const SetPasswordRequest = v.object({ newPassword: NewPassword, email: v.optional(Email) })
export type SetPasswordRequest = v.InferOutput<typeof SetPasswordRequest>

/** What a browser may know of its own account. */
export const SessionUser = v.object({
  id: v.string(),
  email: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  profileImageUrl: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  isImpersonating: v.boolean(),
  /** When an owner who views the site as this member sees their own again. */
  impersonatedUntil: v.optional(v.string()),
  membershipTier: v.nullable(TierSlug),
  membershipStartDate: v.nullable(v.string()),
  hasPassword: v.boolean(),
  createdAt: v.string(),
})
export type SessionUser = v.InferOutput<typeof SessionUser>

export const LoginResponse = v.object({ user: SessionUser })
export type LoginResponse = v.InferOutput<typeof LoginResponse>

/** `isPasswordRemoved`: who set it had never shown that the mailbox is theirs, and may have been a stranger. */
export const CodeLoginResponse = v.object({ ...LoginResponse.entries, isPasswordRemoved: v.boolean() })

/** The response of calls that only say that they were heard. */
export const Done = v.object({ success: v.literal(true) })
export type Done = v.InferOutput<typeof Done>

/**
 * `isEmailChangeWithdrawn`: a change of address waited, and the link that was mailed for it opens nothing any more.
 * `emailToConfirm`: the corrected address, which counts once the link that was mailed to it is opened.
 */
export const PasswordSet = v.object({
  ...Done.entries,
  isEmailChangeWithdrawn: v.boolean(),
  emailToConfirm: v.optional(v.string()),
})
export type PasswordSet = v.InferOutput<typeof PasswordSet>

export const tokenScopes = ['read', 'write'] as const
/** `read`: every list and page; `write`: everything that changes something. */
export const TokenScope = v.picklist(tokenScopes)
export type TokenScope = v.InferOutput<typeof TokenScope>

/** A token for the terminal; shown once, stored hashed. */
export const TokenRequest = v.object({
  ...LoginRequest.entries,
  name: v.optional(RequiredLine('Name', 100)),
})
export type TokenRequest = v.InferOutput<typeof TokenRequest>
export const TokenResponse = v.object({ token: v.string(), expiresAt: v.string(), email: v.string() })
export type TokenResponse = v.InferOutput<typeof TokenResponse>

/** A one-time link with which an owner sets a password. */
export const OwnerLinkRequest = v.strictObject({ email: Email })
export type OwnerLinkRequest = v.InferOutput<typeof OwnerLinkRequest>
export const OwnerLink = v.object({ email: v.string(), url: v.string(), expiresAt: v.string() })
export type OwnerLink = v.InferOutput<typeof OwnerLink>

/** A mailed one-time link that resumes joining. */
export const ContinueRequest = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })

/** Whether this owner is the one account that the simple dashboard is for. */
export const DashboardAccess = v.object({ isAllowed: v.boolean() })
export type DashboardAccess = v.InferOutput<typeof DashboardAccess>
