/** On a slow phone, until the screen is there with what it asks for. */
const delayMs = 1_500

/** Does what no one waits for. Returns a function that calls it off. */
export function afterScreen(work: () => void): () => void {
  const timer = setTimeout(work, delayMs)
  return () => clearTimeout(timer)
}
