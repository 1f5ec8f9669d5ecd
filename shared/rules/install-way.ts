import { type BrowserSeen, isAppleTouch, isAppsBrowser } from './browser-kind.ts'

export type AppleBrowser = 'Safari' | 'Chrome' | 'Edge' | 'Firefox'

/**
 * How someone adds the site to the home screen here. `offer`: the browser asks. `leave`: this is another app's browser, which can't.
 * `apple`: by hand, in the words of this browser; `isFrom26`: with the share sheet of iOS 26.
 */
export type InstallWay =
  | { kind: 'offer' }
  | { kind: 'leave'; isApple: boolean }
  | { kind: 'apple'; browser: AppleBrowser; isFrom26: boolean }
  | { kind: 'samsung' }

/** Others on an iPhone may call themselves Safari, and have no words for it that we know. */
const others = /\b(?:OPT|OPiOS|Ddg|DuckDuckGo|YaBrowser|UCBrowser|Focus|Klar)\//

const appleBrowsers: readonly (readonly [mark: RegExp, name: AppleBrowser])[] = [
  [/CriOS\//, 'Chrome'],
  [/EdgiOS\//, 'Edge'],
  [/FxiOS\//, 'Firefox'],
  [/Version\/\d/, 'Safari'],
]

/** Safari's own version is true. What it says of the system stays at 18, and some browsers have only that. */
function isFrom26(userAgent: string): boolean {
  const versions = [/Version\/(\d+)/, /OS (\d+)_/].map((mark) => Number(mark.exec(userAgent)?.[1] ?? 0))
  return Math.max(...versions) >= 26
}

function appleWay(userAgent: string): InstallWay | null {
  const browser = others.test(userAgent) ? undefined : appleBrowsers.find(([mark]) => mark.test(userAgent))?.[1]
  return browser ? { kind: 'apple', browser, isFrom26: isFrom26(userAgent) } : null
}

/** Null where it's installed already, or no hint of ours can work. `hasOffer`: the browser has sent `beforeinstallprompt`. */
export function installWay(seen: BrowserSeen, hasOffer: boolean): InstallWay | null {
  if (seen.isStandalone) return null
  if (isAppsBrowser(seen)) return { kind: 'leave', isApple: isAppleTouch(seen) }
  if (hasOffer) return { kind: 'offer' }
  if (isAppleTouch(seen)) return appleWay(seen.userAgent)
  return /Android.*SamsungBrowser\//.test(seen.userAgent) ? { kind: 'samsung' } : null
}

/**
 * Safari may clear a site that wasn't opened for about a week of browsing, and so may every browser on an iPhone, which are all
 * made of it. What was added to the home screen is left alone.
 */
export const mayClearAfterAWeek = (seen: BrowserSeen): boolean =>
  !seen.isStandalone && (isAppleTouch(seen) || /Macintosh.*Version\/\d.*Safari\//.test(seen.userAgent))
