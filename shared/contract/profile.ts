import * as v from 'valibot'
import { NewPassword, PasswordProof } from './auth.ts'
import { Email, Line, OptionalLine, RequiredLine } from './fields.ts'

const hasPhoneNumber = (text: string) => text === '' || text.replace(/\D/g, '').length >= 7

const Phone = v.pipe(Line(50), v.check(hasPhoneNumber, 'Enter a phone number, such as 07700 900123'))

/** Empty and null both mean that there is none. */
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

/** What a member fills in on the form, whole. */
export const ProfileForm = v.object(fields)
export type ProfileForm = v.InferOutput<typeof ProfileForm>

/** Exactly the six fields, as many of them as have changed. The version that they were made from is in `If-Match`. */
export const ProfileRequest = v.partial(v.strictObject(fields))
export type ProfileRequest = v.InferOutput<typeof ProfileRequest>

const quotedVersion = /^"(\d{1,9})"$/

/** `If-Match: "3"`. Without it nothing is compared. */
export const ProfileHeaders = v.object({
  'if-match': v.optional(v.pipe(v.string(), v.regex(quotedVersion, 'This isn’t a version of the profile.'))),
})

export const toIfMatch = (version: number) => `"${version}"`
export const versionInIfMatch = (header: string | undefined) =>
  header === undefined ? null : Number(quotedVersion.exec(header)?.[1])

/** A member's own details. */
export const Profile = v.object({
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  version: v.number(),
  /** The address that the account gets once the link that was mailed to it is opened; null where none waits. */
  pendingEmail: v.nullable(v.object({ email: v.string(), expiresAt: v.string() })),
  /** Until when the address cannot be changed again, since it was changed lately. */
  emailFixedUntil: v.nullable(v.string()),
})
export type Profile = v.InferOutput<typeof Profile>

/** A link that was mailed. */
export const EmailLinkRequest = v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(200)) })
export const EmailChanged = v.object({ email: v.string() })
/** `resetToken` opens the page on which the new password is set. */
export const EmailRestored = v.object({ email: v.string(), resetToken: v.string() })

/** Another password, by somebody who knows the one that holds. */
export const ChangePasswordRequest = v.object({
  currentPassword: PasswordProof.entries.password,
  newPassword: NewPassword,
})
export type ChangePasswordRequest = v.InferOutput<typeof ChangePasswordRequest>
