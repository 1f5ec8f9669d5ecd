import * as v from 'valibot'
import { Id } from './fields.ts'

/** Words of one line; `href` makes them a link, which the server has checked. */
const RichPart = v.object({ text: v.string(), isBold: v.optional(v.literal(true)), href: v.optional(v.string()) })
export type RichPart = v.InferOutput<typeof RichPart>

/** A text of the owners, taken apart: the page or the terminal that shows it needs to know no Markdown. A list has several lines, all else one. */
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
 * What a member's dashboard shows, and what it will show in the days to come, so that a phone without signal begins and ends
 * each in time. `now` is the clock by which they do.
 */
export const MemberAnnouncements = v.object({
  now: v.string(),
  announcements: v.array(MemberAnnouncement),
  /** The member has not yet said whether they want news by email. */
  asksForNews: v.boolean(),
})
export type MemberAnnouncements = v.InferOutput<typeof MemberAnnouncements>

/** Those that the member has read and put away, on whichever phone. */
export const DismissRequest = v.object({ ids: v.pipe(v.array(Id), v.maxLength(200)) })
