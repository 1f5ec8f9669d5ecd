import * as v from 'valibot'
import { NewPassword } from './auth.ts'
import { Email, Instant } from './fields.ts'

/** Someone who runs the site. `isConfigured`: named in the server's settings, so no one can remove them here. */
export const SiteOwner = v.object({
  id: v.string(),
  email: v.string(),
  name: v.nullable(v.string()),
  since: Instant,
  lastSeenAt: v.nullable(Instant),
  hasSecondFactor: v.boolean(),
  isConfigured: v.boolean(),
  isYou: v.boolean(),
})
export type SiteOwner = v.InferOutput<typeof SiteOwner>

/** One that can still be used: not accepted, cancelled or run out. */
export const OwnerInvitation = v.object({
  id: v.string(),
  email: v.string(),
  invitedBy: v.string(),
  createdAt: Instant,
  expiresAt: Instant,
})
export type OwnerInvitation = v.InferOutput<typeof OwnerInvitation>

/** `mayChange`: the simple admin sees the list, but neither invites nor removes. */
export const OwnersResponse = v.object({
  owners: v.array(SiteOwner),
  invitations: v.array(OwnerInvitation),
  mayChange: v.boolean(),
})
export type OwnersResponse = v.InferOutput<typeof OwnersResponse>

export const OwnerInvitationRequest = v.strictObject({ email: Email })
export type OwnerInvitationRequest = v.InferOutput<typeof OwnerInvitationRequest>

const token = v.pipe(v.string(), v.minLength(1), v.maxLength(200))

export const InvitedOwnerRequest = v.strictObject({ token })

/** `hasAccount`: they must be logged in to it to accept. `isHere`: they are. */
export const InvitedOwner = v.object({ email: v.string(), hasAccount: v.boolean(), isHere: v.boolean() })
export type InvitedOwner = v.InferOutput<typeof InvitedOwner>

export const AcceptOwnerRequest = v.strictObject({ token, newPassword: NewPassword })
export type AcceptOwnerRequest = v.InferOutput<typeof AcceptOwnerRequest>
