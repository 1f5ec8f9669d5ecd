import * as v from 'valibot'
import { UnfinishedList } from './content-check.ts'

/** What a new site needs before it opens, in the order to do it. */
export const setupNames = [
  ...(['seller', 'legal', 'brand', 'contacts', 'mail', 'stripe', 'stripe-mails'] as const),
  ...(['calendars', 'community', 'video', 'post', 'phones'] as const),
]
export const SetupName = v.picklist(setupNames, 'There’s nothing with this name to set up.')
export type SetupName = v.InferOutput<typeof SetupName>

/**
 * `sample`: came with the software, or only works for trying out. `optional`: not there, and the site is whole without it. `says`
 * is a sentence for the owner.
 */
export const SetupItem = v.object({
  name: SetupName,
  state: v.picklist(['done', 'sample', 'unset', 'optional']),
  says: v.string(),
})
export type SetupItem = v.InferOutput<typeof SetupItem>

export const SetupRefusal = v.object({
  /** For the owner, without a full stop. */
  says: v.string(),
  /** For your developer: the option, or the file and the entry. */
  where: v.string(),
  /** Where owners can fix it: a group of settings, or a part of a page's text. Null if only the environment holds it. */
  target: v.nullable(v.union([v.object({ group: v.string() }), v.object({ page: v.string(), part: v.string() })])),
})
export type SetupRefusal = v.InferOutput<typeof SetupRefusal>

export const SetupState = v.object({
  items: v.array(SetupItem),
  refusals: v.array(SetupRefusal),
  /** Everything on the site that isn't the owner's yet. */
  unfinished: UnfinishedList,
  isLive: v.boolean(),
})
export type SetupState = v.InferOutput<typeof SetupState>

export const SetupParams = v.object({ name: SetupName })

export const SetupCheck = v.object({
  findings: v.array(v.object({ isFine: v.boolean(), says: v.string() })),
})
export type SetupCheck = v.InferOutput<typeof SetupCheck>
