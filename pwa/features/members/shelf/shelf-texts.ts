import type { KeptRow, ShelfPause } from '#pwa/sync/progress/kept.ts'
import { readNetwork } from '#pwa/sync/shelf/network.ts'
import type { ShelfForm } from '#shared/contract/shelf.ts'
import { plural } from '#shared/rules/plural.ts'
import { type ComingFile, pieceCount } from '#shared/rules/shelf.ts'
import { formatBytes } from '#shared/values/media.ts'

export const formLabels: Record<ShelfForm, string> = { film: 'Video', light: 'Light video', sound: 'Audio only' }

export const formHints: Record<ShelfForm, string> = {
  film: 'As you see it here.',
  light: 'A smaller picture, quicker to fetch.',
  sound: 'To listen to on the road.',
}

export const pauseTexts: Record<ShelfPause, string> = {
  signal: 'Waiting for signal',
  unsent: 'Waiting until your ticks are sent',
  film: 'Waiting while you watch',
  wifi: 'Waiting for Wi-Fi',
  ask: 'Waiting for you: are you on Wi-Fi?',
  room: 'Stopped: hardly any room left for videos',
  limit: 'Stopped: you’ve reached the limit you set',
  server: 'We couldn’t reach the site. We’ll try again in a few minutes',
}

/** Most browsers don't tell us the network. */
export const wifiHint = () =>
  readNetwork() === 'unknown'
    ? 'We can’t see which network you’re on, so we’ll ask when you open the app. Untick this to use mobile data too.'
    : undefined

/** `isFirst`: nothing else comes before it. */
export function stateText({ whole, coming }: KeptRow, pause: ShelfPause | null, isFirst: boolean): string {
  if (coming === null) return 'On this phone'
  if (whole !== null) return 'On this phone. A newer version’s on its way'
  if (pause !== null) return pauseTexts[pause]
  if (!isFirst) return 'Waiting its turn'
  return coming.pieces === null ? 'Preparing' : 'Keeping'
}

/** How much of a file is here, in hundredths. */
export const percentOf = ({ have, bytes }: Pick<ComingFile, 'have' | 'bytes'>): number =>
  Math.floor((100 * have.length) / pieceCount(bytes))

export const sizeText = ({ whole, coming }: KeptRow): string => {
  const file = whole ?? coming
  return file ? formSize(file.form, file.bytes) : ''
}

/** `Audio only, 12 MB`; a video's size alone. */
export const formSize = (form: ShelfForm, bytes: number): string =>
  form === 'film' ? formatBytes(bytes) : `${formLabels[form]}, ${formatBytes(bytes)}`

/** What kept videos may take, by what's stored of the choice. */
export const limits: readonly (readonly [mostBytes: number | null, label: string])[] = [
  [null, 'As much as they need'],
  ...[1, 2, 5, 10].map((gigabytes) => [gigabytes * 1e9, `Up to ${gigabytes} GB`] as const),
]

export const videosText = (count: number) => plural(count, 'video')

/** `Keep 4 videos, 212 MB`. */
export const keepText = (count: number, bytes: number) => `Keep ${videosText(count)}, ${formatBytes(bytes)}`

export const removedText = (count: number) => `Your phone removed ${videosText(count)} to make room`
