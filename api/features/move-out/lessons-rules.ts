import { eq, inArray, isNull } from 'drizzle-orm'
import { media, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { settings } from '#api/db/schema/system.ts'
import { memberVideos, videoPositions, videoProgress, videoTexts } from '#api/db/schema/videos.ts'
import { changedAt, file, madeAt, members, ours, ownId, person, version, video } from './exported-rules.ts'

export const mediaFiles = [
  ours({
    name: 'media',
    table: media,
    about: 'The files in the library. The bytes are in the folder media, named by id and format.',
    columns: {
      ...{ id: ownId, sha256: 'SHA-256 of the bytes', bytes: 'size', format: 'type of file', name: 'file name' },
      ...{ isPublic: 'whether anyone can open it', createdAt: madeAt, replacedAt: 'when its content was replaced' },
    },
  }),
]

export const lessonFiles = [
  ours({
    name: 'videos',
    table: memberVideos,
    about: 'Videos for members.',
    columns: {
      ...{ id: ownId, slug: 'last part of its address', title: 'title', description: 'one or two sentences' },
      ...{
        videoType: 'host: wistia, youtube, streamyard or embed',
        videoId: 'the host’s id',
        embedUrl: 'player’s address',
      },
      ...{ category: 'category', orderIndex: 'place in the category', isPublished: 'whether members see it' },
      ...{ tierAccess: 'tiers that see it', duration: 'minutes', availableFrom: 'first day members see it' },
      ...{ version, createdAt: madeAt, updatedAt: changedAt },
    },
  }),
  ours({
    name: 'video-texts',
    table: videoTexts,
    about: 'What’s below a video.',
    columns: {
      ...{ videoId: video, notes: 'notes', transcript: 'what’s said', captions: 'captions, WebVTT' },
      ...{ captionsFrom: 'the captions’ file: an id of media', version, updatedAt: changedAt },
    },
  }),
  ours({
    name: 'video-files',
    table: videoFiles,
    about: 'Your own video files, in the order browsers try them.',
    columns: { videoId: video, mediaId: file, position: 'place, from 0' },
  }),
  ours({
    name: 'video-downloads',
    table: videoHandouts,
    about: 'Downloads below a video.',
    columns: { videoId: video, mediaId: file, position: 'place, from 0', title: 'what members read' },
  }),
  ours({
    name: 'video-versions',
    table: videoVersions,
    about: 'Light videos and audio you uploaded yourselves.',
    where: isNull(videoVersions.madeFrom),
    columns: { videoId: video, form: 'light or sound', mediaId: file },
  }),
  ours({
    name: 'video-categories',
    table: settings,
    about: 'The categories in the members’ order.',
    where: eq(settings.key, 'video_categories'),
    columns: { key: 'always video_categories', value: 'the names, in order', updatedAt: changedAt },
  }),
  ours({
    name: 'progress',
    table: videoProgress,
    about: 'Which videos members have ticked.',
    where: inArray(videoProgress.userId, members),
    columns: {
      ...{ id: ownId, userId: person, videoId: video, completed: 'whether it’s ticked', completedAt: 'since when' },
      ...{ watchTime: 'seconds watched', at: 'when the change was made', counter: 'its number on that device' },
      ...{ deviceId: 'which device', changeId: 'the change’s own id', createdAt: madeAt, updatedAt: changedAt },
    },
  }),
  ours({
    name: 'positions',
    table: videoPositions,
    about: 'Where members stopped watching.',
    where: inArray(videoPositions.userId, members),
    columns: { userId: person, videoId: video, seconds: 'where they stopped', at: 'when', deviceId: 'which device' },
  }),
]
