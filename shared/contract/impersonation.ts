import * as v from 'valibot'
import { SessionUser } from './auth.ts'
import { Id, RequiredLine } from './fields.ts'

export const ImpersonationParams = v.object({ memberId: Id })

/** Why an owner views the site as a member, who can read it. A program may leave it out; the screen asks for it. */
export const ImpersonationRequest = v.optional(v.strictObject({ reason: v.optional(RequiredLine('Reason', 300)) }))

/** Whom the site is shown as from now on. */
export const Impersonation = v.object({ success: v.literal(true), user: SessionUser })
