import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import { allTiers, assertTiers } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { embeddedOrigins, siteSettings } from '#api/site/settings.ts'
import { type VideoChangeRequest, VideoRequest, WholeVideo } from '#shared/contract/admin-video.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { settingOption } from '#shared/contract/site-settings.ts'
import { londonDay } from '#shared/rules/london.ts'
import { videoHosts } from '#shared/rules/video.ts'
import { slugOf } from '#shared/values/posts.ts'
import { allSlugs } from './admin-queries.ts'
import { asListed } from './categories-service.ts'
import { findVideo, readWholeVideo } from './find-service.ts'
import { isInPlace, placeVideo } from './order-service.ts'
import { followedFile, writeParts } from './parts-service.ts'
import { tellOfVideo } from './tell-service.ts'

/** Repeating a request with the same key adds nothing. */
export async function addVideo(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: VideoRequest; key: string | undefined },
): Promise<WholeVideo> {
  assertPlayerAllowed(ctx, request)
  const captionsFrom = await followedFile(ctx, request)
  const added = runOncePerKey(ctx, { scope: 'video', key, body: request }, WholeVideo, () => {
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const { category, tierAccess = allTiers(ctx).map(({ slug }) => slug) } = request
    assertTiers(ctx, 'tierAccess', tierAccess)
    const wanted = { ...request, tierAccess, category: asListed(ctx, category), captionsFrom }
    const row = { id, slug: freeSlug(ctx, request.title), ...columnsOf(wanted), createdAt: at, updatedAt: at }
    insertRow(ctx, memberVideos, row)
    setVideoTiers(ctx, id, tierAccess)
    audit(ctx, owner.actor, 'video.added', { targetId: id, detail: { title: request.title } })
    writeParts(ctx, owner, { id, wanted, changed: changedNames(nothing, wanted) })
    if (isVisible(ctx, wanted)) tellOfVideo(ctx, id)
    return placed(ctx, id, request.place)
  })
  invalidateResponses(ctx, ['pages'])
  return added
}

const nothing = { notes: null, transcript: null, captions: null, captionsFrom: null, filmFiles: [], handoutFiles: [] }

/** What `member_videos` holds of a request. */
function columnsOf(request: VideoRequest) {
  const { notes, transcript, captions, captionsFrom, filmFiles, handoutFiles, tierAccess, place, ...columns } = request
  return columns
}

function placed(ctx: Context, id: string, place: VideoRequest['place']): WholeVideo {
  if (place !== undefined) placeVideo(ctx, findVideo(ctx, id), place)
  return readWholeVideo(ctx, id)
}

/** The title as a slug, numbered if another video has that slug or had it when it was added. */
function freeSlug(ctx: Context, title: string): string {
  const slug = slugOf(title) || 'video'
  const taken = new Set(allSlugs.all(ctx).map((video) => video.slug))
  let place = 2
  while (taken.has(`${slug}-${place}`)) place += 1
  return taken.has(slug) ? `${slug}-${place}` : slug
}

type Change = { id: string; request: VideoChangeRequest }

/** Sending the same change again after a lost response isn't a conflict. */
export async function changeVideo(ctx: Context, owner: Owner, { id, request }: Change): Promise<WholeVideo> {
  const { captions, captionsFrom } = readWholeVideo(ctx, id)
  const followed = await followedFile(ctx, { captions, captionsFrom, ...request })
  const changed = transact(ctx, () => {
    const current = readWholeVideo(ctx, id)
    const { version, place, ...fields } = request
    const read = readVideo({ ...current, ...fields })
    const category = read.category === current.category ? current.category : asListed(ctx, read.category)
    const wanted = { ...read, category, captionsFrom: followed }
    const names = changedNames(current, wanted)
    if (names.some((name) => playerFields.includes(name))) assertPlayerAllowed(ctx, wanted)
    assertTiers(ctx, 'tierAccess', wanted.tierAccess ?? [])
    if (names.length === 0 && (place === undefined || isInPlace(ctx, current, place))) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    const columns = columnsOf(wanted)
    ctx.db
      .update(memberVideos)
      .set({ ...columns, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(memberVideos.id, id))
      .run()
    if (names.includes('tierAccess')) setVideoTiers(ctx, id, wanted.tierAccess ?? [])
    writeParts(ctx, owner, { id, wanted, changed: names })
    const own = [
      ...names.filter((name) => name in columns || name === 'tierAccess'),
      ...(place === undefined ? [] : ['orderIndex']),
    ]
    const detail = { title: wanted.title, fields: [...new Set(own)] }
    if (isVisible(ctx, wanted) && !isVisible(ctx, current)) tellOfVideo(ctx, id)
    if (own.length > 0) audit(ctx, owner.actor, 'video.changed', { targetId: id, detail })
    return placed(ctx, id, place)
  })
  invalidateResponses(ctx, ['pages'])
  return changed
}

/** To members whose tier has it. */
const isVisible = (ctx: Context, { isPublished, availableFrom }: Pick<VideoRequest, 'isPublished' | 'availableFrom'>) =>
  isPublished && (availableFrom === null || availableFrom <= londonDay(ctx.now()))

function readVideo(given: unknown): VideoRequest {
  const read = v.safeParse(VideoRequest, given)
  if (read.success) return read.output
  throw new AppError('invalid', 'Check the marked fields.', { fields: messagesByField(read.issues) })
}

const playerFields = ['videoType', 'videoId', 'embedUrl']

type Player = Pick<VideoRequest, 'videoType' | 'videoId' | 'embedUrl'>

/** Refuses a player our CSP doesn't allow, as its frame would stay empty. */
export function assertPlayerAllowed(ctx: Context, player: Player): void {
  const message = playerProblem(ctx, player)
  if (message === null) return
  throw new AppError('invalid', message, { fields: { [player.embedUrl === null ? 'videoId' : 'embedUrl']: message } })
}

export function playerProblem(ctx: Context, { videoType, videoId, embedUrl }: Player): string | null {
  const isEmbed = videoType === 'embed'
  const address = isEmbed ? (embedUrl ?? videoId) : embedUrl
  if (!address) return null
  const allowed: readonly string[] = isEmbed ? embeddedOrigins(siteSettings(ctx)) : videoHosts
  const { origin, host } = new URL(address)
  if (allowed.includes(origin)) return null
  return isEmbed
    ? `You can’t embed ${host} yet. Add it under “${settingOption('EMBED_HOSTS').label}” in Settings.`
    : `A ${host} player doesn’t fit this type of video. Leave it empty, or choose Embed.`
}

function changedNames(before: Record<string, unknown>, wanted: VideoRequest): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
    .map(([name]) => name)
}

/** Also removes members' ticks on it. */
export function removeVideo(ctx: Context, owner: Owner, { id, version }: { id: string; version?: number | undefined }) {
  transact(ctx, () => {
    const current = findVideo(ctx, id)
    if (version !== undefined && version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(memberVideos).where(eq(memberVideos.id, id)).run()
    audit(ctx, owner.actor, 'video.removed', { targetId: id, detail: { title: current.title } })
  })
  invalidateResponses(ctx, ['pages'])
  return { success: true as const }
}
