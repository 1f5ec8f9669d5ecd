import type { ShownProgress } from '#pwa/sync/progress/status.ts'
import type { MemberVideo } from '#shared/contract/video.ts'

/** By video; a video that is not in it has never been ticked. */
export type ProgressByVideo = ReadonlyMap<string, ShownProgress>

/** What waits on this device counts: it is done, whoever has heard of it. */
export const countCompleted = (videos: readonly Pick<MemberVideo, 'id'>[], progress: ProgressByVideo): number =>
  videos.filter(({ id }) => progress.get(id)?.completed).length

/** Categories with a tick that waits, is being sent, or was refused. */
export function categoriesWithWork(
  videos: readonly Pick<MemberVideo, 'id' | 'category'>[],
  progress: ProgressByVideo,
): string[] {
  const open = videos.filter(({ id }) => (progress.get(id)?.tick.kind ?? 'sent') !== 'sent')
  return [...new Set(open.map(({ category }) => category))]
}

/** What is said where a tick could not be kept or was refused. */
export const tickFailure = (completed: boolean): string =>
  completed ? 'Failed to mark video as completed' : 'Failed to mark video as incomplete'
