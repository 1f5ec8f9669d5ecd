import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '#api/context.ts'
import type { Square } from '#api/documents/brand-drawings.ts'
import type { PageLook, PageStyle } from '#api/documents/plain-page.ts'
import { logoPng } from '#api/features/media/photograph-service.ts'
import { errorMessage } from '#api/log.ts'
import { projectFolder } from '#api/project.ts'
import { contentOf } from '#api/site/content.ts'
import { type SiteContent, shippedLogo } from '#shared/contract/site-content.ts'
import { addressOfLook } from '#shared/rules/picture-address.ts'
import { inBrandColours } from '#shared/values/brand-colours.ts'
import { cachedPicture, toOpaquePng, toPng } from './picture-service.ts'

/** The title's lines on each share picture. The last one is in the brand's accent. */
export const shareTitles: Partial<Record<string, readonly string[]>> = {
  default: ['More time.', 'More freedom.', 'More profit.'],
  about: ['From the tools', 'to the desk'],
  blog: ['From the', 'job sheet'],
  book: ['Book a', 'free call'],
  coaching: ['Coaching for', 'your firm'],
  contact: ['Get hold', 'of us'],
  podcast: ['The podcast', 'for the road'],
  quotient: ['Quotes that', 'get accepted'],
  'sales-lion': ['Every call', 'followed up'],
  servicem8: ['Every job', 'on one card'],
  tiers: ['Pick', 'your tier'],
  websites: ['A website', 'that gets calls'],
}

/** The podcast's square picture as directories want it: an opaque PNG of at least 1400 pixels. */
export const podcastCover = 'podcast-cover'

const publicFolder = join(projectFolder, 'pwa/public')
const readPublic = (name: string) => readFileSync(join(publicFolder, name), 'utf8')

export type BrandFile = { type: string; bytes: string | Uint8Array<ArrayBuffer> }

/** A launcher may crop a fifth off each edge of a maskable icon, so the mark is smaller. */
const icons: Record<string, { size: number; part: number }> = {
  'favicon-32.png': { size: 32, part: 1 },
  'apple-touch-icon.png': { size: 180, part: 0.86 },
  'icon-192.png': { size: 192, part: 1 },
  'icon-512.png': { size: 512, part: 1 },
  'maskable-192.png': { size: 192, part: 0.66 },
  'maskable-512.png': { size: 512, part: 0.66 },
}

const monochrome = 'monochrome-512.png'

/** Null if there's no such file. */
export async function brandFile(ctx: Context, path: string): Promise<BrandFile | null> {
  const { site } = contentOf(ctx).read()
  const [, folder = '', name = ''] = /^\/(?:(\w+)\/)?([\w-]+\.\w+)$/.exec(path) ?? []
  if (path === '/manifest.webmanifest') return { type: 'application/manifest+json', bytes: manifestOf(site) }
  if (path === '/favicon.ico') return { type: 'image/x-icon', bytes: asIco(await iconPng(ctx, site, 'favicon-32.png')) }
  if (folder === 'pictures') return readDrawing(site, name)
  if (folder === 'icons') return drawIconFile(ctx, site, name)
  if (folder === 'social') return sharePicture(ctx, site, name.replace(/\.png$/, ''))
  return null
}

function manifestOf({ brand: { name, shortName, tagline, logo, colours }, look }: SiteContent): string {
  const { icons, screenshots, shortcuts, ...rest } = JSON.parse(readPublic('manifest.webmanifest'))
  const ours = icons.filter(({ purpose }: { purpose: string }) => purpose !== 'monochrome' || hasShape(logo))
  return JSON.stringify({
    ...rest,
    name,
    short_name: shortName,
    description: tagline,
    theme_color: colours.accent,
    icons: inLook(ours, look),
    shortcuts: shortcuts.map((shortcut: { icons: Icon[] }) => ({ ...shortcut, icons: inLook(shortcut.icons, look) })),
    // They show the built-in brand.
    ...(look === '' ? { screenshots } : {}),
  })
}

type Icon = { src: string }

const inLook = (all: readonly Icon[], look: string) =>
  all.map((icon) => ({ ...icon, src: addressOfLook(icon.src, look) }))

/** Some launchers colour the icon themselves and use only its shape, which a picture doesn't have. */
const hasShape = (logo: string) => !isOwnLogo(logo)

const isOwnLogo = (logo: string) => logo !== shippedLogo && logo !== ''

function readDrawing({ brand }: SiteContent, name: string): BrandFile | null {
  if (!name.endsWith('.svg') || !existsSync(join(publicFolder, 'pictures', name))) return null
  return { type: 'image/svg+xml', bytes: inBrandColours(readPublic(`pictures/${name}`), brand.colours) }
}

/** Loaded later, because they read a font, which takes half as long as starting the terminal. */
const loadDrawings = () => import('#api/documents/brand-drawings.ts')

async function drawIconFile(ctx: Context, site: SiteContent, name: string): Promise<BrandFile | null> {
  if (name === 'icon.svg' || name === 'logo.svg') {
    const own = name === 'logo.svg' ? await logoSvg(ctx, site) : null
    return { type: 'image/svg+xml', bytes: own ?? (await loadDrawings()).squareSvg(await markOf(ctx, site)) }
  }
  const isDrawn = Object.hasOwn(icons, name) || (name === monochrome && hasShape(site.brand.logo))
  return isDrawn ? { type: 'image/png', bytes: await iconPng(ctx, site, name) } : null
}

