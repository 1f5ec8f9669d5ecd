import * as v from 'valibot'
import { noticeKinds } from '#shared/values/question-values.ts'
import { Id } from './fields.ts'

export const NoticeKind = v.picklist(noticeKinds)
export type NoticeKind = v.InferOutput<typeof NoticeKind>

/** A browser's push subscription, as `PushSubscription.toJSON()` gives it. Which hosts are allowed the server decides. */
export const PushSubscription = v.object({
  endpoint: v.pipe(
    v.string(),
    v.url('This isn’t a push service’s address.'),
    v.maxLength(2000),
    v.examples(['https://updates.push.services.mozilla.com/wpush/v2/abc']),
  ),
  keys: v.object({
    p256dh: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{80,100}={0,2}$/), v.examples([`B${'A'.repeat(86)}`])),
    auth: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,40}={0,2}$/), v.examples(['A'.repeat(22)])),
  }),
})
export type PushSubscription = v.InferOutput<typeof PushSubscription>

/** `byMail`: null for kinds whose email, if there's one, always goes. */
export const NoticeChoice = v.object({ kind: NoticeKind, byPush: v.boolean(), byMail: v.nullable(v.boolean()) })
export type NoticeChoice = v.InferOutput<typeof NoticeChoice>

/** How a member is told of things. `key` is the site's public push key, base64url. */
export const NoticeSettings = v.object({
  key: v.string(),
  choices: v.array(NoticeChoice),
  /** Whether this login's phone gets pushes. */
  isSubscribed: v.boolean(),
  /** Phones of this account that get pushes. */
  phones: v.number(),
  /** Notices of the last days that were opened somewhere. A phone closes its own of them. */
  opened: v.array(v.string()),
})
export type NoticeSettings = v.InferOutput<typeof NoticeSettings>

/** What's left out stays. */
export const NoticeChoiceChange = v.strictObject({
  kind: NoticeKind,
  byPush: v.optional(v.boolean()),
  byMail: v.optional(v.boolean()),
})
export type NoticeChoiceChange = v.InferOutput<typeof NoticeChoiceChange>

/** Sent by the worker when a push has come, and by the page when the thing is opened. */
export const NoticeReceipt = v.object({ id: Id })

/** Sent by a worker whose phone is nobody's now, or somebody else's: no push comes to this address any more. */
export const StrayPush = v.object({ endpoint: v.pipe(v.string(), v.maxLength(2000)) })

/**
 * A push's payload: the declarative form, which Safari shows even where the worker fails, and which the worker reads elsewhere. No
 * name, no detail. `app.id` is the notice, `app.for` a hash of the member's id by which a worker knows whether it's theirs.
 */
export const PushPayload = v.object({
  web_push: v.literal(8030),
  notification: v.object({
    title: v.string(),
    body: v.optional(v.string()),
    navigate: v.string(),
    tag: v.optional(v.string()),
    app_badge: v.optional(v.string()),
    data: v.optional(v.object({ id: v.string(), kind: v.string(), for: v.string() })),
  }),
  mutable: v.literal(true),
})
export type PushPayload = v.InferOutput<typeof PushPayload>
