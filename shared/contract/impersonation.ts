import * as v from 'valibot'
import { SessionUser } from './auth.ts'
import { Id, RequiredLine } from './fields.ts'

export const ImpersonationParams = v.object({ memberId: Id })

/** Why an owner views the site as a member; the member can read it. API clients may leave it out, but the page asks for it. */
export const ImpersonationRequest = v.optional(v.strictObject({ reason: v.optional(RequiredLine('Reason', 300)) }))

export const Impersonation = v.object({ success: v.literal(true), user: SessionUser })
