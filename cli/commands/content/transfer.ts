import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { type SharedOptions, serverOrigin, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { type Io, notify } from '#cli/io.ts'
import { readNamed, unwritable } from '#cli/named-file.ts'
import { countsOutput, note, type Output, print } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type Call, changeRow } from '#cli/rows.ts'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { plural } from '#shared/rules/plural.ts'
import { mediaNamedIn } from '#shared/values/media.ts'
import { copyMediaOut, mediaFolderOf, putMedia, withCarriedFiles } from './copied-media.ts'
import { parseGivenJson, refuseLists } from './given-json.ts'
import {
  putCategories,
  putEpisodes,
  putHours,
  putPosts,
  putSettings,
  putTexts,
  putVideos,
  type Skipped,
} from './put-parts.ts'
import { putTiers, tierChanges } from './put-tiers.ts'

export async function exportContent(io: Io, options: SharedOptions, file: string): Promise<void> {
  const read = await withClient(io, options, readCopy, { mayCreate: true })
  const path = resolve(io.cwd, file)
  const isLocal = serverOrigin(io, options) === null
  const copy = withCarriedFiles(isLocal ? read : { ...read, media: [] })
  await copyMediaOut(io, copy.media, path)
  try {
    writeFileSync(path, `${JSON.stringify(copy, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw unwritable(path, error)
  }
  await print(io, options, countsOutput({ file: path, ...countsOf(copy) }, 'Exported', countsOf(copy)))
  await note(io, options, `Written to ${path}.`)
  if (copy.media.length > 0) await note(io, options, `Its files are in ${mediaFolderOf(path)}: keep them together.`)
  for (const { name } of isLocal ? [] : read.media)
    await notify(io, `Left out: ${name}. Files can only be copied on the server itself.`)
  for (const { what, why } of silentEpisodes(read, copy)) await notify(io, `Left out: ${what}: ${why}`)
  for (const line of sampleLines(copy)) await notify(io, line)
}

function sampleLines({ samples: { videos, posts, players } }: SiteCopy): string[] {
  const left = [...(videos > 0 ? [plural(videos, 'lesson')] : []), ...(posts > 0 ? [plural(posts, 'post')] : [])]
  return [
    ...(left.length === 0 ? [] : [`Left out: ${left.join(' and ')} as samples you haven’t changed.`]),
    ...players.map((title) => `Still with the sample’s video: ${title}. Give it your own.`),
  ]
}

function silentEpisodes(whole: SiteCopy, { episodes }: SiteCopy): Skipped[] {
  const carried = new Set(episodes.map(({ title }) => title))
  const lost = whole.episodes.filter(({ title }) => !carried.has(title))
  return lost.map(({ title }) => ({ what: title, why: 'its audio isn’t in the export.' }))
}

/** Only the media files that the copy names. */
async function readCopy({ api }: Client): Promise<SiteCopy> {
  const copy = await request(SiteCopy, api.admin['site-copy'].get())
  const named = mediaNamedIn(JSON.stringify({ ...copy, media: [] }))
  return { ...copy, media: copy.media.filter(({ id }) => named.has(id)) }
}

const countsOf = ({ media, words, settings, tiers, videos, categories, posts, episodes, hours }: SiteCopy) => ({
  words: Object.values(words).reduce((sum, entries) => sum + Object.keys(entries).length, 0),
  settings: Object.keys(settings).length,
  tiers: tiers.length,
  videos: videos.length,
  categories: categories.length,
  posts: posts.length,
  episodes: episodes.length,
  hours: hours.length,
  media: media.length,
})

type ImportFacts = {
  file: string
  /** SHA-256 of what we import, and of the site before it. */
  contents: string
  site: string
  counts: ReturnType<typeof countsOf>
  overwritten: ReturnType<typeof countsOf>
  /** What would become of each tier, in words. */
  tiers: string[]
}

/** Overwrites what has the same name. Lists what the site refuses, and does the rest. */
export const importRow = changeRow<ImportFacts>({
  usage: 'import <file>',
  description: 'Import an exported file’s content, settings, tiers, videos, posts, episodes and hours into this site',
  examples: ['import site.json --dry-run', 'import site.json'],
  asks: true,
  mayCreate: true,
  plan(call) {
    const { file, copy } = givenCopy(call)
    const counts = countsOf(copy)
    return async (client) => {
      const here = await readCopy(client)
      const overwritten = countsOf(sharedParts(copy, here))
      const tiers = tierChanges(copy.tiers, here.tiers)
      const facts = { file, contents: hashOf(copy), site: hashOf(here), counts, overwritten, tiers }
      const what = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
      const question = `Put ${what.join(', ')} into this site? Anything with the same name is overwritten.`
      return { facts, output: planOf(facts), question: what.length === 0 ? null : question }
    }
  },
  apply: (call, { counts }) => {
    const { file, whole, copy } = givenCopy(call)
    return async (client) => {
      const found = await putMedia(call.io, copy, file)
      const skipped = [...silentEpisodes(whole, copy), ...found.skipped, ...(await putCopy(client, found.copy))]
      return {
        ...countsOutput({ ...counts, skipped }, 'Imported', { ...counts, skipped: skipped.length }),
        notes: skipped.map(({ what, why }) => `Not imported: ${what}: ${why}`),
        hasFailed: skipped.length > 0,
      }
    }
  },
})

/** The copy from the command line, without what it has no files for. */
function givenCopy({ io, options, argument }: Call) {
  const file = resolve(io.cwd, argument(0))
  const given = parseGivenJson(readNamed(file).toString('utf8'), argument(0))
  const whole = parseArgument(SiteCopy, given, argument(0))
  refuseLists(given, whole, argument(0))
  const copy = withCarriedFiles(whole)
  if (copy.media.length > 0 && serverOrigin(io, options) !== null)
    throw usageError('Files can only be imported on the server itself. Run it there.')
  return { file, whole, copy }
}

const hashOf = (copy: SiteCopy) =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify({ ...copy, madeAt: '' })).digest('hex')

function sharedParts(copy: SiteCopy, here: SiteCopy): SiteCopy {
  const shared = <Item>(items: readonly Item[], others: readonly Item[], nameOf: (item: Item) => string): Item[] => {
    const names = new Set(others.map(nameOf))
    return items.filter((item) => names.has(nameOf(item)))
  }
  const slugsHere = new Set(here.posts.map(({ slug }) => slug))
  const entriesIn = (words: Record<string, unknown> = {}, others: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(words).filter(([name]) => name in others))
  return {
    ...copy,
    media: shared(copy.media, here.media, ({ id }) => id),
    words: Object.fromEntries(
      Object.entries(copy.words).map(([page, all]) => [page, entriesIn(all, here.words[page])]),
    ),
    settings: v.parse(SiteCopy.entries.settings, entriesIn(copy.settings, here.settings)),
    tiers: shared(copy.tiers, here.tiers, ({ slug }) => slug),
    videos: shared(copy.videos, here.videos, ({ category, title }) => JSON.stringify([category, title])),
    categories: shared(copy.categories, here.categories, (name) => name),
    posts: copy.posts.filter(({ slug, slugsBefore }) => [slug, ...slugsBefore].some((one) => slugsHere.has(one))),
    episodes: shared(copy.episodes, here.episodes, ({ title }) => title),
    hours: shared(copy.hours, here.hours, ({ coach, kind, weekday }) => `${coach} ${kind} ${weekday}`),
  }
}

function planOf({ counts, overwritten, tiers }: ImportFacts): Output {
  const there = new Map(Object.entries(overwritten))
  const shown = Object.entries(counts).map(([name, count]) => {
    const same = there.get(name) ?? 0
    return [name, same === 0 ? String(count) : `${count}, ${same} over what is there`]
  })
  return { ...countsOutput(counts, 'Plan', Object.fromEntries(shown)), notes: tiers }
}

async function putCopy(client: Client, copy: SiteCopy): Promise<Skipped[]> {
  return [
    ...(await putTexts(client, copy.words)),
    ...(await putSettings(client, copy.settings)),
    ...(await putTiers(client, copy.tiers)),
    ...(await putVideos(client, copy.videos)),
    ...(await putCategories(client, copy.categories)),
    ...(await putPosts(client, copy.posts)),
    ...(await putEpisodes(client, copy.episodes)),
    ...(await putHours(client, copy.hours)),
  ]
}
