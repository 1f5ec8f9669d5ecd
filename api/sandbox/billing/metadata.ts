/** Merges metadata. An empty value removes its key, and an empty string instead of an object removes all keys. */
export function mergeMetadata(
  old: Record<string, string>,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === undefined) return old
  if (change === null) return {}
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== ''))
}
