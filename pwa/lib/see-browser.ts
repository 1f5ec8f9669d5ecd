import { type BrowserSeen, isAppleTouch } from '#shared/rules/browser-kind.ts'
import { isStandalone } from './install.ts'

export const seeBrowser = (): BrowserSeen => ({
  userAgent: navigator.userAgent,
  touchPoints: navigator.maxTouchPoints,
  isStandalone: isStandalone(),
})

/** iPhones and iPads make no offer: people add the site by hand, and keep videos only then. */
export function needsManualInstall(): boolean {
  const seen = seeBrowser()
  return isAppleTouch(seen) && !seen.isStandalone
}
