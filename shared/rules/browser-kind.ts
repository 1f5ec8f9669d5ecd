/** What a page can see of the browser it's in. `isStandalone`: opened from the home screen, a dock or a start menu. */
export type BrowserSeen = { userAgent: string; touchPoints: number; isStandalone: boolean }

type Device = Pick<BrowserSeen, 'userAgent' | 'touchPoints'>

/** An iPad says it's a Macintosh, but no Mac has a touch screen. */
const isPad = ({ userAgent, touchPoints }: Device) =>
  /iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)

export const isAppleTouch = (device: Device): boolean => /iPhone|iPod/.test(device.userAgent) || isPad(device)

/** Apps that open links in a browser of their own: Facebook, Messenger, Instagram, Threads, WhatsApp, LinkedIn and others. */
const apps =
  /\bFB(?:AN|AV|_IAB)\/|Instagram|Barcelona|\bWA(?:4A|iOS)\/|LinkedInApp|Twitter|Snapchat|BytedanceWebview|musical_ly|Pinterest|MicroMessenger|\bLine\/|\bGSA\//

/** An app's browser names its app, or says `wv` on Android, or leaves out Safari's name, which every browser of an iPhone has. */
export const isAppsBrowser = (seen: BrowserSeen): boolean =>
  apps.test(seen.userAgent) ||
  /; wv\)/.test(seen.userAgent) ||
  (!seen.isStandalone && isAppleTouch(seen) && !/Safari\//.test(seen.userAgent))
