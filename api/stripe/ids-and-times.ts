/** The provider's unix seconds as ISO-8601 UTC text. */
export const toInstant = (seconds: number) => new Date(seconds * 1000).toISOString()

export const toInstantOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : toInstant(seconds)

/** The id of an object that the provider gives either as its id or expanded. */
export function idOf(object: string | { id: string }): string
export function idOf(object: string | { id?: string } | null | undefined): string | null
export function idOf(object: string | { id?: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
