import * as v from 'valibot'

/** How far the sandbox's billing clock moves: 31d, 12h, 90m. It simulates all that falls due on the way, so years take minutes. */
export const SandboxAdvanceRequest = v.object({
  by: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^[1-9]\d{0,4}[dhm]$/, 'Give a time such as 31d, 12h or 90m.'),
    v.check((by) => !by.endsWith('d') || Number(by.slice(0, -1)) <= 1096, 'Move it by up to three years: 1096d.'),
  ),
})
export const SandboxAdvanceResponse = v.object({ billingNow: v.string(), offsetMs: v.number() })
/** While `on`, the sandbox delivers every webhook twice, out of order and several at once. */
export const SandboxChaosRequest = v.object({ on: v.boolean('Say on or off.') })
export const SandboxChaosResponse = v.object({
  on: v.boolean(),
  copies: v.number(),
  order: v.picklist(['sent', 'reversed', 'shuffled']),
  /** The seed of the shuffle: an equal seed gives the same order again. */
  seed: v.number(),
  /** The number of webhooks that wait to be delivered. */
  waiting: v.number(),
})
export type SandboxChaosResponse = v.InferOutput<typeof SandboxChaosResponse>
export type SandboxAdvanceResponse = v.InferOutput<typeof SandboxAdvanceResponse>
