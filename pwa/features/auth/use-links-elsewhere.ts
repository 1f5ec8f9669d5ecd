import { useSyncExternalStore } from 'react'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { isAppsBrowser } from '#shared/rules/browser-kind.ts'

const noChange = () => () => {}

function areLinksElsewhere(): boolean {
  const seen = seeBrowser()
  return seen.isStandalone || isAppsBrowser(seen)
}

/** Whether a link in an email opens another browser than this: from the home screen, and in an app's own browser. */
export const useLinksElsewhere = (): boolean => useSyncExternalStore(noChange, areLinksElsewhere, () => false)
