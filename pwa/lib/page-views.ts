const eventName = 'alliance:page-view'

let lastReported: string | undefined

/** Tells whoever listens that a page is now in view; called once for each change of route. */
export const reportPageView = (path: string) => {
  lastReported = path
  window.dispatchEvent(new CustomEvent(eventName, { detail: path }))
}

/** Whether the page that is in view has been told of. */
export const isPageReported = () => lastReported === window.location.pathname

/** Listens to page views; returns how to stop. */
export const onPageView = (listener: (path: string) => void) => {
  const heard = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail)
  }
  window.addEventListener(eventName, heard)
  return () => window.removeEventListener(eventName, heard)
}
