import * as v from 'valibot'
import { AdminPost } from './admin-post.ts'
import { AdminTier, AdminTierPrice } from './admin-tier.ts'
import { AdminVideo, WholeVideo } from './admin-video.ts'
import { CallHours } from './calendar.ts'
import { Id } from './fields.ts'
import { MediaFile } from './media.ts'
import { AdminEpisode } from './podcast.ts'
import { SettingName } from './site-settings.ts'
import { tierProperties } from './tier.ts'

/** `price` is what a month comes to. Older copies have it and the texts alone. */
const CopiedTier = v.object({
  ...v.pick(AdminTier, ['slug', 'name', 'description', 'features', 'visibility', 'price']).entries,
  ...v.partial(v.object(tierProperties)).entries,
  isDefault: v.optional(v.boolean()),
  prices: v.optional(v.array(v.pick(AdminTierPrice, ['every', 'net', 'isOffered', 'nextPrice']))),
})

const videoFields = [
  'title',
  'description',
  'videoType',
  'videoId',
  'embedUrl',
  'category',
  'orderIndex',
  'isPublished',
  'availableFrom',
  'tierAccess',
  'duration',
  'files',
  'handouts',
] as const
/** A file the others refer to. Its bytes are in a folder next to the copy. */
const CopiedMedia = v.object({ ...v.pick(MediaFile, ['name', 'format', 'bytes', 'isPublic']).entries, id: Id })
export type CopiedMedia = v.InferOutput<typeof CopiedMedia>

const postFields = [
  'title',
  'slug',
  'excerpt',
  'content',
  'author',
  'isPublished',
  'featuredImage',
  'publishedAt',
] as const

const CopiedPost = v.object({
  ...v.pick(AdminPost, postFields).entries,
  // Older copies have neither.
  featuredImageAlt: v.optional(v.nullable(v.string()), null),
  shareImage: v.optional(v.nullable(v.string()), null),
  slugsBefore: v.optional(v.array(v.string()), []),
})

const episodeFields = [
  'title',
  'summary',
  'notes',
  'number',
  'seconds',
  'isExplicit',
  'isPublished',
  'publishedAt',
] as const

/** `sound` is the address of a file in the copy, and so is `picture`. Older copies have none. */
const CopiedEpisode = v.object({
  ...v.pick(AdminEpisode, episodeFields).entries,
  sound: v.string(),
  picture: v.optional(v.nullable(v.string()), null),
})

/** The file from `alliance content export`: what owners made of a site, without people, money and secrets. */
export const SiteCopy = v.object({
  format: v.literal('alliance-site-copy', 'This file wasn’t made by "alliance content export".'),
  version: v.literal(1, 'This file is from another version of the program.'),
  madeAt: v.string(),
  media: v.optional(v.array(CopiedMedia), []),
  /** By page and entry, as they're edited. */
  words: v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}),
  settings: v.optional(v.record(SettingName, v.string()), {}),
  /** In their order. */
  tiers: v.optional(v.array(CopiedTier), []),
  videos: v.optional(
    v.array(
      v.object({
        ...v.pick(AdminVideo, videoFields).entries,
        /** Addresses of the light version and sound that owners gave. Others are made again. */
        versions: v.optional(v.object({ light: v.optional(v.string()), sound: v.optional(v.string()) })),
        reading: v.optional(v.pick(WholeVideo, ['notes', 'transcript', 'captions'])),
      }),
    ),
    [],
  ),
  /** The videos' categories in the members' order; empty if the owners kept the program's own. */
  categories: v.optional(v.array(v.string()), []),
  posts: v.optional(v.array(CopiedPost), []),
  episodes: v.optional(v.array(CopiedEpisode), []),
  /** The coaches' weekly hours set by owners, without the samples. */
  hours: v.optional(v.array(v.omit(CallHours, ['version'])), []),
  /** How many sandbox samples stay behind, and which copied videos still play a sample's player. */
  samples: v.optional(v.object({ videos: v.number(), posts: v.number(), players: v.array(v.string()) }), {
    videos: 0,
    posts: 0,
    players: [],
  }),
})
export type SiteCopy = v.InferOutput<typeof SiteCopy>
