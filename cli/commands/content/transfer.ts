import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type SharedOptions, serverOrigin, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { type Io, notify } from '#cli/io.ts'
import { countsOutput, note, print } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { SiteCopy, SiteCopyPart, siteCopyParts } from '#shared/contract/site-copy.ts'
import { mediaNamedIn } from '#shared/rules/media.ts'
import { copyMediaOut, mediaFolderOf, putMedia, withCarriedFiles } from './copied-media.ts'
import {
  putCategories,
  putEpisodes,
  putHours,
  putPosts,
  putSettings,
  putTiers,
  putVideos,
  putWords,
  type Skipped,
} from './put-parts.ts'

type PartOptions = SharedOptions & { without?: string }

export async function exportContent(io: Io, options: PartOptions, file: string): Promise<void> {
  const parts = partsOf(options)
  const read = await withClient(io, options, (client) => readCopy(client, parts), { mayCreate: true })
  const path = resolve(io.cwd, file)
  const isLocal = serverOrigin(io, options) === null
  const copy = withCarriedFiles(isLocal ? read : { ...read, media: [] })
  await copyMediaOut(io, copy.media, path)
  try {
    writeFileSync(path, `${JSON.stringify(copy, null, 2)}\n`, { mode: 0o600 })
  } catch {
    throw new CliError(exitCodes.failed, `${path} cannot be written.`)
  }
  await print(io, options, countsOutput({ file: path, ...countsOf(copy) }, 'Exported', countsOf(copy)))
  await note(io, options, `Written to ${path}.`)
  if (copy.media.length > 0) await note(io, options, `Its files are in ${mediaFolderOf(path)}: keep them together.`)
  for (const { name } of isLocal ? [] : read.media)
    await notify(io, `Left out: ${name}. Only the server's own machine can copy files.`)
  for (const { what, why } of silentEpisodes(read, copy)) await notify(io, `Left out: ${what}: ${why}`)
}

/** The episodes that cannot be carried. */
function silentEpisodes(whole: SiteCopy, { episodes }: SiteCopy): Skipped[] {
  const carried = new Set(episodes)
  const lost = whole.episodes.filter((episode) => !carried.has(episode))
  return lost.map(({ title }) => ({ what: title, why: 'its sound is not in the copy.' }))
}

/** The parts that are not left out. */
function partsOf({ without = '' }: PartOptions): readonly SiteCopyPart[] {
  const named = without.split(',').map((part) => part.trim())
  const left = named.filter((part) => part !== '').map((part) => parseArgument(SiteCopyPart, part, '--without'))
  return siteCopyParts.filter((part) => !left.includes(part))
}

/** Of the files, those alone that what is taken along names. */
async function readCopy({ api }: Client, parts: readonly SiteCopyPart[]): Promise<SiteCopy> {
  const copy = onlyParts(await request(SiteCopy, api.admin['site-copy'].get()), parts)
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

type ImportOptions = PartOptions & { dryRun?: true; yes?: true }

/** What is there under the same name is overwritten; what cannot be put in is named, and the rest is done. */
export async function importContent(io: Io, options: ImportOptions, file: string): Promise<void> {
  const whole = onlyParts(readCopyFile(io, file), partsOf(options))
  const copy = withCarriedFiles(whole)
  if (copy.media.length > 0 && serverOrigin(io, options) !== null) {
    throw usageError('Only the server’s own machine can take files in. Run it there, or use --without media.')
  }
  const counts = countsOf(copy)
  if (options.dryRun) {
    await print(io, options, countsOutput(counts, 'In the file', counts))
    return note(io, options, 'Dry run: nothing was changed.')
  }
  const what = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
  if (what.length === 0) return note(io, options, 'There is nothing in the file.')
  await confirm(
    io,
    `Put ${what.join(', ')} into this site? What is there under the same name is overwritten.`,
    options.yes === true,
  )
  const found = await putMedia(io, copy, resolve(io.cwd, file))
  const skipped = [
    ...silentEpisodes(whole, copy),
    ...found.skipped,
    ...(await withClient(io, options, (client) => putCopy(client, found.copy), { mayCreate: true })),
  ]
  await print(io, options, countsOutput({ ...counts, skipped }, 'Put in', { ...counts, skipped: skipped.length }))
  for (const { what, why } of skipped) await notify(io, `Not put in: ${what}: ${why}`)
  if (skipped.length > 0) throw new CliError(exitCodes.failed)
}

async function putCopy(client: Client, copy: SiteCopy): Promise<Skipped[]> {
  return [
    ...(await putWords(client, copy.words)),
    ...(await putSettings(client, copy.settings)),
    ...(await putTiers(client, copy.tiers)),
    ...(await putVideos(client, copy.videos)),
    ...(await putCategories(client, copy.categories)),
    ...(await putPosts(client, copy.posts)),
    ...(await putEpisodes(client, copy.episodes)),
    ...(await putHours(client, copy.hours)),
  ]
}

const onlyParts = (copy: SiteCopy, parts: readonly SiteCopyPart[]): SiteCopy => ({
  ...copy,
  media: parts.includes('media') ? copy.media : [],
  words: parts.includes('words') ? copy.words : {},
  settings: parts.includes('settings') ? copy.settings : {},
  tiers: parts.includes('tiers') ? copy.tiers : [],
  videos: parts.includes('videos') ? copy.videos : [],
  categories: parts.includes('videos') ? copy.categories : [],
  posts: parts.includes('posts') ? copy.posts : [],
  episodes: parts.includes('episodes') ? copy.episodes : [],
  hours: parts.includes('hours') ? copy.hours : [],
})

function readCopyFile(io: Io, file: string): SiteCopy {
  return parseArgument(SiteCopy, readJson(resolve(io.cwd, file)), file)
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw usageError(`${path} cannot be read as JSON.`)
  }
}
