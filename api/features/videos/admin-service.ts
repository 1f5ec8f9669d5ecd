import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import { siteSettings } from '#api/features/settings/service.ts'
import { runOncePerKey } from '#api/http/idempotency.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import { framedOrigins } from '#api/http/security-headers.ts'
import type { Owner } from '#api/http/session.ts'
import { AdminVideo, AdminVideoList, type VideoChangeRequest, VideoRequest } from '#shared/contract/admin-video.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { slugOf } from '#shared/rules/posts.ts'
import { inCategoryOrder, videoHosts } from '#shared/rules/video.ts'
import { allSlugs, allVideos, videoById } from './admin-queries.ts'
import { categoryOrder } from './categories-service.ts'

/** Includes drafts, by category as members see them. */
export const listAllVideos = (ctx: Context): AdminVideo[] =>
  inCategoryOrder(v.parse(AdminVideoList, allVideos.all(ctx)), categoryOrder(ctx))

export function findVideo(ctx: Context, id: string): AdminVideo {
  const row = videoById.get(ctx, { id })
  if (row === undefined) throw notFound('This video')
  return v.parse(AdminVideo, row)
}

/** Repeating a request with the same key adds nothing. */
export function addVideo(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: VideoRequest; key: string | undefined },
): AdminVideo {
  assertPlayerAllowed(ctx, request)
  const added = runOncePerKey(ctx, { scope: 'video', key, body: request }, AdminVideo, () => {
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    insertRow(ctx, memberVideos, { id, slug: freeSlug(ctx, request.title), ...request, createdAt: at, updatedAt: at })
    audit(ctx, owner.actor, 'video.added', { targetId: id, detail: { title: request.title } })
    return findVideo(ctx, id)
  })
  invalidateResponses(ctx)
  return added
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
export function changeVideo(ctx: Context, owner: Owner, { id, request }: Change): AdminVideo {
  const changed = transact(ctx, () => {
    const current = findVideo(ctx, id)
    const { version, ...fields } = request
    const wanted = readVideo({ ...current, ...fields })
    const names = changedNames(current, wanted)
    if (names.some((name) => playerFields.includes(name))) assertPlayerAllowed(ctx, wanted)
    if (names.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    ctx.db
      .update(memberVideos)
      .set({ ...wanted, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(memberVideos.id, id))
      .run()
    audit(ctx, owner.actor, 'video.changed', { targetId: id, detail: { title: wanted.title, fields: names } })
    return findVideo(ctx, id)
  })
  invalidateResponses(ctx)
  return changed
}

function readVideo(given: unknown): VideoRequest {
  const read = v.safeParse(VideoRequest, given)
  if (read.success) return read.output
  throw new AppError('invalid', 'Check the marked fields.', { fields: messagesByField(read.issues) })
}

const playerFields = ['videoType', 'videoId', 'embedUrl']

/** Refuses a player our CSP doesn't allow, as its frame would stay empty. */
function assertPlayerAllowed(ctx: Context, { videoType, videoId, embedUrl }: VideoRequest): void {
  const isEmbed = videoType === 'embed'
  const address = isEmbed ? (embedUrl ?? videoId) : embedUrl
  if (address === null) return
  const allowed: readonly string[] = isEmbed ? framedOrigins(siteSettings(ctx)) : videoHosts
  const { origin, host } = new URL(address)
  if (allowed.includes(origin)) return
  const message = isEmbed
    ? `You can’t embed ${host} yet. Add it to EMBED_HOSTS in Settings.`
    : `A ${host} player doesn’t fit this type of video. Leave it empty, or choose Embed.`
  throw new AppError('invalid', message, { fields: { [embedUrl === null ? 'videoId' : 'embedUrl']: message } })
}

function changedNames(current: AdminVideo, wanted: VideoRequest): string[] {
  const before: Record<string, unknown> = current
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
  invalidateResponses(ctx)
  return { success: true as const }
}
