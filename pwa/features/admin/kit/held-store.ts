/** How long we wait before sending something that can be undone. */
export const undoMs = 8000

type Held = { send: () => Promise<unknown>; timer: ReturnType<typeof setTimeout> }

const held = new Map<string, Held>()
/** Entries to hide: what was done to them is waiting or on its way. */
let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export const readHidden = () => hidden

export function watchHidden(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(work: (ids: Set<string>) => unknown): void {
  const ids = new Set(hidden)
  work(ids)
  hidden = ids
  for (const listener of listeners) listener()
}

/** `send` settles once the list has been refetched; until then the entry stays hidden. It never rejects. */
export function hold(id: string, send: Held['send']): void {
  const timer = setTimeout(() => release(id), undoMs)
  held.set(id, { send, timer })
  change((ids) => ids.add(id))
}

function release(id: string): void {
  const entry = held.get(id)
  if (entry === undefined) return
  clearTimeout(entry.timer)
  held.delete(id)
  const show = () => change((ids) => ids.delete(id))
  entry.send().then(show, show)
}

/** False if it’s been sent. */
export function takeBack(id: string): boolean {
  const entry = held.get(id)
  if (entry === undefined) return false
  clearTimeout(entry.timer)
  held.delete(id)
  change((ids) => ids.delete(id))
  return true
}

export const isAnyHeld = () => held.size > 0

/** Call it before the page closes. True if anything was waiting. */
export function releaseAll(): boolean {
  const ids = [...held.keys()]
  for (const id of ids) release(id)
  return ids.length > 0
}
