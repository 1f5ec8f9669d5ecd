import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { pictureSize } from '#api/pictures/drawing.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { AdminEpisode, type EpisodeChangeRequest, type EpisodeRequest } from '#shared/contract/podcast.ts'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { isPodcastPicture, isPodcastSound, mediaAddress, problemOfPodcastPicture } from '#shared/values/media.ts'
import { allEpisodes, type EpisodeRow, episodeById, publishedEpisodes } from './queries.ts'

const toAdminEpisode = ({ bytes: _, ...row }: EpisodeRow): AdminEpisode => row

/** Drafts first, then the newest. */
export const listEpisodes = (ctx: Context): AdminEpisode[] => allEpisodes.all(ctx).map(toAdminEpisode)

export function readEpisode(ctx: Context, id: string): AdminEpisode {
  const row = episodeById.get(ctx, { id })
  if (row === undefined) throw notFound('This episode')
  return toAdminEpisode(row)
}

/** Repeating a request with the same key creates nothing. */
export async function createEpisode(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: EpisodeRequest; key: string | undefined },
): Promise<AdminEpisode> {
  await assertPicture(ctx, request.pictureId)
  const created = runOncePerKey(ctx, { scope: 'episode', key, body: request }, AdminEpisode, () => {
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const episode = toStored(ctx, request, null)
    insertRow(ctx, podcastEpisodes, { id, ...episode, createdAt: at, updatedAt: at })
    audit(ctx, owner.actor, 'episode.added', { targetId: id, detail: { title: episode.title } })
    return readEpisode(ctx, id)
  })
  invalidateResponses(ctx, ['pages'])
  return created
}

/** Sending the same change again after a lost response isn't a conflict. */
export async function changeEpisode(
  ctx: Context,
  owner: Owner,
  { id, request: { version, ...fields } }: { id: string; request: EpisodeChangeRequest },
): Promise<AdminEpisode> {
  await assertPicture(ctx, fields.pictureId)
  const changed = transact(ctx, () => {
    const current = readEpisode(ctx, id)
    const wanted = toStored(ctx, fields, current)
    const before: Record<string, unknown> = current
    const names = Object.entries(wanted).flatMap(([name, value]) => (value === before[name] ? [] : [name]))
    if (names.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    ctx.db
      .update(podcastEpisodes)
      .set({ ...wanted, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(podcastEpisodes.id, id))
      .run()
    audit(ctx, owner.actor, 'episode.changed', { targetId: id, detail: { title: wanted.title, fields: names } })
    return readEpisode(ctx, id)
  })
  invalidateResponses(ctx, ['pages'])
  return changed
}

/** The audio stays in the library. */
export function removeEpisode(
  ctx: Context,
  owner: Owner,
  { id, version }: { id: string; version?: number | undefined },
) {
  transact(ctx, () => {
    const current = readEpisode(ctx, id)
    if (version !== undefined && version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(podcastEpisodes).where(eq(podcastEpisodes.id, id)).run()
    audit(ctx, owner.actor, 'episode.removed', { targetId: id, detail: { title: current.title } })
  })
  invalidateResponses(ctx, ['pages'])
  return { success: true as const }
}

/** An episode published without a time gets that of its first publication. */
function toStored(ctx: Context, episode: EpisodeRequest, current: AdminEpisode | null): EpisodeRequest {
  assertSound(ctx, episode.mediaId)
  const first = current?.publishedAt ?? ctx.now().toISOString()
  const given = episode.publishedAt && new Date(episode.publishedAt).toISOString()
  return { ...episode, publishedAt: given ?? (episode.isPublished ? first : null) }
}

/** Podcast apps fetch it without a login. */
export function assertSound(ctx: Context, id: string): void {
  const row = mediaById.get(ctx, { id })
  if (row?.isPublic && isPodcastSound(row.format)) return
  const message = 'Choose a public MP3 or M4A from the library.'
  throw new AppError('invalid', message, { fields: { mediaId: message } })
}

/** Directories fetch it without a login, and skip a picture that doesn't meet their rules. */
export async function assertPicture(ctx: Context, id: string | null): Promise<void> {
  if (id === null) return
  const row = mediaById.get(ctx, { id })
  const problem =
    row?.isPublic && isPodcastPicture(row.format)
      ? problemOfPodcastPicture(await pictureSize(mediaFile(ctx, row)))
      : 'Choose a public JPEG or PNG from the library.'
  if (problem !== null) throw new AppError('invalid', problem, { fields: { pictureId: problem } })
}

/** The page's text. The owners' episodes replace the samples and come before episodes written into the page. */
export function withOwnEpisodes(ctx: Context, text: PodcastText): PodcastText {
  const own = publishedEpisodes(ctx).map(({ title, summary, notes, seconds, mediaId, mediaFormat }) => ({
    title,
    text: summary,
    seconds,
    ...(notes === null ? {} : { notes }),
    files: [mediaAddress({ id: mediaId, format: mediaFormat, isPublic: true })],
  }))
  if (own.length === 0) return text
  const list = [...own, ...text.episodes.list.filter(({ isSample }) => isSample !== true)]
  return { ...text, episodes: { ...text.episodes, list } }
}