function iconPng(ctx: Context, site: SiteContent, name: string): Promise<Uint8Array<ArrayBuffer>> {
  return cachedPicture(ctx, {
    look: site.look,
    name,
    make: async () => {
      const { drawIcon } = await loadDrawings()
      const shape = icons[name]
      if (shape !== undefined) return toPng(drawIcon(await markOf(ctx, site), shape.size, shape.part))
      return toPng(drawIcon(await shapeOf(site), 512, 0.66))
    },
  })
}

/** For the top of an email: the owners’ logo in its own shape, or the icon if they've removed it since. */
function mailLogo(ctx: Context): Promise<Uint8Array> {
  const { site } = contentOf(ctx).read()
  const { look, brand } = site
  if (!isOwnLogo(brand.logo)) return iconPng(ctx, site, 'icon-192.png')
  return cachedPicture(ctx, { look, name: 'mail-logo.png', make: () => logoPng(ctx, brand.logo, false) })
}

/** Null if the picture can't be made, for example because its file is gone. The email goes without it. */
export async function logoForMail(ctx: Context): Promise<Uint8Array | null> {
  try {
    return await mailLogo(ctx)
  } catch (error) {
    ctx.log.error('an email goes without the logo', { reason: errorMessage(error) })
    return null
  }
}

/** The mark in its square: our drawing, the owners' logo or the short name's initials. */
async function markOf(ctx: Context, { brand }: SiteContent): Promise<Square> {
  const { logo, colours, shortName } = brand
  if (logo === '') return (await loadDrawings()).drawInitials(shortName, colours.accent)
  if (logo === shippedLogo) return squareOf(inBrandColours(readPublic('icons/icon.svg'), colours), colours.accent)
  return { content: onGround(await logoPng(ctx, logo), 48, 48), ground }
}

const ground = '#ffffff'

const onGround = (png: Uint8Array, width: number, height: number) =>
  `<path fill="${ground}" d="M0 0h${width}v${height}H0z"/><image width="${width}" height="${height}" href="data:image/png;base64,${Buffer.from(png).toString('base64')}"/>`

/** The owners’ logo in its own shape, for the top of each page. Null if they have none. */
async function logoSvg(ctx: Context, { brand: { logo } }: SiteContent): Promise<string | null> {
  if (!isOwnLogo(logo)) return null
  const png = await logoPng(ctx, logo, false)
  // A PNG says its size in its first chunk.
  const sizes = new DataView(png.buffer, png.byteOffset)
  const [width, height] = [sizes.getUint32(16), sizes.getUint32(20)]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${onGround(png, width, height)}</svg>`
}

const squareOf = (file: string, ground: string): Square => ({
  content: file.replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, ''),
  ground,
})

const shapeOf = async ({ brand: { logo, shortName } }: SiteContent): Promise<Square> =>
  logo === shippedLogo
    ? squareOf(readPublic('icons/monochrome.svg'), 'none')
    : (await loadDrawings()).drawInitials(shortName, 'none', '#000000')

async function sharePicture(ctx: Context, site: SiteContent, name: string): Promise<BrandFile | null> {
  if (name === podcastCover) return drawPodcastCover(ctx, site)
  const lines = Object.hasOwn(shareTitles, name) ? shareTitles[name] : undefined
  if (lines === undefined) return null
  const make = async () => {
    const mark = await markOf(ctx, site)
    const { drawSharePicture } = await loadDrawings()
    return toPng(drawSharePicture({ name: site.brand.name, accent: site.brand.colours.accent, mark, lines }))
  }
  return { type: 'image/png', bytes: await cachedPicture(ctx, { look: site.look, name: `share-${name}.png`, make }) }
}

async function drawPodcastCover(ctx: Context, site: SiteContent): Promise<BrandFile> {
  const make = async () => toOpaquePng((await loadDrawings()).drawIcon(await markOf(ctx, site), 1400, 0.8))
  const bytes = await cachedPicture(ctx, { look: site.look, name: `${podcastCover}-opaque.png`, make })
  return { type: 'image/png', bytes }
}

/** Browsers request /favicon.ico for pages that name no icon, such as the sandbox's. An ICO file may hold one PNG. */
function asIco(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(22)
  for (const [offset, value] of [
    [2, 1],
    [4, 1],
    [10, 1],
    [12, 32],
  ] as const)
    head.writeUInt16LE(value, offset)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return new Uint8Array(Buffer.concat([head, png]))
}

/** A server-rendered page's style, rebuilt when the brand's colours change. */
export function brandedStyle(ctx: Context, font: string, make: (look: PageLook) => PageStyle): () => PageStyle {
  let made: { colours: PageLook['colours']; style: PageStyle } | undefined
  return () => {
    const { colours } = contentOf(ctx).read().site.brand
    if (made?.colours !== colours) made = { colours, style: make({ font, colours }) }
    return made.style
  }
}
