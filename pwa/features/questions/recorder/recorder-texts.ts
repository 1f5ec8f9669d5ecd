import type { EndReason, PauseReason, VoiceProblem } from '#pwa/lib/voice/recording.ts'
import { type BrowserSeen, isAppleTouch, isAppsBrowser } from '#shared/rules/browser-kind.ts'
import { plural } from '#shared/rules/plural.ts'

/** 42 seconds, 1 minute 5 seconds: as it's read aloud. */
export function spokenLength(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return [
    ...(minutes > 0 ? [plural(minutes, 'minute')] : []),
    ...(rest > 0 || minutes === 0 ? [plural(rest, 'second')] : []),
  ].join(' ')
}

/** 0:42 */
export function clockLength(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

type Said = { title: string; text: string }

export function problemText(problem: VoiceProblem, seen: BrowserSeen): Said {
  if (problem === 'refused') return { title: 'The microphone’s off for this site', text: refusedText(seen) }
  return problems[problem]
}

const problems: Record<Exclude<VoiceProblem, 'refused'>, Said> = {
  unsupported: {
    title: 'This browser can’t record',
    text: 'Update your browser and try again, or write it instead.',
  },
  elsewhere: {
    title: 'You’re recording in another tab',
    text: 'Finish that one first, then record here.',
  },
  absent: {
    title: 'We can’t find a microphone',
    text: 'Plug one in and try again, or write it instead.',
  },
  busy: {
    title: 'Something else is using the microphone',
    text: 'End your call or close the other app, then try again.',
  },
  failed: {
    title: 'The recording didn’t start',
    text: 'Try again, or write it instead.',
  },
  empty: {
    title: 'We didn’t hear anything',
    text: 'Press Record, talk, then press Done.',
  },
}

/** Where it's turned on again differs by browser, and a browser that was told no doesn't ask again. */
function refusedText(seen: BrowserSeen): string {
  const { userAgent } = seen
  const again = 'Then press Record again.'
  if (isAppsBrowser(seen)) return 'This app’s browser can’t use it. Open us in your own browser and record there.'
  if (isAppleTouch(seen)) {
    if (seen.isStandalone) return `Close this app and open it again. Press Record, then choose Allow.`
    const app = /CriOS/.test(userAgent)
      ? 'Chrome'
      : /FxiOS/.test(userAgent)
        ? 'Firefox'
        : /EdgiOS/.test(userAgent)
          ? 'Edge'
          : null
    if (app) return `Open your phone’s Settings, find ${app}, and turn Microphone on. ${again}`
    return `Press the page button beside the address, then Website Settings, Microphone, Allow. ${again}`
  }
  // What’s allowed is the browser’s, and the app has no address bar.
  const there = seen.isStandalone ? 'Open us in your browser. There, press' : 'Press'
  if (/Firefox/.test(userAgent))
    return `${there} the crossed-out microphone beside the address and clear the block. ${again}`
  if (/Android/.test(userAgent))
    return `${there} the icon beside the address, then Permissions, and turn Microphone on. ${again}`
  if (/Macintosh/.test(userAgent) && !/Chrome/.test(userAgent))
    return `In the Safari menu choose Settings for this website, then Microphone, Allow. ${again}`
  return `${there} the icon beside the address and turn Microphone on. ${again}`
}

export const pauseTexts: Record<PauseReason, string> = {
  asked: 'Paused.',
  taken: 'Paused for a call or another app. Press Carry on.',
  left: 'Paused while you were away. Press Carry on.',
}

export const endText = (why: EndReason, ms: number): string =>
  why === 'full'
    ? `That’s the most one voice note can hold. You’ve recorded ${spokenLength(ms)}.`
    : why === 'lost'
      ? `The microphone cut out. We’ve kept the ${spokenLength(ms)} before that.`
      : `You’ve recorded ${spokenLength(ms)}.`
