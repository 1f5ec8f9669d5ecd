import { getTableName } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { blogPosts, blogRedirects } from '#api/db/schema/blog.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { memberPhotos, users } from '#api/db/schema/people.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { siteSettings } from '#api/db/schema/site-settings.ts'
import { memberVideos, videoProgress, videoTexts } from '#api/db/schema/videos.ts'
import { AppError } from '#api/errors.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { assertPlayable, assertPrivate } from '#api/features/media/video-files-service.ts'
import { assertSlugFree, checkedPost } from '#api/features/site/blog/admin-service.ts'
import { assertPicture, assertSound } from '#api/features/site/podcast/service.ts'
import { findMisfit } from '#api/features/site/settings/admin-service.ts'
import { assertPlayerAllowed } from '#api/features/videos/admin-service.ts'
import { followedFile } from '#api/features/videos/parts-service.ts'
import { assertVersionFits } from '#api/features/videos/shelf/versions-service.ts'
import { pictureSize } from '#api/pictures/drawing.ts'
import { VideoRequest } from '#shared/contract/admin-video.ts'
import { photoSide } from '#shared/contract/photo.ts'
import { SettingName } from '#shared/contract/site-settings.ts'
import { versionForms } from '#shared/contract/video-versions.ts'
import { aheadLimitMs } from '#shared/rules/progress-merge.ts'
import { pictureType } from '#shared/values/media.ts'
import type { ExportedTable } from './exported-rules.ts'
import type { Row } from './here-service.ts'

const refused = (message: string) => new AppError('invalid', message)

/** Nothing has happened later than now. A post may be published later. */
const isPastTime = (name: string) => /(At|Since)$|^(at|since)$/.test(name) && name !== 'publishedAt'

/** The row's columns, each a value that could have been typed or noted here. */
export function columnsOf(ctx: Context, { row: schema }: ExportedTable, given: Row): Row {
  if (schema === null) throw new Error('This file doesn’t come back.')
  const read = v.safeParse(schema, given, { message: 'This isn’t a value we know.' })
  if (!read.success) {
    const [issue] = read.issues
    throw refused(`${v.getDotPath(issue) ?? 'row'}: ${issue.message}`)
  }
  const latest = new Date(ctx.now().getTime() + aheadLimitMs).toISOString()
  const ahead = Object.keys(read.output).find((name) => isPastTime(name) && String(read.output[name] ?? '') > latest)
  if (ahead !== undefined) throw refused(`${ahead}: This is in the future.`)
  return read.output
}

const noText = v.fallback(v.string(), '')
const textOf = (row: Row, name: string): string => v.parse(noText, row[name])

type Check = (ctx: Context, row: Row) => Row

/** What the rows of a file need beside their columns' own checks: the checks of the form that makes such a row here. */
const checks: Readonly<Record<string, Check>> = {
  [getTableName(users)](ctx, row) {
    const { accessOverride = null, accessUntil = null, accessTier = null } = row
    if (accessOverride !== 'granted' && (accessUntil !== null || accessTier !== null))
      throw refused('accessUntil: Only access the owners gave has an end or a tier.')
    // It would be promoted the day its address is configured, with whatever is in this row.
    if (isKnownAddress(ctx, textOf(row, 'email'))) throw refused('email: This is an owner’s address.')
    return row
  },
  [getTableName(memberVideos)](ctx, row) {
    const isOurs = textOf(row, 'videoId') === ''
    const read = v.safeParse(VideoRequest, { ...row, filmFiles: isOurs ? [ctx.newId()] : [] })
    if (!read.success) throw refused(`${v.getDotPath(read.issues[0]) ?? 'row'}: ${read.issues[0].message}`)
    assertPlayerAllowed(ctx, read.output)
    const { title, description, videoType, videoId, embedUrl, category, duration } = read.output
    return { ...row, title, description, videoType, videoId, embedUrl, category, duration }
  },
  [getTableName(videoProgress)](_ctx, row) {
    if ((row.completed === true) !== (typeof row.completedAt === 'string'))
      throw refused('completedAt: It’s there if the video is ticked, and only then.')
    return row
  },
  [getTableName(commitments)](_ctx, row) {
    if ((row.state === 'done') !== (typeof row.doneOn === 'string'))
      throw refused('doneOn: It’s there if it was done, and only then.')
    return row
  },
  [getTableName(videoFiles)](ctx, row) {
    assertPlayable(ctx, textOf(row, 'mediaId'))
    return row
  },
  [getTableName(videoHandouts)](ctx, row) {
    assertPrivate(ctx, textOf(row, 'mediaId'))
    return row
  },
  [getTableName(videoVersions)](ctx, row) {
    assertVersionFits(ctx, v.parse(v.picklist(versionForms), row.form), textOf(row, 'mediaId'))
    return row
  },
  [getTableName(blogPosts)](ctx, row) {
    const { content, publishedAt } = checkedPost(ctx, row)
    return { ...row, content, publishedAt }
  },
  [getTableName(blogRedirects)](ctx, row) {
    assertSlugFree(ctx, textOf(row, 'slug'), textOf(row, 'postId'))
    return row
  },
  [getTableName(podcastEpisodes)](ctx, row) {
    assertSound(ctx, textOf(row, 'mediaId'))
    return row
  },
  [getTableName(siteSettings)](ctx, row) {
    const name = v.parse(SettingName, row.name)
    const misfit = findMisfit(ctx, { name, value: textOf(row, 'value') })
    if (misfit !== null) throw refused(`${name}: ${misfit}.`)
    return row
  },
}

export const checkedRow = (ctx: Context, { table }: ExportedTable, row: Row): Row =>
  checks[getTableName(table)]?.(ctx, row) ?? row

const bytesChecks: Readonly<Record<string, (ctx: Context, row: Row) => Promise<Row>>> = {
  async [getTableName(memberPhotos)](_ctx, row) {
    const bytes = new Uint8Array(Buffer.from(textOf(row, 'content'), 'base64'))
    const size = pictureType(bytes) === 'image/webp' ? await pictureSize(bytes).catch(() => null) : null
    if (size?.width !== photoSide || size.height !== photoSide) throw refused('content: This isn’t a photo of ours.')
    return row
  },
  async [getTableName(podcastEpisodes)](ctx, row) {
    await assertPicture(ctx, typeof row.pictureId === 'string' ? row.pictureId : null)
    return row
  },
  async [getTableName(videoTexts)](ctx, row) {
    const captionsFrom = typeof row.captionsFrom === 'string' ? row.captionsFrom : null
    return { ...row, captionsFrom: await followedFile(ctx, { captions: textOf(row, 'captions'), captionsFrom }) }
  },
}

/** What takes a file's bytes to check. It comes before the transaction that writes the row. */
export async function withCheckedBytes(ctx: Context, { table }: ExportedTable, row: Row): Promise<Row> {
  return (await bytesChecks[getTableName(table)]?.(ctx, row)) ?? row
}
export const hasBytes = ({ table }: ExportedTable): boolean => getTableName(table) in bytesChecks
