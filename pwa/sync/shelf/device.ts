import type { NetworkKind, Room } from '#shared/rules/shelf.ts'
import type { PieceFiles } from './piece-files.ts'

/** What the shelf takes from its browser beside what every store takes, so that tests can supply their own. */
export type ShelfDevice = {
  files: PieceFiles
  /** Not watched for weak signal: a piece may take its time. */
  fetch(path: string, init: RequestInit): Promise<Response>
  room(): Promise<Room>
  network(): NetworkKind
  /** The member has told the browser to be sparing. */
  savesData(): boolean
  /** Whether the member has said that this network will do. It holds until the app is closed. */
  isAllowed(): boolean
  allow(): void
  hasUnsentForms(): Promise<boolean>
  isVideoPlaying(): Promise<boolean>
  /** Whether a kept video is playing, whose pieces must stay. */
  isKeptPlaying(): Promise<boolean>
  /** Calls back when a video begins or ends, or the network changes. Returns a function that unsubscribes. */
  onChange(changed: () => void): () => void
  /** While it fetches: keeps the screen on, and has the service worker go on after the page. Returns a function that ends it. */
  keepGoing(): () => void
}
