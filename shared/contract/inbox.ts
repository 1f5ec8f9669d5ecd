import * as v from 'valibot'
import { inboxKinds, inboxNoteKinds } from '#shared/values/column-values.ts'
import { Id, RequiredText } from './fields.ts'
import { MailStatus } from './mail.ts'
import { TierSlug } from './tier.ts'

export type InboxKind = (typeof inboxKinds)[number]

export const InboxParams = v.object({ kind: v.picklist(inboxKinds), id: Id })
export type InboxParams = v.InferOutput<typeof InboxParams>

export const InboxNote = v.object({
  id: v.string(),
  kind: v.picklist(inboxNoteKinds),
  text: v.string(),
  /** Null if it was written on the server's terminal, or by an account that's gone. */
  author: v.nullable(v.string()),
  /** Null if it wasn't emailed. */
  mailStatus: v.nullable(MailStatus),
  createdAt: v.string(),
  /** Goes up with each change; a change names the one it was made from. */
  version: v.number(),
})
export type InboxNote = v.InferOutput<typeof InboxNote>
export const InboxNoteList = v.array(InboxNote)

export const InboxNoteRequest = v.object({ text: RequiredText('Text', 5000) })
export type InboxNoteRequest = v.InferOutput<typeof InboxNoteRequest>

export const InboxNoteParams = v.object({ ...InboxParams.entries, noteId: Id })

export const InboxNoteChange = v.object({
  ...InboxNoteRequest.entries,
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type InboxNoteChange = v.InferOutput<typeof InboxNoteChange>

/**
 * `wish` is an idempotency key the page makes for this one email: if the response is lost and the page retries, we still send one.
 */
/** `people`: how many get the same text, this one included. */
export const InboxReplyRequest = v.object({
  ...InboxNoteRequest.entries,
  wish: v.optional(Id),
  people: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
export type InboxReplyRequest = v.InferOutput<typeof InboxReplyRequest>

/** Without one of the tier's prices, they choose. */
export const InvitationRequest = v.strictObject({ tierSlug: TierSlug, priceId: v.optional(Id), wish: v.optional(Id) })
export type InvitationRequest = v.InferOutput<typeof InvitationRequest>

/** Whether the person who wrote can be invited to join. */
export const CanInvite = v.object({ canInvite: v.boolean() })
export type CanInvite = v.InferOutput<typeof CanInvite>

/** The emailed link. It opens the join page at its tier, until `expires`. */
export const InvitationResponse = v.object({ url: v.string(), expires: v.string() })
export type InvitationResponse = v.InferOutput<typeof InvitationResponse>
