/** The provider's unix seconds as ISO-8601 UTC text. */
export const instantOf = (seconds: number) => new Date(seconds * 1000).toISOString()

export const atOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : instantOf(seconds)

/** The id of something that the provider gives as its id, or expanded. */
export function idOf(thing: string | { id: string }): string
export function idOf(thing: string | { id?: string } | null | undefined): string | null
export function idOf(thing: string | { id?: string } | null | undefined): string | null {
  return typeof thing === 'string' ? thing : (thing?.id ?? null)
}
