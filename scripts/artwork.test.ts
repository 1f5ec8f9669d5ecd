import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { shareTitles } from '#api/features/site/brand/service.ts'
import { startWorld } from '#api/testing/world.ts'

const publicFile = (path: string) => fileURLToPath(new URL(`../pwa/public${path}`, import.meta.url))
const namesIn = (folder: string, ending: string) =>
  readdirSync(publicFile(folder)).filter((name) => name.endsWith(ending))

type Picture = { src: string; sizes: string; type?: string; purpose?: string }
type Manifest = { icons: Picture[]; screenshots: Picture[]; shortcuts: { url: string; icons: Picture[] }[] }
const readManifest = async (): Promise<Manifest> => (await world.call('/manifest.webmanifest')).json()

/** A PNG has its width and height at bytes 16 and 20. */
function pngSize(bytes: Uint8Array) {
  const view = Buffer.from(bytes)
  return `${view.readUInt32BE(16)}x${view.readUInt32BE(20)}`
}

const world = startWorld()
async function load(path: string) {
  const response = await world.call(path)
  return { status: response.status, type: response.headers.get('content-type'), bytes: await response.bytes() }
}

describe("the app's manifest", () => {
  test('names pictures that are there, in the size it says', async () => {
    const { icons, screenshots, shortcuts } = await readManifest()
    for (const { src, sizes, type } of [...icons, ...screenshots, ...shortcuts.flatMap((one) => one.icons)]) {
      const picture = src.startsWith('/screenshots/') ? readFileSync(publicFile(src)) : (await load(src)).bytes
      if (type === 'image/png' || src.endsWith('.png')) expect([src, pngSize(picture)]).toEqual([src, sizes])
      else expect([src, picture.length > 100]).toEqual([src, true])
    }
  })

  test('has icons for every launcher, and the ways in', async () => {
    const { icons, shortcuts } = await readManifest()
    expect(icons.filter(({ type }) => type === 'image/png').map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual(
      ['any 192x192', 'any 512x512', 'maskable 192x192', 'maskable 512x512', 'monochrome 512x512'],
    )
    expect(shortcuts.map(({ url }) => url)).toEqual(['/members#next-lesson', '/book-call', '/members?tab=billing'])
    expect(pngSize((await load('/icons/apple-touch-icon.png')).bytes)).toBe('180x180')
  })
})

test('drawings are small, say what they show, know their size and fetch nothing', () => {
  const names = namesIn('/pictures', '.svg')
  expect(names.length).toBeGreaterThan(0)
  const faulty = names.filter((name) => {
    const svg = readFileSync(publicFile(`/pictures/${name}`), 'utf8')
    const isDrawn = /^<svg [^>]*viewBox="[^"]+" width="\d+" height="\d+"[^>]*>\n {2}<title>[^<]{10,}<\/title>/.test(svg)
    return (
      !isDrawn ||
      svg.length > 12_000 ||
      /<(script|style|image|foreignObject|linearGradient|filter)|href=|url\(/.test(svg)
    )
  })
  expect(faulty).toEqual([])
})

test('sharing pictures have the size that links are shown with, and load quickly', { tags: ['full'] }, async () => {
  for (const page of Object.keys(shareTitles)) {
    const { status, bytes } = await load(`/social/${page}.png`)
    expect([page, status, pngSize(bytes), bytes.length < 60_000]).toEqual([page, 200, '1200x630', true])
  }
})
