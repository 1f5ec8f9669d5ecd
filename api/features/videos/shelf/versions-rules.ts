import type { VersionForm, VideoVersion } from '#shared/contract/video-versions.ts'
import { isHardToShow } from '#shared/rules/video-tracks.ts'
import { kindOfMedia, pieceBytes } from '#shared/values/media.ts'
import type { VersionsRow } from './versions-queries.ts'

export type VideoFile = NonNullable<VersionsRow['film']>

export const versionIn = (row: VersionsRow, form: VersionForm) => (form === 'light' ? row.light : row.sound)

const skipIn = (row: VersionsRow, form: VersionForm) => (form === 'light' ? row.noLight : row.noSound)

/**
 * A file of one piece is as light as it needs to be, and what is sound already has no light version. Where only some devices show the
 * file, the others play its light version.
 */
const isNeeded = (videoFile: VideoFile, form: VersionForm): boolean =>
  form === 'light'
    ? kindOfMedia(videoFile.format) === 'film' && (videoFile.bytes > pieceBytes || isHardToShow(videoFile.codec ?? ''))
    : videoFile.bytes > pieceBytes

/** Where a version stands, apart from what this machine can and is doing. */
export function standingOf(row: VersionsRow, form: VersionForm): Pick<VideoVersion, 'state' | 'reason'> {
  const [version, skip, videoFile] = [versionIn(row, form), skipIn(row, form), row.film]
  if (version !== null && version.madeFrom === null) return { state: 'given', reason: null }
  if (videoFile === null) return { state: 'not-needed', reason: null }
  if (version?.madeFrom === videoFile.sha256) return { state: 'made', reason: null }
  if (skip?.film === videoFile.sha256) return { state: 'skipped', reason: skip.reason }
  return { state: isNeeded(videoFile, form) ? 'waiting' : 'not-needed', reason: null }
}

/** A version we made of a file that's gone, with nothing to take its place. */
export const isLeftOver = (row: VersionsRow, form: VersionForm): boolean => {
  const made = versionIn(row, form)?.madeFrom ?? null
  return made !== null && made !== row.film?.sha256 && standingOf(row, form).state !== 'waiting'
}
