import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { skippedVersions, videoVersions } from '#api/db/schema/shelf.ts'
import { AppError, notFound } from '#api/errors.ts'
import { removeUnusedMedia } from '#api/features/media/library-service.ts'
import { mediaById } from '#api/features/media/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { findTools } from '#api/video-files/tools.ts'
import { wakeVersions } from '#api/video-files/wake-up.ts'
import {
  type VersionForm,
  type VideoVersion,
  type VideoVersions,
  versionForms,
} from '#shared/contract/video-versions.ts'
import { kindOfMedia, mediaAddress } from '#shared/values/media.ts'
import { makingNow, renewSources } from './making-service.ts'
import {
  deletedSkip,
  deletedVersion,
  givenFiles,
  phonesThatKeep,
  type VersionsRow,
  videosWithVersions,
} from './versions-queries.ts'
import { standingOf, versionIn } from './versions-rules.ts'

function findVersionsRow(ctx: Context, videoId: string): VersionsRow {
  const row = videosWithVersions.get(ctx, { videoId })
  if (row === undefined) throw notFound('This video')
  return row
}

export function readVersions(ctx: Context, videoId: string): VideoVersions {
  const row = findVersionsRow(ctx, videoId)
  return {
    phones: phonesThatKeep.get(ctx, { videoId, now: ctx.now().toISOString() })?.phones ?? 0,
    film: row.film && { name: row.film.name, format: row.film.format, bytes: row.film.bytes },
    versions: versionForms.map((form) => toVersion(ctx, row, form)),
  }
}

function toVersion(ctx: Context, row: VersionsRow, form: VersionForm): VideoVersion {
  const standing = standingOf(row, form)
  const file = fileOf(ctx, versionIn(row, form)?.mediaId)
  if (standing.state !== 'waiting') return { form, ...standing, percent: null, file }
  const making = makingNow(ctx.db)
  if (making.film === row.film?.sha256 && making.form === form)
    return { form, state: 'making', reason: null, percent: making.percent, file }
  return { form, state: findTools(ctx) === null ? 'unable' : 'waiting', reason: null, percent: null, file }
}

function fileOf(ctx: Context, id: string | undefined): VideoVersion['file'] {
  const row = id === undefined ? undefined : mediaById.get(ctx, { id })
  if (row === undefined) return null
  const { name, format, bytes } = row
  return { id: row.id, name, format, bytes, address: mediaAddress({ ...row, isPublic: false }) }
}

export type Which = { id: string; form: VersionForm }

/** An owner's own file. We never replace it. */
export function giveVersion(ctx: Context, owner: Owner, { id, form, file }: Which & { file: string }): VideoVersions {
  const before = transact(ctx, () => {
    const row = findVersionsRow(ctx, id)
    assertVersionFits(ctx, form, file)
    const before = versionIn(row, form)
    upsert(ctx, videoVersions, { videoId: id, form, mediaId: file, madeFrom: null })
    deletedSkip.run(ctx, { videoId: id, form })
    audit(ctx, owner.actor, 'video.version_given', { targetId: id, detail: { title: row.title, form } })
    return before
  })
  renewSources(ctx)
  if (before !== null && before.madeFrom !== null) removeUnusedMedia(ctx, before.mediaId)
  return readVersions(ctx, id)
}

export function assertVersionFits(ctx: Context, form: VersionForm, file: string): void {
  const row = mediaById.get(ctx, { id: file })
  const kind = form === 'light' ? 'film' : 'sound'
  if (row !== undefined && !row.isPublic && kindOfMedia(row.format) === kind) return
  const message = form === 'light' ? 'Choose a members-only video file.' : 'Choose a members-only audio file.'
  throw new AppError('invalid', message, { fields: { file: message } })
}

/** Takes a version away. One that we made isn't made again unless an owner asks. */
export function removeVersion(ctx: Context, owner: Owner, { id, form }: Which): VideoVersions {
  const removed = transact(ctx, () => {
    const row = findVersionsRow(ctx, id)
    const version = versionIn(row, form)
    if (version === null) return null
    deletedVersion.run(ctx, { videoId: id, form })
    if (version.madeFrom !== null && row.film !== null) {
      const at = ctx.now().toISOString()
      upsert(ctx, skippedVersions, { videoId: id, form, film: row.film.sha256, reason: 'removed', at })
    }
    audit(ctx, owner.actor, 'video.version_removed', { targetId: id, detail: { title: row.title, form } })
    return version
  })
  renewSources(ctx)
  if (removed !== null && removed.madeFrom !== null) removeUnusedMedia(ctx, removed.mediaId)
  wakeVersions(ctx)
  return readVersions(ctx, id)
}

/** Makes a version after all: one that was removed, or that failed. */
export function askForVersion(ctx: Context, owner: Owner, { id, form }: Which): VideoVersions {
  transact(ctx, () => {
    const { title } = findVersionsRow(ctx, id)
    if (deletedSkip.run(ctx, { videoId: id, form }).changes === 0) return
    audit(ctx, owner.actor, 'video.version_asked', { targetId: id, detail: { title, form } })
  })
  wakeVersions(ctx)
  return readVersions(ctx, id)
}

/** The addresses of what owners gave, by video. */
export function givenVersions(ctx: Context): ReadonlyMap<string, Partial<Record<VersionForm, string>>> {
  const given = new Map<string, Partial<Record<VersionForm, string>>>()
  for (const { videoId, form, id, format } of givenFiles.all(ctx))
    given.set(videoId, { ...given.get(videoId), [form]: mediaAddress({ id, format, isPublic: false }) })
  return given
}
