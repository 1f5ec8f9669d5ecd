import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { keptVideos } from '#api/db/schema/shelf.ts'
import { AppError } from '#api/errors.ts'
import type { MediaRow } from '#api/features/media/queries.ts'
import { visibleVideos } from '#api/features/videos/progress/visibility-service.ts'
import { audienceOf } from '#api/identity/audience.ts'
import type { Member } from '#api/identity/person.ts'
import type { KeptVideos, Shelf, ShelfFile } from '#shared/contract/shelf.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isInTier } from '#shared/rules/video.ts'
import { mediaAddress, pieceBytes } from '#shared/values/media.ts'
import { forgetOthers, keepableVideos, keptBySession } from './queries.ts'

type StoredFile = Pick<MediaRow, 'id' | 'format' | 'bytes' | 'sha256'>

const toFile = ({ id, format, bytes, sha256 }: StoredFile): ShelfFile => ({
  address: mediaAddress({ id, format, isPublic: false }),
  format,
  bytes,
  sha256,
})

const toFileOrNull = (file: StoredFile | null): ShelfFile | null => file && toFile(file)

/** Empty while an owner views as a member: a phone keeps only what its own login may see. */
export function readShelf(ctx: Context, member: Member): Shelf {
  if (member.impersonator) return { lessons: [], kept: [] }
  const audience = audienceOf(member)
  const videos = keepableVideos
    .all(ctx, { today: londonDay(ctx.now()), pieceBytes })
    .filter((video) => audience === 'owner' || isInTier(video, audience))
    .map(({ videoId, isReady, film: videoFile, light, sound }) => ({
      videoId,
      isPreparing: videoFile !== null && !isReady,
      film: toFileOrNull(videoFile),
      light: toFileOrNull(light),
      sound: toFileOrNull(sound),
    }))
  return { lessons: videos, ...(member.sid === null ? { kept: [] } : keptBy(ctx, member.sid)) }
}

const keptBy = (ctx: Context, sid: string) => ({
  kept: keptBySession.all(ctx, { sid }).map(({ videoId }) => videoId),
})

/** Replaces what this login's phone keeps. Leaves out videos this member can't see. */
export function rememberKept(ctx: Context, member: Member, { videoIds }: KeptVideos): KeptVideos {
  const { sid } = member
  if (sid === null) throw new AppError('conflict', 'Keeping videos needs a browser.')
  return transact(ctx, () => {
    const visible = [...visibleVideos(ctx, member, videoIds)]
    forgetOthers.run(ctx, { sid, videoIds: JSON.stringify(visible) })
    const keptAt = ctx.now().toISOString()
    for (const videoId of visible) insertIfAbsent(ctx, keptVideos, { sid, videoId, keptAt })
    return { videoIds: keptBy(ctx, sid).kept }
  })
}
