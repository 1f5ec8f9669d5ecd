import { basename } from 'node:path'
import { AppError } from '#api/errors.ts'
import type { Pack } from '../pack-service.ts'
import type { OldSite } from './html-rules.ts'
import { type PictureSource, pathOf } from './post-rules.ts'

/** `site`: the old site's address, if the file doesn't have it. */
export type SiteOptions = { site?: string | undefined }

type OldAddresses = OldSite & {
  pictures: PictureSource[]
  /** Pictures we can't get, counted by why. */
  missing: Map<string, number>
  /** The old paths of a post, without the one it has here. */
  addressesOf(path: string): string[]
}

/** Each picture once, with its place. */
function keepPictures() {
  const positions = new Map<string, number>()
  const all: PictureSource[] = []
  return {
    all,
    add(key: string, source: PictureSource): number {
      const known = positions.get(key)
      if (known !== undefined) return known
      positions.set(key, all.length)
      return all.push(source) - 1
    },
  }
}

const ghostMark = '__GHOST_URL__'

const isPath = (address: string) => /^\/(?!\/)/.test(address)

const askForSite = ({ isZip }: Pack, address: string) => {
  const message = isZip
    ? `The picture ${basename(address)} isn’t among your pictures. Add it, or give your old site’s address.`
    : 'This file doesn’t say where its pictures are. Give your old site’s address, or put the pictures into a ZIP with it.'
  return new AppError('invalid', message, { fields: { site: message } })
}

/** One post's pictures and links. `slugs` are the file's posts: old path → slug here. */
export function createOldSite(pack: Pack, { site }: SiteOptions, slugs: ReadonlyMap<string, string>): OldAddresses {
  const origins = site === undefined ? [] : [site]
  const [pictures, missing] = [keepPictures(), new Map<string, number>()]
  const base = site === undefined ? '' : (pathOf(site, origins) ?? '').replace(/\/$/, '')
  const whole = (address: string) => address.trim().replace(ghostMark, site?.replace(/\/$/, '') ?? ghostMark)
  const miss = (why: string) => {
    missing.set(why, (missing.get(why) ?? 0) + 1)
    return null
  }
  return {
    missing,
    get pictures() {
      return pictures.all
    },
    picture(given) {
      const address = whole(given)
      const name = pack.isZip ? nameInPack(pack, address) : null
      if (name !== null) return pictures.add(name, { name })
      if (address.startsWith(ghostMark) || (site === undefined && isPath(address))) throw askForSite(pack, address)
      const found = URL.parse(address, site)
      if (found === null) return miss('picture without an address')
      const { protocol, href } = found
      if (protocol !== 'https:' && protocol !== 'http:') return miss('picture written into the text')
      const secure = href.replace(/^http:/, 'https:')
      return pictures.add(secure, { address: secure })
    },
    link(given) {
      const address = whole(given).replace(ghostMark, '')
      const path = pathOf(address, origins)
      if (path === null || /^(mailto|tel|#)/.test(address)) return address
      const inside = path.startsWith(`${base}/`) ? path.slice(base.length) : path
      const slug = slugs.get(inside) ?? slugs.get(path)
      return slug === undefined ? address.replace(/^https?:\/\/[^/]+(?=\/)/, '') : `/blog/${slug}${hashOf(address)}`
    },
    addressesOf: (path) => [...new Set([`${base}${path}`])],
  }
}

const hashOf = (address: string) => (address.includes('#') ? address.slice(address.indexOf('#')) : '')

/** Each file by the ends of its path; null where two files share one. */
const endings = new WeakMap<Pack, Map<string, string | null>>()

/** A picture's file by the longest end of its address: exports name folders differently from the site. */
function nameInPack(pack: Pack, address: string): string | null {
  const path = pathOf(address.replace(/^[a-z]+:\/\/[^/]+/i, '').replace(/^\.?\//, ''))
  if (path === null) return null
  let known = endings.get(pack)
  if (known === undefined) {
    known = new Map()
    for (const name of pack.names) for (const end of endingsOf(name)) known.set(end, known.has(end) ? null : name)
    endings.set(pack, known)
  }
  for (const end of endingsOf(path.slice(1)).toReversed()) {
    const found = known.get(end)
    if (found) return found
  }
  return null
}

/** More folders than tell two files of a site apart. */
const mostFolders = 10

/** `c.jpg`, `b/c.jpg`, `a/b/c.jpg`: a file's name alone decides only if there's nothing better. */
function endingsOf(path: string): string[] {
  const all = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  const parts = all.slice(-mostFolders)
  return parts.map((_, at) =>
    parts
      .slice(parts.length - 1 - at)
      .join('/')
      .toLowerCase(),
  )
}
