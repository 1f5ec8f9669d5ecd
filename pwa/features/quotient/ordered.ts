import * as v from 'valibot'

/**
 * What a page knows of the payment that led to it: its secret, or that the server has called it paid. It stands in the
 * history of this tab, where no address can put it and no storage is needed.
 */
export type Ordered = { clientSecret: string } | { isPaid: true }

const Kept = v.union([v.object({ clientSecret: v.string() }), v.object({ isPaid: v.literal(true) })])

export function readOrdered(state: unknown): Ordered | null {
  const kept = v.safeParse(Kept, state)
  return kept.success ? kept.output : null
}
