import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { CliError } from '#cli/exit-codes.ts'
import { request, requestPage } from '#cli/request.ts'
import { ContentPage, ContentPageState } from '#shared/contract/admin-content.ts'
import { AdminPost, AdminPostList, type AdminPostSummary, PostAddresses } from '#shared/contract/admin-post.ts'
import { AdminVideoList, VideoCategories, WholeVideo } from '#shared/contract/admin-video.ts'
import { CallHours, CallSetup } from '#shared/contract/calendar.ts'
import { AdminEpisode, AdminEpisodeList } from '#shared/contract/podcast.ts'
import type { SiteCopy } from '#shared/contract/site-copy.ts'
import { SettingName, SiteSetting, SiteSettingList } from '#shared/contract/site-settings.ts'
import { type VersionForm, VideoVersions, versionForms } from '#shared/contract/video-versions.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { filesIn, handoutsIn, mediaNamedIn } from '#shared/values/media.ts'

export type Skipped = { what: string; why: string }

/** Goes through the items in order. A refusal is recorded, and the rest still get done. */
export async function putEach<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  put: (item: Item) => Promise<unknown>,
): Promise<Skipped[]> {
  const skipped: Skipped[] = []
  for (const item of items) {
    try {
      await put(item)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      skipped.push({ what: nameOf(item), why: error.message })
    }
  }
  return skipped
}

export const putTexts = ({ api }: Client, words: SiteCopy['words']): Promise<Skipped[]> =>
  putEach(
    Object.entries(words).flatMap(([page, entries]) => Object.entries(entries).map((entry) => ({ page, entry }))),
    ({ page, entry: [name] }) => `${page}, ${name}`,
    async ({ page, entry: [entry, value] }) => {
      if (!v.is(ContentPage, page)) throw new CliError(1, 'There’s no page with this name.')
      const { version } = await request(ContentPageState, api.admin.content({ page }).get())
      return request(ContentPageState, api.admin.content({ page }).put({ version, entry, value, isTrial: false }))
    },
  )

export async function putSettings({ api }: Client, settings: SiteCopy['settings']): Promise<Skipped[]> {
  const stored = new Map((await request(SiteSettingList, api.admin.settings.get())).map((one) => [one.name, one]))
  return putEach(
    Object.entries(settings).filter(([name, value]) => v.is(SettingName, name) && stored.get(name)?.value !== value),
    ([name]) => name,
    ([given, value]) => {
      const name = v.parse(SettingName, given)
      return request(SiteSetting, api.admin.settings({ name }).put({ value, version: stored.get(name)?.version ?? 0 }))
    },
  )
}

export async function putVideos({ api }: Client, videos: SiteCopy['videos']): Promise<Skipped[]> {
  const keyOf = ({ category, title }: { category: string; title: string }) => JSON.stringify([category, title])
  const stored = await request(AdminVideoList, api.admin.videos.get())
  const known = new Map(stored.map((video) => [keyOf(video), video]))
  return putEach(
    videos,
    ({ title }) => title,
    async ({ files = [], handouts = [], reading, versions = {}, ...row }) => {
      const [videoFiles, handoutFiles] = [filesIn(files), handouts.flatMap(handoutsIn)]
      const texts = { notes: null, transcript: null, captions: null, ...reading, captionsFrom: null }
      const same = known.get(keyOf(row))
      if (same === undefined) {
        const added = await request(
          WholeVideo,
          api.admin.videos.post({ ...row, ...texts, filmFiles: videoFiles, handoutFiles }),
        )
        return putVersions(api, added.id, versions)
      }
      // What the copy doesn't have, a video that's here already keeps.
      const change = {
        ...row,
        version: same.version,
        ...(reading ? texts : {}),
        ...(videoFiles.length > 0 ? { filmFiles: videoFiles } : {}),
        ...(handoutFiles.length > 0 ? { handoutFiles } : {}),
      }
      await request(WholeVideo, api.admin.videos({ id: same.id }).patch(change))
      return putVersions(api, same.id, versions)
    },
  )
}

