import * as v from 'valibot'

/** How far to move the sandbox's billing clock: 31d, 12h, 90m. It simulates everything due on the way, so years take minutes. */
export const SandboxAdvanceRequest = v.object({
  by: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^[1-9]\d{0,4}[dhm]$/, 'Give a time such as 31d, 12h or 90m.'),
    v.check((by) => !by.endsWith('d') || Number(by.slice(0, -1)) <= 1096, 'Move it by up to three years: 1096d.'),
  ),
})
export const SandboxAdvanceResponse = v.object({ billingNow: v.string(), offsetMs: v.number() })
/** While `on`, the sandbox delivers every webhook twice, out of order and several at a time. */
export const SandboxChaosRequest = v.object({ on: v.boolean('Say on or off.') })
export const SandboxChaosResponse = v.object({
  on: v.boolean(),
  copies: v.number(),
  order: v.picklist(['sent', 'reversed', 'shuffled']),
  /** The shuffle's seed: the same seed gives the same order. */
  seed: v.number(),
  waiting: v.number(),
})
export type SandboxChaosResponse = v.InferOutput<typeof SandboxChaosResponse>
export type SandboxAdvanceResponse = v.InferOutput<typeof SandboxAdvanceResponse>
