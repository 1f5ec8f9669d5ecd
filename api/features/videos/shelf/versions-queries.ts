import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { preparedQuery } from '#api/db/query.ts'
import { media, videoFiles } from '#api/db/schema/media.ts'
import { sessions } from '#api/db/schema/sessions.ts'
import { keptVideos, skippedVersions, videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos } from '#api/db/schema/videos.ts'

const [light, sound] = [alias(videoVersions, 'light'), alias(videoVersions, 'sound')]
const [noLight, noSound] = [alias(skippedVersions, 'noLight'), alias(skippedVersions, 'noSound')]

const versionOf = <MediaId, MadeFrom>(table: { mediaId: MediaId; madeFrom: MadeFrom }) => ({
  mediaId: table.mediaId,
  madeFrom: table.madeFrom,
})
const skipOf = <Sha256, Reason>(table: { film: Sha256; reason: Reason }) => ({
  film: table.film,
  reason: table.reason,
})

/** Every video with its file, drafts too. `videoId` is null for all of them. */
export const videosWithVersions = preparedQuery<{ videoId: string | null }>()((db, { videoId }) =>
  db
    .select({
      videoId: memberVideos.id,
      title: memberVideos.title,
      film: {
        id: media.id,
        sha256: media.sha256,
        bytes: media.bytes,
        format: media.format,
        name: media.name,
        codec: media.codec,
      },
      light: versionOf(light),
      sound: versionOf(sound),
      noLight: skipOf(noLight),
      noSound: skipOf(noSound),
    })
    .from(memberVideos)
    .leftJoin(videoFiles, and(eq(videoFiles.videoId, memberVideos.id), eq(videoFiles.position, 0)))
    .leftJoin(media, eq(media.id, videoFiles.mediaId))
    .leftJoin(light, and(eq(light.videoId, memberVideos.id), eq(light.form, 'light')))
    .leftJoin(sound, and(eq(sound.videoId, memberVideos.id), eq(sound.form, 'sound')))
    .leftJoin(noLight, and(eq(noLight.videoId, memberVideos.id), eq(noLight.form, 'light')))
    .leftJoin(noSound, and(eq(noSound.videoId, memberVideos.id), eq(noSound.form, 'sound')))
    .where(sql`${videoId} is null or ${memberVideos.id} = ${videoId}`)
    .orderBy(memberVideos.id),
)

export type VersionsRow = ReturnType<typeof videosWithVersions.all>[number]

/** How many logins that can still be used keep a video. */
export const phonesThatKeep = preparedQuery<{ videoId: string; now: string }>()((db, { videoId, now }) =>
  db
    .select({ phones: sql`count(*)`.mapWith(Number) })
    .from(keptVideos)
    .innerJoin(sessions, eq(sessions.sid, keptVideos.sid))
    .where(and(eq(keptVideos.videoId, videoId), gt(sessions.expire, now))),
)

export const givenFiles = preparedQuery()((db) =>
  db
    .select({ videoId: videoVersions.videoId, form: videoVersions.form, id: media.id, format: media.format })
    .from(videoVersions)
    .innerJoin(media, eq(media.id, videoVersions.mediaId))
    .where(isNull(videoVersions.madeFrom)),
)

export const deletedVersion = preparedQuery<{ videoId: string; form: string }>()((db, { videoId, form }) =>
  db.delete(videoVersions).where(and(eq(videoVersions.videoId, videoId), sql`${videoVersions.form} = ${form}`)),
)

export const deletedSkip = preparedQuery<{ videoId: string; form: string }>()((db, { videoId, form }) =>
  db.delete(skippedVersions).where(and(eq(skippedVersions.videoId, videoId), sql`${skippedVersions.form} = ${form}`)),
)
