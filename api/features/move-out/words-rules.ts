import * as v from 'valibot'
import { blogPosts, blogRedirects, oldAddresses } from '#api/db/schema/blog.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { siteSettings } from '#api/db/schema/site-settings.ts'
import { leadsToOwnPage } from '#api/features/site/blog/old-address-rules.ts'
import { ContentPage } from '#shared/contract/admin-content.ts'
import { PostRequest, Slug } from '#shared/contract/admin-post.ts'
import { EpisodeRequest } from '#shared/contract/podcast.ts'
import { SettingName, SettingRequest } from '#shared/contract/site-settings.ts'
import { changedAt, madeAt, ours, ownId, version } from './exported-rules.ts'
import { Moment, OrNull, RowId, RowVersion } from './fields-rules.ts'

const stamps = { id: RowId, version: RowVersion, createdAt: Moment, updatedAt: Moment }
const Path = v.pipe(v.string(), v.maxLength(2000), v.regex(/^\/\P{Cc}*$/u, 'This isn’t a path.'))
const OwnPage = v.pipe(Path, v.check(leadsToOwnPage, 'An old address can only lead to a page of this site.'))

export const wordFiles = [
  ours({
    name: 'posts',
    table: blogPosts,
    about: 'Blog posts and drafts.',
    columns: {
      id: ownId,
      title: 'title',
      slug: 'last part of its address',
      excerpt: 'for the list',
      content: 'HTML',
      author: 'author',
      isPublished: 'whether it’s out, or a draft',
      publishedAt: 'from when readers see it',
      featuredImage: 'main picture',
      featuredImageAlt: 'what it shows',
      shareImage: 'picture for social networks',
      version,
      createdAt: madeAt,
      updatedAt: changedAt,
    },
    row: {
      ...PostRequest.entries,
      ...stamps,
      publishedAt: OrNull(Moment),
    },
  }),
  ours({
    name: 'post-addresses',
    table: blogRedirects,
    about: 'Earlier addresses of posts here.',
    columns: { slug: 'last part of the earlier address', postId: 'the post: an id of posts', createdAt: madeAt },
    row: {
      slug: Slug,
      postId: RowId,
      createdAt: Moment,
    },
  }),
  ours({
    name: 'old-addresses',
    table: oldAddresses,
    about: 'Addresses of the site before this one.',
    columns: { path: 'the old path', postId: 'the post it leads to', to: 'or the path it leads to', createdAt: madeAt },
    row: {
      path: Path,
      postId: OrNull(RowId),
      to: OrNull(OwnPage),
      createdAt: Moment,
    },
  }),
  ours({
    name: 'episodes',
    table: podcastEpisodes,
    about: 'Podcast episodes.',
    columns: {
      id: ownId,
      title: 'title',
      summary: 'one or two sentences',
      notes: 'notes',
      number: 'number',
      mediaId: 'the audio: an id of media',
      pictureId: 'its picture: an id of media',
      seconds: 'length',
      isExplicit: 'whether it’s marked explicit',
      isPublished: 'whether it’s out',
      publishedAt: 'since when',
      version,
      createdAt: madeAt,
      updatedAt: changedAt,
    },
    row: {
      ...EpisodeRequest.entries,
      ...stamps,
      mediaId: RowId,
      pictureId: OrNull(RowId),
      publishedAt: OrNull(Moment),
    },
  }),
  ours({
    name: 'words',
    table: contentOverrides,
    about: 'What you changed of the site’s own words.',
    columns: { page: 'page', entry: 'which entry of it', value: 'your words', updatedAt: changedAt },
    row: {
      page: ContentPage,
      entry: v.pipe(v.string(), v.maxLength(500)),
      value: v.unknown(),
      updatedAt: Moment,
    },
  }),
  ours({
    name: 'settings',
    table: siteSettings,
    about: 'What’s set in the browser: addresses and business details.',
    columns: { name: 'setting', value: 'its value', version, updatedAt: changedAt },
    row: {
      name: SettingName,
      value: SettingRequest.entries.value,
      version: RowVersion,
      updatedAt: Moment,
    },
  }),
]
