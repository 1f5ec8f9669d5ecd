import { eq, inArray, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { media, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { settings } from '#api/db/schema/system.ts'
import { memberVideos, videoPositions, videoProgress, videoTexts, videoTiers } from '#api/db/schema/videos.ts'
import { Slug } from '#shared/contract/admin-post.ts'
import { VideoChangeRequest } from '#shared/contract/admin-video.ts'
import { RequiredLine } from '#shared/contract/fields.ts'
import { DeviceId, PositionChange, ProgressChange } from '#shared/contract/progress.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { versionForms } from '#shared/contract/video-versions.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { maxMediaBytes, mediaFormats } from '#shared/values/media.ts'
import { changedAt, file, madeAt, members, ours, ownId, person, version, video } from './exported-rules.ts'
import { Moment, OrNull, RowId, RowVersion, Whole } from './fields-rules.ts'

const fields = VideoChangeRequest.entries

const Categories = v.object({
  names: v.pipe(
    v.array(RequiredLine('Category', 60)),
    v.minLength(1),
    v.maxLength(60, 'You can have up to 60 categories.'),
    v.check((names) => new Set(names.map(foldText)).size === names.length, 'Two categories have the same name.'),
  ),
  version: Whole(1_000_000_000),
})

export const mediaFiles = [
  ours({
    name: 'media',
    table: media,
    about: 'The files in the library. The bytes are in the folder media, named by id and format.',
    columns: {
      id: ownId,
      sha256: 'SHA-256 of the bytes',
      bytes: 'size',
      format: 'type of file',
      name: 'file name',
      isPublic: 'whether anyone can open it',
      createdAt: madeAt,
      replacedAt: 'when its content was replaced',
    },
    row: {
      id: RowId,
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'This isn’t a SHA-256.')),
      bytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxMediaBytes)),
      format: v.picklist(mediaFormats),
      name: RequiredLine('Name'),
      isPublic: v.boolean(),
      createdAt: Moment,
      replacedAt: OrNull(Moment),
    },
  }),
]

export const videoTables = [
  ours({
    name: 'videos',
    table: memberVideos,
    about: 'Videos for members.',
    columns: {
      id: ownId,
      slug: 'last part of its address',
      title: 'title',
      description: 'one or two sentences',
      videoType: 'host: wistia, youtube, streamyard or embed',
      videoId: 'the host’s id',
      embedUrl: 'player’s address',
      category: 'category',
      orderIndex: 'place in the category',
      isPublished: 'whether members see it',
      duration: 'minutes',
      availableFrom: 'first day members see it',
      version,
      createdAt: madeAt,
      updatedAt: changedAt,
    },
    row: {
      id: RowId,
      slug: Slug,
      title: fields.title,
      description: fields.description,
      videoType: fields.videoType,
      videoId: fields.videoId,
      embedUrl: fields.embedUrl,
      category: fields.category,
      orderIndex: fields.orderIndex,
      isPublished: v.boolean(),
      duration: fields.duration,
      availableFrom: fields.availableFrom,
      version: RowVersion,
      createdAt: Moment,
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'video-tiers',
    table: videoTiers,
    about: 'Which tiers see a video.',
    columns: { videoId: video, tierSlug: 'the tier' },
    row: { videoId: RowId, tierSlug: TierSlug },
  }),
  ours({
    name: 'video-texts',
    table: videoTexts,
    about: 'What’s below a video.',
    columns: {
      videoId: video,
      notes: 'notes',
      transcript: 'what’s said',
      captions: 'captions, WebVTT',
      captionsFrom: 'the captions’ file: an id of media',
      version,
      updatedAt: changedAt,
    },
    row: {
      videoId: RowId,
      notes: fields.notes,
      transcript: fields.transcript,
      captions: fields.captions,
      captionsFrom: OrNull(RowId),
      version: RowVersion,
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'video-files',
    table: videoFiles,
    about: 'Your own video files, in the order browsers try them.',
    columns: { videoId: video, mediaId: file, position: 'place, from 0' },
    row: {
      videoId: RowId,
      mediaId: RowId,
      position: Whole(5),
    },
  }),
  ours({
    name: 'video-downloads',
    table: videoHandouts,
    about: 'Downloads below a video.',
    columns: { videoId: video, mediaId: file, position: 'place, from 0', title: 'what members read' },
    row: {
      videoId: RowId,
      mediaId: RowId,
      position: Whole(11),
      title: RequiredLine('Title', 120),
    },
  }),
  ours({
    name: 'video-versions',
    table: videoVersions,
    about: 'Light videos and audio you uploaded yourselves.',
    where: isNull(videoVersions.madeFrom),
    columns: { videoId: video, form: 'light or sound', mediaId: file },
    row: {
      videoId: RowId,
      form: v.picklist(versionForms),
      mediaId: RowId,
    },
  }),
  ours({
    name: 'video-categories',
    table: settings,
    about: 'The categories in the members’ order.',
    where: eq(settings.key, 'video_categories'),
    columns: { key: 'always video_categories', value: 'the names, in order', updatedAt: changedAt },
    row: {
      key: v.literal('video_categories'),
      value: Categories,
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'progress',
    table: videoProgress,
    about: 'Which videos members have ticked.',
    where: inArray(videoProgress.userId, members),
    columns: {
      id: ownId,
      userId: person,
      videoId: video,
      completed: 'whether it’s ticked',
      completedAt: 'since when',
      watchTime: 'seconds watched',
      at: 'when the change was made',
      counter: 'its number on that device',
      deviceId: 'which device',
      changeId: 'the change’s own id',
      createdAt: madeAt,
      updatedAt: changedAt,
    },
    row: {
      id: RowId,
      userId: RowId,
      videoId: RowId,
      completed: v.boolean(),
      completedAt: OrNull(Moment),
      watchTime: Whole(1_000_000_000),
      at: Moment,
      counter: ProgressChange.entries.counter,
      deviceId: DeviceId,
      changeId: RowId,
      createdAt: Moment,
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'positions',
    table: videoPositions,
    about: 'Where members stopped watching.',
    where: inArray(videoPositions.userId, members),
    columns: { userId: person, videoId: video, seconds: 'where they stopped', at: 'when', deviceId: 'which device' },
    row: {
      userId: RowId,
      videoId: RowId,
      seconds: PositionChange.entries.seconds,
      at: Moment,
      deviceId: DeviceId,
    },
  }),
]
