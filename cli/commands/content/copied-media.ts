import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Io } from '#cli/io.ts'
import { type CopiedMedia, SiteCopy } from '#shared/contract/site-copy.ts'
import { mediaNamedIn } from '#shared/values/media.ts'
import type { Skipped } from './put-parts.ts'

/** `site.json` gives `site-media`. */
export const mediaFolderOf = (file: string) => `${file.replace(/\.json$/, '')}-media`

const pathOf = (file: string, { id, format }: CopiedMedia) => join(mediaFolderOf(file), `${id}.${format}`)

/** Videos keep only the files in the copy, and an episode without its audio is left out. */
export function withCarriedFiles(copy: SiteCopy): SiteCopy {
  const carried = new Set(copy.media.map(({ id }) => id))
  const isCarried = (address: string) => [...mediaNamedIn(address)].some((id) => carried.has(id))
  return {
    ...copy,
    episodes: copy.episodes
      .filter(({ sound }) => isCarried(sound))
      .map(({ picture, ...episode }) => ({
        ...episode,
        picture: picture !== null && isCarried(picture) ? picture : null,
      })),
    videos: copy.videos.map(({ files = [], handouts = [], versions = {}, ...video }) => {
      const [kept, given] = [files.filter(isCarried), handouts.filter(({ address }) => isCarried(address))]
      return {
        ...video,
        ...(kept.length === 0 ? {} : { files: kept }),
        ...(given.length === 0 ? {} : { handouts: given }),
        versions: Object.fromEntries(Object.entries(versions).filter(([, address]) => isCarried(address))),
      }
    }),
  }
}

export async function copyMediaOut(io: Io, media: readonly CopiedMedia[], file: string): Promise<void> {
  if (media.length === 0) return
  mkdirSync(mediaFolderOf(file), { recursive: true, mode: 0o700 })
  const store = await (await import('#cli/transport-local.ts')).openLocalMedia(io)
  try {
    for (const one of media) await store.copyTo(one.id, pathOf(file, one))
  } finally {
    store.close()
  }
}

/** Uploads the files first. If this site has the same bytes under another id, the copy then uses that id. */
export async function putMedia(io: Io, copy: SiteCopy, file: string): Promise<{ copy: SiteCopy; skipped: Skipped[] }> {
  if (copy.media.length === 0) return { copy, skipped: [] }
  const store = await (await import('#cli/transport-local.ts')).openLocalMedia(io)
  const skipped: Skipped[] = []
  let text = JSON.stringify(copy)
  try {
    for (const one of copy.media) {
      const path = pathOf(file, one)
      const added = existsSync(path) ? await store.add(path, one) : { problem: `${path} is missing.` }
      if ('id' in added) text = text.replaceAll(one.id, added.id)
      else skipped.push({ what: one.name, why: added.problem })
    }
  } finally {
    store.close()
  }
  return { copy: v.parse(SiteCopy, JSON.parse(text)), skipped }
}
