import type { MemberVideo } from '#shared/contract/video.ts'
import { type VideoCategory, type VideoToContinue, videoToContinue } from './video.ts'

const usualLength = 5

type Known = {
  isDone: (id: string) => boolean
  /** Whether there's anything to hear of it here and now. */
  canPlay: (id: string) => boolean
  positions: ReadonlyMap<string, { seconds: number; at: number }>
}

/** What to listen to today: the video that was begun, or else the next one, and those after it that aren't done. */
export function todaysQueue(
  categories: readonly Pick<VideoCategory<MemberVideo>, 'videos'>[],
  { isDone, canPlay, positions }: Known,
): MemberVideo[] {
  const open = categories.flatMap(({ videos }) => videos).filter(({ id }) => !isDone(id) && canPlay(id))
  const next: VideoToContinue<MemberVideo> | null = videoToContinue([{ videos: open }], isDone, positions)
  if (next === null) return []
  const from = open.indexOf(next.video)
  return [...open.slice(from), ...open.slice(0, from)].slice(0, usualLength)
}

/** What this device remembers of a queue: the videos in it, and the one that played last. */
export type KeptQueue = { videoIds: readonly string[]; currentId: string | null }

/** At the next opening a queue goes on with what isn't done yet. Once all of it is, it starts with today's. */
export function queueAtOpening(
  kept: KeptQueue | null,
  today: readonly string[],
  isOpen: (id: string) => boolean,
): KeptQueue {
  const left = kept?.videoIds.filter(isOpen) ?? []
  const videoIds = left.length > 0 ? left : today
  const currentId = kept?.currentId ?? null
  return { videoIds, currentId: currentId !== null && videoIds.includes(currentId) ? currentId : null }
}

/** Minutes, or the end of the video that plays. */
export const sleepTimers = ['off', '15', '30', '45', '60', 'end'] as const
export type SleepTimer = (typeof sleepTimers)[number]

/** When the sound stops, in ms since 1970; null if no clock decides. */
export const sleepsAt = (timer: SleepTimer, now: number): number | null =>
  timer === 'off' || timer === 'end' ? null : now + Number(timer) * 60_000
