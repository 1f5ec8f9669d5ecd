import * as v from 'valibot'
import { Id } from './fields.ts'

/** Words on one line. `href` makes them a link, and the server has checked it. */
const RichPart = v.object({ text: v.string(), isBold: v.optional(v.literal(true)), href: v.optional(v.string()) })
export type RichPart = v.InferOutput<typeof RichPart>

/** An owner's text, already parsed, so that no page and no terminal has to know Markdown. Only a list has several lines. */
export const RichText = v.array(
  v.object({ kind: v.picklist(['paragraph', 'heading', 'list']), lines: v.array(v.array(RichPart)) }),
)
export type RichText = v.InferOutput<typeof RichText>

const MemberAnnouncement = v.object({
  id: v.string(),
  title: v.string(),
  text: RichText,
  startsAt: v.string(),
  endsAt: v.string(),
})
export type MemberAnnouncement = v.InferOutput<typeof MemberAnnouncement>

/**
 * What a member's dashboard shows now and over the next days, so that a phone without signal can show and hide each on time. `now`
 * is the server's clock.
 */
export const MemberAnnouncements = v.object({
  now: v.string(),
  announcements: v.array(MemberAnnouncement),
  asksForNews: v.boolean(),
})
export type MemberAnnouncements = v.InferOutput<typeof MemberAnnouncements>

/** The announcements the member has dismissed, on any device. */
export const DismissRequest = v.object({ ids: v.pipe(v.array(Id), v.maxLength(200)) })
