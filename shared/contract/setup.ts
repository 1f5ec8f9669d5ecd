import * as v from 'valibot'

/** What a new site needs before it opens, in the order in which it is done. */
export const setupNames = [
  ...(['seller', 'legal', 'brand', 'contacts', 'mail', 'stripe'] as const),
  ...(['calendars', 'community', 'video', 'post'] as const),
]
export const SetupName = v.picklist(setupNames, 'There’s nothing with this name to set up.')
export type SetupName = v.InferOutput<typeof SetupName>

/** `sample`: what came with the software, or works for trying out alone. `says` is a sentence for the owner. */
export const SetupItem = v.object({
  name: SetupName,
  state: v.picklist(['done', 'sample', 'unset']),
  says: v.string(),
})
export type SetupItem = v.InferOutput<typeof SetupItem>

/** Something that stands against a start with a live key. */
export const SetupRefusal = v.object({
  /** For the owner, without a full stop. */
  says: v.string(),
  /** For those who run the server: the option, or the file and the entry. */
  where: v.string(),
  /** Where owners put it right: a group of settings, or a part of a page's words. Null where the environment alone holds it. */
  target: v.nullable(v.union([v.object({ group: v.string() }), v.object({ page: v.string(), part: v.string() })])),
})
export type SetupRefusal = v.InferOutput<typeof SetupRefusal>

export const SetupState = v.object({
  items: v.array(SetupItem),
  /** Why a start with a live key would be refused. */
  refusals: v.array(SetupRefusal),
  isLive: v.boolean(),
})
export type SetupState = v.InferOutput<typeof SetupState>

export const SetupParams = v.object({ name: SetupName })

/** What was found by trying it, each with what it says. */
export const SetupCheck = v.object({
  findings: v.array(v.object({ isFine: v.boolean(), says: v.string() })),
})
export type SetupCheck = v.InferOutput<typeof SetupCheck>
