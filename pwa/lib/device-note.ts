/** Tells the pages of this device that a note in local storage has changed: this page by an event, the others by the browser. */
export const deviceNote = (eventName: string) => ({
  tell: () => window.dispatchEvent(new Event(eventName)),
  /** Calls `changed` on each change; returns how to stop. */
  subscribe: (changed: () => void) => {
    window.addEventListener(eventName, changed)
    window.addEventListener('storage', changed)
    return () => {
      window.removeEventListener(eventName, changed)
      window.removeEventListener('storage', changed)
    }
  },
})
