/**
 * Reads once for all requests that are answered in one turn of the event loop. They were there together when it began:
 * none of them can have been sent because of what has changed since.
 */
export function onceATurn<Value>(read: () => Value): () => Value {
  let kept: { value: Value } | undefined
  return () => {
    if (kept === undefined) {
      kept = { value: read() }
      setImmediate(() => {
        kept = undefined
      })
    }
    return kept.value
  }
}