async function putVersions(api: Client['api'], id: string, versions: Partial<Record<VersionForm, string>>) {
  for (const form of versionForms)
    for (const file of filesIn([versions[form] ?? '']))
      await request(VideoVersions, api.admin.videos({ id }).versions({ form }).put({ file }))
}

/**
 * The copy's categories, in its order. Others go after these if they have videos or the owners made them. The program's own go if
 * they're empty.
 */
export async function putCategories({ api }: Client, names: SiteCopy['categories']): Promise<Skipped[]> {
  if (names.length === 0) return []
  const { categories, version } = await request(VideoCategories, api.admin.videos.categories.get())
  const wanted = new Set(names.map(foldText))
  const others = categories.filter(({ name, videos }) => !wanted.has(foldText(name)) && (videos > 0 || version > 0))
  const known = new Map(categories.map(({ name }) => [foldText(name), name]))
  const all = [
    ...names.map((name) => ({ name, was: known.get(foldText(name)) ?? null })),
    ...others.map(({ name }) => ({ name, was: name })),
  ]
  return putEach(
    [all],
    () => 'the order of the categories',
    (ordered) => request(VideoCategories, api.admin.videos.categories.put({ categories: ordered, version })),
  )
}

export async function putEpisodes({ api }: Client, episodes: SiteCopy['episodes']): Promise<Skipped[]> {
  if (episodes.length === 0) return []
  const stored = await request(AdminEpisodeList, api.admin.podcast.get())
  const known = new Map(stored.map((episode) => [episode.title, episode]))
  return putEach(
    episodes,
    ({ title }) => title,
    ({ sound, picture, ...words }) => {
      const [mediaId = ''] = mediaNamedIn(sound)
      const [pictureId = null] = mediaNamedIn(picture ?? '')
      const episode = { ...words, mediaId, pictureId }
      const same = known.get(words.title)
      if (same === undefined) return request(AdminEpisode, api.admin.podcast.post(episode))
      return request(AdminEpisode, api.admin.podcast({ id: same.id }).patch({ ...episode, version: same.version }))
    },
  )
}

export async function putPosts(client: Client, posts: SiteCopy['posts']): Promise<Skipped[]> {
  if (posts.length === 0) return []
  const { api } = client
  const known = new Map((await readSummaries(client)).map((post) => [post.slug, post]))
  return putEach(
    posts,
    ({ slug }) => slug,
    async ({ slugsBefore, ...post }) => {
      const [same] = [post.slug, ...slugsBefore].flatMap((slug) => known.get(slug) ?? [])
      const { id } =
        same === undefined
          ? await request(AdminPost, api.admin.blog.post(post))
          : await request(AdminPost, api.admin.blog({ id: same.id }).patch({ ...post, version: same.version }))
      if (slugsBefore.length === 0) return
      return request(PostAddresses, api.admin.blog({ id }).addresses.post({ slugs: slugsBefore }))
    },
  )
}

/** Skips the hours of coaches this site doesn't have. */
export async function putHours({ api }: Client, hours: SiteCopy['hours']): Promise<Skipped[]> {
  if (hours.length === 0) return []
  const stored = await request(CallSetup, api.admin.calendar.get())
  return putEach(
    hours,
    ({ coach, kind, weekday }) => `hours of ${coach}, ${kind}, ${weekday}`,
    (day) => {
      const same = stored.hours.find(
        ({ coach, kind, weekday }) => coach === day.coach && kind === day.kind && weekday === day.weekday,
      )
      return request(CallHours, api.admin.calendar.hours.put({ ...day, version: same?.version ?? 0 }))
    },
  )
}

/** Every post, including drafts, without its content. */
async function readSummaries({ api }: Client): Promise<AdminPostSummary[]> {
  const { value, next } = await requestPage(AdminPostList, api.admin.blog.get({ query: {} }))
  let [all, cursor] = [value, next]
  while (cursor !== null) {
    const page = await requestPage(AdminPostList, api.admin.blog.get({ query: { cursor } }))
    all = [...all, ...page.value]
    cursor = page.next
  }
  return all
}
