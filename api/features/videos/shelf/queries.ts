import { and, eq, gte, isNotNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isTrue } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { media, mediaPieces, videoFiles } from '#api/db/schema/media.ts'
import { keptVideos, videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { tiersOfVideo } from '#api/db/video-tiers.ts'
import { isShownOn } from '#api/features/media/shown-queries.ts'

const [lightVersion, lightMedia] = [alias(videoVersions, 'lightVersion'), alias(media, 'lightMedia')]
const [soundVersion, soundMedia] = [alias(videoVersions, 'soundVersion'), alias(media, 'soundMedia')]

type FileColumns<Id, Format, Bytes, Sha256> = { id: Id; format: Format; bytes: Bytes; sha256: Sha256 }

const fileOf = <Id, Format, Bytes, Sha256>({ id, format, bytes, sha256 }: FileColumns<Id, Format, Bytes, Sha256>) => ({
  id,
  format,
  bytes,
  sha256,
})

/** Published videos with a file of ours: their first file, a light version or sound. */
export const keepableVideos = preparedQuery<{ today: string; pieceBytes: number }>()((db, { today, pieceBytes }) => {
  const knownPieces = db.$count(mediaPieces, eq(mediaPieces.file, media.sha256))
  return db
    .select({
      videoId: memberVideos.id,
      tierAccess: tiersOfVideo,
      isReady: isTrue(gte(sql`${knownPieces} * ${pieceBytes}`, media.bytes)),
      film: fileOf(media),
      light: fileOf(lightMedia),
      sound: fileOf(soundMedia),
    })
    .from(memberVideos)
    .leftJoin(videoFiles, and(eq(videoFiles.videoId, memberVideos.id), eq(videoFiles.position, 0)))
    .leftJoin(media, eq(media.id, videoFiles.mediaId))
    .leftJoin(lightVersion, and(eq(lightVersion.videoId, memberVideos.id), eq(lightVersion.form, 'light')))
    .leftJoin(lightMedia, eq(lightMedia.id, lightVersion.mediaId))
    .leftJoin(soundVersion, and(eq(soundVersion.videoId, memberVideos.id), eq(soundVersion.form, 'sound')))
    .leftJoin(soundMedia, eq(soundMedia.id, soundVersion.mediaId))
    .where(and(isShownOn(today), or(isNotNull(media.id), isNotNull(lightMedia.id), isNotNull(soundMedia.id))))
    .orderBy(memberVideos.id)
})

export const keptBySession = preparedQuery<{ sid: string }>()((db, { sid }) =>
  db
    .select({ videoId: keptVideos.videoId })
    .from(keptVideos)
    .where(eq(keptVideos.sid, sid))
    .orderBy(keptVideos.videoId),
)

/** `videoIds` is a JSON array of text. */
export const forgetOthers = preparedQuery<{ sid: string; videoIds: string }>()((db, { sid, videoIds }) =>
  db
    .delete(keptVideos)
    .where(and(eq(keptVideos.sid, sid), sql`${keptVideos.videoId} not in (select value from json_each(${videoIds}))`)),
)
