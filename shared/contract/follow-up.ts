import * as v from 'valibot'
import { WrittenText } from './admin-announcement.ts'
import { RequiredLine } from './fields.ts'

/** Automatic emails. `after-joining` and `not-seen` are check-ins, `coming-back` is news. */
export const followUpKinds = ['after-joining', 'not-seen', 'card-expiring', 'coming-back'] as const
export const FollowUpKind = v.picklist(followUpKinds, 'There’s no such email.')
export type FollowUpKind = v.InferOutput<typeof FollowUpKind>

export const FollowUp = v.object({
  kind: FollowUpKind,
  isOn: v.boolean(),
  subject: v.string(),
  text: v.string(),
  /** What became of the emails queued so far. `cameBack`: then did what the email asks for. */
  waiting: v.number(),
  arrived: v.number(),
  refused: v.number(),
  cameBack: v.number(),
  /** The text's version; a change names it. */
  version: v.number(),
})
export type FollowUp = v.InferOutput<typeof FollowUp>
export const FollowUpList = v.array(FollowUp)

export const FollowUpRequest = v.object({
  isOn: v.boolean(),
  subject: RequiredLine('Subject', 150),
  text: WrittenText('Text', 5_000),
})
