import type { Engine } from '#pwa/sync/progress/engine.ts'

/**
 * This tab's engine, stopped and closed as soon as another replaces it. A login may finish after the tab is closed; then no engine
 * follows.
 */
export function createCurrentEngine() {
  let engine: Engine | null = null
  let hasEnded = false
  const listeners = new Set<() => void>()
  const set = (next: Engine | null) => {
    if (next === engine) return
    engine?.stop()
    engine?.store.dexie.close()
    engine = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => engine,
    set,
    hasEnded: () => hasEnded,
    end: () => {
      hasEnded = true
      set(null)
    },
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
