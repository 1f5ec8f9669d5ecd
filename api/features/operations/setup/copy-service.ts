import { asc } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { blogPosts, blogRedirects } from '#api/db/schema/blog.ts'
import { videoTexts } from '#api/db/schema/videos.ts'
import { readSetup } from '#api/features/calendar/setup-service.ts'
import { listMedia } from '#api/features/media/library-service.ts'
import { listContentChanges } from '#api/features/site/content/edit-service.ts'
import { listEpisodes } from '#api/features/site/podcast/service.ts'
import { listSettings } from '#api/features/site/settings/admin-service.ts'
import { listAllTiers } from '#api/features/tiers/admin-service.ts'
import { listCategories } from '#api/features/videos/categories-service.ts'
import { listAllVideos } from '#api/features/videos/find-service.ts'
import { givenVersions } from '#api/features/videos/shelf/versions-service.ts'
import { episodePicture } from '#shared/contract/podcast.ts'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { isSampleClip, mediaAddress, mediaNamedIn } from '#shared/values/media.ts'

/** For import into another site. Leaves out unchanged samples. Names media files but doesn't contain them. */
export async function readSiteCopy(ctx: Context): Promise<SiteCopy> {
  const { isSampleVideo, isSamplePlayer, isSamplePost } = await samplesOf()
  const videos = videosOf(ctx)
  const posts = postsOf(ctx)
  const [ownVideos, ownPosts] = [videos.filter((one) => !isSampleVideo(one)), posts.filter((one) => !isSamplePost(one))]
  const copy = v.parse(SiteCopy, {
    format: 'alliance-site-copy',
    version: 1,
    madeAt: ctx.now().toISOString(),
    words: overridesByPage(ctx),
    // Includes values from the environment, since the site shows them.
    settings: Object.fromEntries(listSettings(ctx).flatMap(({ name, value }) => (value === '' ? [] : [[name, value]]))),
    tiers: listAllTiers(ctx),
    videos: ownVideos,
    categories: categoriesOf(ctx),
    posts: ownPosts,
    episodes: episodesOf(ctx),
    // The samples' hours have version 0. No owner chose them, so leave them out.
    hours: readSetup(ctx).hours.filter(({ version }) => version > 0),
    samples: {
      videos: videos.length - ownVideos.length,
      posts: posts.length - ownPosts.length,
      players: ownVideos.filter(isSamplePlayer).map(({ title }) => title),
    },
  })
  const named = mediaNamedIn(JSON.stringify(copy))
  const media = named.size === 0 ? [] : listMedia(ctx).filter(({ id }) => named.has(id) && !isSampleClip(id))
  return {
    ...copy,
    media: media.map(({ id, name, format, bytes, isPublic }) => ({ id, name, format, bytes, isPublic })),
  }
}

function overridesByPage(ctx: Context): SiteCopy['words'] {
  const changed = listContentChanges(ctx).filter(({ overrides }) => overrides.length > 0)
  const entriesOf = (overrides: readonly { entry: string; value: unknown }[]) =>
    Object.fromEntries(overrides.map(({ entry, value }) => [entry, value]))
  return Object.fromEntries(changed.map(({ page, overrides }) => [page, entriesOf(overrides)]))
}

function categoriesOf(ctx: Context): SiteCopy['categories'] {
  const { categories, version } = listCategories(ctx)
  return version === 0 ? [] : categories.map(({ name }) => name)
}

/** Includes former slugs. */
function postsOf(ctx: Context) {
  const before = Map.groupBy(
    ctx.db.select().from(blogRedirects).orderBy(asc(blogRedirects.slug)).all(),
    ({ postId }) => postId,
  )
  return ctx.db
    .select()
    .from(blogPosts)
    .orderBy(asc(blogPosts.createdAt), asc(blogPosts.id))
    .all()
    .map((post) => ({ ...post, slugsBefore: before.get(post.id)?.map(({ slug }) => slug) }))
}

const episodesOf = (ctx: Context) =>
  listEpisodes(ctx)
    .toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || (one.id < other.id ? -1 : 1))
    .map(({ mediaId: id, mediaFormat: format, ...episode }) => ({
      ...episode,
      picture: episodePicture(episode),
      sound: mediaAddress({ id, format, isPublic: true }),
    }))

type CopiedVideo = ReturnType<typeof videosOf>[number]

/** The sandbox's samples. A video counts as changed if its text or files differ, not its position or audience. */
async function samplesOf() {
  const [{ videoSeeds }, { postSeeds }] = await Promise.all([
    import('#data/seed/videos.ts'),
    import('#data/seed/posts.ts'),
  ])
  const summaryOf = ({ title, description }: { title: string; description: string | null }) =>
    `${title}\n${description}`
  const players = new Map(videoSeeds.map((seed) => [seed.videoId, summaryOf(seed)]))
  const excerpts = new Map<string, string>(postSeeds.map(({ slug, excerpt }) => [slug, excerpt]))
  const isClip = (address: string) => [...mediaNamedIn(address)].every(isSampleClip)
  const isSamplePlayer = ({ videoId, files = [] }: CopiedVideo) => players.has(videoId) && files.every(isClip)
  return {
    isSamplePlayer,
    isSampleVideo: (video: CopiedVideo) =>
      isSamplePlayer(video) &&
      (video.handouts ?? []).length === 0 &&
      video.versions === undefined &&
      (video.reading?.version ?? 1) === 1 &&
      players.get(video.videoId) === summaryOf(video),
    isSamplePost: ({ slug, excerpt, version }: typeof blogPosts.$inferSelect) =>
      version === 1 && excerpts.get(slug) === excerpt,
  }
}

function videosOf(ctx: Context) {
  const texts = new Map(
    ctx.db
      .select()
      .from(videoTexts)
      .all()
      .map((row) => [row.videoId, row]),
  )
  const given = givenVersions(ctx)
  return listAllVideos(ctx).map((video) => ({ ...video, reading: texts.get(video.id), versions: given.get(video.id) }))
}
