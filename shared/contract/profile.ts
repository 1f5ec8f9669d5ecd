import * as v from 'valibot'
import { NewPassword, PasswordProof } from './auth.ts'
import { Email, Line, OptionalLine, RequiredLine } from './fields.ts'

const hasPhoneNumber = (text: string) => text === '' || text.replace(/\D/g, '').length >= 7

const Phone = v.pipe(Line(50), v.check(hasPhoneNumber, 'Enter a phone number, such as 07700 900123'))

/** Empty and null both mean no phone number. */
const OptionalPhone = v.pipe(
  v.nullable(Phone),
  v.transform((text) => text || null),
)

const fields = {
  firstName: RequiredLine('First name', 100),
  lastName: RequiredLine('Last name', 100),
  email: Email,
  phone: OptionalPhone,
  businessName: v.nonOptional(OptionalLine(200)),
  trade: v.nonOptional(OptionalLine(200)),
}

export const ProfileForm = v.object(fields)
export type ProfileForm = v.InferOutput<typeof ProfileForm>

/** Any of exactly these six fields. The version they were edited from is in `If-Match`. */
export const ProfileRequest = v.partial(v.strictObject(fields))
export type ProfileRequest = v.InferOutput<typeof ProfileRequest>

const quotedVersion = /^"(\d{1,9})"$/

/** `If-Match: "3"`. Without it we compare nothing. */
export const ProfileHeaders = v.object({
  'if-match': v.optional(v.pipe(v.string(), v.regex(quotedVersion, 'This isn’t a version of the profile.'))),
})

export const toIfMatch = (version: number) => `"${version}"`
export const versionInIfMatch = (header: string | undefined) =>
  header === undefined ? null : Number(quotedVersion.exec(header)?.[1])

export const Profile = v.object({
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  version: v.number(),
  /** The account's new address once its emailed link is opened; null if none is pending. */
  pendingEmail: v.nullable(v.object({ email: v.string(), expiresAt: v.string() })),
  /** The address changed recently and can't change again until then. */
  emailFixedUntil: v.nullable(v.string()),
})
export type Profile = v.InferOutput<typeof Profile>

export const EmailLinkRequest = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })
export const EmailChanged = v.object({ email: v.string() })
/** `resetToken` opens the page for setting the new password. */
export const EmailRestored = v.object({ email: v.string(), resetToken: v.string() })

export const ChangePasswordRequest = v.object({
  currentPassword: PasswordProof.entries.password,
  newPassword: NewPassword,
})
export type ChangePasswordRequest = v.InferOutput<typeof ChangePasswordRequest>
