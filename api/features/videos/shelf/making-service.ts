import { rmSync } from 'node:fs'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { perDatabase } from '#api/db/query.ts'
import { skippedVersions, videoVersions } from '#api/db/schema/shelf.ts'
import { AppError } from '#api/errors.ts'
import { assertSound, detectFormat } from '#api/features/media/content-rules.ts'
import { removeUnusedMedia } from '#api/features/media/library-service.ts'
import { assertFits, keepMedia, mediaFile, newIncomingPath, readIncoming } from '#api/features/media/store-service.ts'
import { roomOfLibrary } from '#api/features/media/upload-service.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { convert } from '#api/video-files/convert.ts'
import type { Tools } from '#api/video-files/tools.ts'
import type { SkipReason, VersionForm } from '#shared/contract/video-versions.ts'
import { isHardToShow } from '#shared/rules/video-tracks.ts'
import { pieceBytes } from '#shared/values/media.ts'
import { deletedSkip, deletedVersion, type VersionsRow, videosWithVersions } from './versions-queries.ts'
import { standingOf, type VideoFile, versionIn } from './versions-rules.ts'

/** What this process is making, for an owner who watches. `film` is a SHA-256. */
type Making = { film: string | null; form: VersionForm; percent: number }

export const makingNow = perDatabase((): Making => ({ film: null, form: 'light', percent: 0 }))

type Task = { film: VideoFile; form: VersionForm }

const formats = { light: 'mp4', sound: 'm4a' } as const
/** What owners read after the file's name. */
const nameEndings = { light: 'light', sound: 'audio' }
/** A version has to be at least this much smaller than the file to be worth a second file. */
const mostOfFile = 0.9

/** One that shows the picture everywhere may be larger than the file that doesn't. */
const mostBytesOf = (videoFile: VideoFile, form: VersionForm): number =>
  form === 'light' && isHardToShow(videoFile.codec ?? '')
    ? 4 * videoFile.bytes + pieceBytes
    : videoFile.bytes * mostOfFile

/** Makes a version for every video that plays the file and misses it. `full`: there's no room for it. */
export async function makeVersion(ctx: Context, tools: Tools, task: Task & { stopping: AbortSignal | undefined }) {
  const { film: videoFile, form, stopping } = task
  const mostBytes = Math.floor(mostBytesOf(videoFile, form))
  if (!hasRoom(ctx, mostBytes)) return 'full'
  const target = newIncomingPath(ctx)
  const making = makingNow(ctx.db)
  Object.assign(making, { film: videoFile.sha256, form, percent: 0 })
  try {
    const source = { path: mediaFile(ctx, videoFile), format: videoFile.format }
    const onPercent = (percent: number) => {
      making.percent = percent
    }
    const outcome = await convert(tools, { form, source, target, mostBytes, stopping, onPercent })
    if (outcome === 'unable') return outcome
    if (outcome === 'stopped') return recordStop(ctx, task)
    const refusal = outcome ?? (await keepVersion(ctx, task, target))
    return refusal === null ? 'made' : skipVersion(ctx, task, refusal)
  } finally {
    making.film = null
    rmSync(target, { force: true })
  }
}

function hasRoom(ctx: Context, bytes: number): boolean {
  const { bytes: stored, quota } = roomOfLibrary(ctx)
  if (stored + bytes > quota) return false
  try {
    assertFits(ctx, bytes)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'busy') return false
    throw error
  }
}

/** Goes through the store's own check, as an upload does: ffmpeg read a file from outside. */
async function keepVersion(ctx: Context, task: Task, path: string): Promise<'refused' | null> {
  const content = Bun.file(path)
  const format = formats[task.form]
  try {
    if ((await detectFormat(content)) !== format) return 'refused'
    await assertSound(content, format)
  } catch (error) {
    if (error instanceof AppError) return 'refused'
    throw error
  }
  const incoming = await readIncoming(path, format)
  const name = `${task.film.name.replace(/\.\w+$/, '')} (${nameEndings[task.form]}).${format}`
  attach(ctx, task, () => keepMedia(ctx, incoming, { name, isPublic: false }).id)
  return null
}

/** Takes the version another video has of the same file. */
export function reuseVersion(ctx: Context, task: Task): boolean {
  const known = videosWithVersions
    .all(ctx, { videoId: null })
    .map((row) => versionIn(row, task.form))
    .find((version) => version?.madeFrom === task.film.sha256)
  if (known) attach(ctx, task, () => known.mediaId)
  return known !== undefined
}

/** The videos that still want it: owners may have replaced the file, or given their own version, meanwhile. */
const wanting = (ctx: Context, { film: videoFile, form }: Task): VersionsRow[] =>
  videosWithVersions
    .all(ctx, { videoId: null })
    .filter((row) => row.film?.sha256 === videoFile.sha256 && standingOf(row, form).state === 'waiting')

/** The version before stays until here. */
function attach(ctx: Context, task: Task, store: () => string): void {
  const { film: videoFile, form } = task
  const unused = transact(ctx, () => {
    const rows = wanting(ctx, task)
    if (rows.length === 0) return []
    const mediaId = store()
    for (const { videoId, title } of rows) {
      upsert(ctx, videoVersions, { videoId, form, mediaId, madeFrom: videoFile.sha256 })
      deletedSkip.run(ctx, { videoId, form })
      audit(ctx, 'system', 'video.version_made', { targetId: videoId, detail: { title, form } })
    }
    return rows.flatMap((row) => versionIn(row, form)?.mediaId ?? [])
  })
  renewSources(ctx)
  for (const id of unused) removeUnusedMedia(ctx, id)
}

/** Members' lists name the light version among a video's sources. */
export const renewSources = (ctx: Context): void => invalidateResponses(ctx, ['pages'])

/** A version of the file before goes too: it's of another file. */
function skipVersion(ctx: Context, task: Task, reason: SkipReason): 'refused' {
  const { film: videoFile, form } = task
  const at = ctx.now().toISOString()
  const unused = transact(ctx, () => {
    const rows = wanting(ctx, task)
    for (const { videoId, title } of rows) {
      upsert(ctx, skippedVersions, { videoId, form, film: videoFile.sha256, reason, at })
      deletedVersion.run(ctx, { videoId, form })
      audit(ctx, 'system', 'video.version_refused', { targetId: videoId, detail: { title, form, reason } })
    }
    return rows.flatMap((row) => versionIn(row, form)?.mediaId ?? [])
  })
  renewSources(ctx)
  for (const id of unused) removeUnusedMedia(ctx, id)
  return 'refused'
}

function recordStop(ctx: Context, task: Task): 'stopped' {
  transact(ctx, () => {
    for (const { videoId, title } of wanting(ctx, task))
      audit(ctx, 'system', 'video.version_stopped', { targetId: videoId, detail: { title, form: task.form } })
  })
  return 'stopped'
}

export function forgetVersion(ctx: Context, row: VersionsRow, form: VersionForm): void {
  const version = versionIn(row, form)
  if (version === null) return
  deletedVersion.run(ctx, { videoId: row.videoId, form })
  renewSources(ctx)
  removeUnusedMedia(ctx, version.mediaId)
}
