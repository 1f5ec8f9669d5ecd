/** Stripe's unix seconds as ISO-8601 UTC. */
export const toInstant = (seconds: number) => new Date(seconds * 1000).toISOString()

export const toInstantOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : toInstant(seconds)

export function idOf(object: string | { id: string }): string
export function idOf(object: string | { id?: string } | null | undefined): string | null
export function idOf(object: string | { id?: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
