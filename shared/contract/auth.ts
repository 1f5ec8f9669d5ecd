import * as v from 'valibot'
import { minPasswordLength } from '#shared/values/password.ts'
import { Email, RequiredLine, withoutControls } from './fields.ts'
import { FactorCode, PasskeyAnswer } from './sign-in.ts'
import { TierSlug } from './tier.ts'

/** Marks requests a page makes on a timer, which don't count as using the login. */
export const timerHeader = 'x-by-timer'

/** Says which area a page is of when it asks who's here. An owner's next login leads to the last one. */
export const areaHeader = 'x-area'
export type Area = 'admin' | 'members'

const password = (minLength: number) =>
  v.pipe(
    v.string(`Password must be at least ${minLength} characters`),
    withoutControls,
    v.minLength(minLength, `Password must be at least ${minLength} characters`),
    v.maxLength(200, 'Use up to 200 characters.'),
  )

export const NewPassword = password(minPasswordLength.new)

/** `code` is the second factor. An owner's browser sends it after the server has asked for it. */
export const LoginRequest = v.object({
  email: Email,
  password: password(minPasswordLength.atLogin),
  code: v.optional(FactorCode),
})
export type LoginRequest = v.InferOutput<typeof LoginRequest>

/** The person's password again. For some minutes this login may then do what needs it. */
export const PasswordProof = v.object({ password: password(minPasswordLength.atLogin) })

/** The same proof by an owner's second factor, or by a passkey. */
export const ProofRequest = v.union([
  PasswordProof,
  v.object({ code: FactorCode }),
  v.object({ answer: PasskeyAnswer }),
])
export type ProofRequest = v.InferOutput<typeof ProofRequest>

export const ForgotPasswordRequest = v.object({ email: Email })
export type ForgotPasswordRequest = v.InferOutput<typeof ForgotPasswordRequest>

/** Checks whether an emailed link still works, without using it up. */
export const ResetLinkRequest = v.object({
  token: v.pipe(v.string(), v.minLength(1, 'Invalid or expired reset token.'), v.maxLength(200)),
})

export const ResetPasswordRequest = v.object({
  ...ResetLinkRequest.entries,
  newPassword: NewPassword,
})
export type ResetPasswordRequest = v.InferOutput<typeof ResetPasswordRequest>

/** The first password of someone who's logged in without one; `email` corrects a mistyped address. */
export const SetPasswordRequest = v.object({ newPassword: NewPassword, email: v.optional(Email) })
export type SetPasswordRequest = v.InferOutput<typeof SetPasswordRequest>

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
  impersonatedUntil: v.optional(v.string()),
  /** The owner who views as this member. */
  impersonatedBy: v.optional(v.string()),
  membershipTier: v.nullable(TierSlug),
  membershipStartDate: v.nullable(v.string()),
  hasPassword: v.boolean(),
  createdAt: v.string(),
})
export type SessionUser = v.InferOutput<typeof SessionUser>

/** `startsAt`: where the person goes if nothing else was asked for. */
export const LoginResponse = v.object({ user: SessionUser, startsAt: v.picklist(['/members', '/admin']) })
export type LoginResponse = v.InferOutput<typeof LoginResponse>

/** `isPasswordRemoved`: the mailbox was never confirmed when the password was set, so a stranger could have set it. */
export const CodeLoginResponse = v.object({ ...LoginResponse.entries, isPasswordRemoved: v.boolean() })

/** The response when there's nothing to say but that it worked. */
export const Done = v.object({ success: v.literal(true) })
export type Done = v.InferOutput<typeof Done>

/** `isFirst`: the account has no password yet, as after moving in from another site. */
export const ResetLink = v.object({ ...Done.entries, email: v.string(), isFirst: v.boolean() })
export type ResetLink = v.InferOutput<typeof ResetLink>

/**
 * `isEmailChangeWithdrawn`: an address change was pending, and its emailed link has stopped working. `emailToConfirm`: the
 * corrected address, which counts once its emailed link is opened.
 */
export const PasswordSet = v.object({
  ...Done.entries,
  isEmailChangeWithdrawn: v.boolean(),
  emailToConfirm: v.optional(v.string()),
})
export type PasswordSet = v.InferOutput<typeof PasswordSet>

export const tokenScopes = ['read', 'write', 'files'] as const
/**
 * `read`: every list and page; `write`: everything that changes something; `files`: the accountant's files, with everyone's names
 * and addresses, without the password each time.
 */
export const TokenScope = v.picklist(tokenScopes)
export type TokenScope = v.InferOutput<typeof TokenScope>

/** A token for the terminal. We show it once and store only its hash. */
export const TokenRequest = v.object({
  ...LoginRequest.entries,
  name: v.optional(RequiredLine('Name', 100)),
})
export type TokenRequest = v.InferOutput<typeof TokenRequest>
export const TokenResponse = v.object({ token: v.string(), expiresAt: v.string(), email: v.string() })
export type TokenResponse = v.InferOutput<typeof TokenResponse>

export const OwnerLinkRequest = v.strictObject({ email: Email })
export type OwnerLinkRequest = v.InferOutput<typeof OwnerLinkRequest>
export const OwnerLink = v.object({ email: v.string(), url: v.string(), expiresAt: v.string() })
export type OwnerLink = v.InferOutput<typeof OwnerLink>

export const ContinueRequest = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })

export const DashboardAccess = v.object({ isAllowed: v.boolean() })
export type DashboardAccess = v.InferOutput<typeof DashboardAccess>
