import type { LessonVersion, VersionForm } from '#shared/contract/lesson-versions.ts'
import { isHardToShow } from '#shared/rules/film-tracks.ts'
import { kindOfMedia, pieceBytes } from '#shared/values/media.ts'
import type { FilmRow } from './versions-queries.ts'

export type Film = NonNullable<FilmRow['film']>

export const versionIn = (row: FilmRow, form: VersionForm) => (form === 'light' ? row.light : row.sound)

const skipIn = (row: FilmRow, form: VersionForm) => (form === 'light' ? row.noLight : row.noSound)

/**
 * A film of one piece is as light as it needs to be, and what is sound already has no light version. Where only some devices show the
 * film, the others play its light version.
 */
const isNeeded = (film: Film, form: VersionForm): boolean =>
  form === 'light'
    ? kindOfMedia(film.format) === 'film' && (film.bytes > pieceBytes || isHardToShow(film.codec ?? ''))
    : film.bytes > pieceBytes

/** Where a version stands, apart from what this machine can and is doing. */
export function standingOf(row: FilmRow, form: VersionForm): Pick<LessonVersion, 'state' | 'reason'> {
  const [version, skip, film] = [versionIn(row, form), skipIn(row, form), row.film]
  if (version !== null && version.madeFrom === null) return { state: 'given', reason: null }
  if (film === null) return { state: 'not-needed', reason: null }
  if (version?.madeFrom === film.sha256) return { state: 'made', reason: null }
  if (skip?.film === film.sha256) return { state: 'skipped', reason: skip.reason }
  return { state: isNeeded(film, form) ? 'waiting' : 'not-needed', reason: null }
}

/** A version we made of a film that's gone, with nothing to take its place. */
export const isLeftOver = (row: FilmRow, form: VersionForm): boolean => {
  const made = versionIn(row, form)?.madeFrom ?? null
  return made !== null && made !== row.film?.sha256 && standingOf(row, form).state !== 'waiting'
}
