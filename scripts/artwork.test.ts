import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const publicFile = (path: string) => fileURLToPath(new URL(`../pwa/public${path}`, import.meta.url))
const namesIn = (folder: string, ending: string) =>
  readdirSync(publicFile(folder)).filter((name) => name.endsWith(ending))

type Picture = { src: string; sizes: string; type?: string; purpose?: string }
const manifest: { icons: Picture[]; screenshots: Picture[]; shortcuts: { url: string; icons: Picture[] }[] } =
  JSON.parse(readFileSync(publicFile('/manifest.webmanifest'), 'utf8'))

/** A PNG has its width and height at bytes 16 and 20. */
function pngSize(path: string) {
  const bytes = readFileSync(publicFile(path))
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

describe("the app's manifest", () => {
  test('names pictures that are there, in the size it says', () => {
    const pictures = [...manifest.icons, ...manifest.screenshots, ...manifest.shortcuts.flatMap(({ icons }) => icons)]
    expect(pictures.filter(({ src }) => !existsSync(publicFile(src)))).toEqual([])
    const wrong = pictures.filter(({ src, sizes }) => src.endsWith('.png') && pngSize(src) !== sizes)
    expect(wrong).toEqual([])
  })

  test('has icons for every launcher, and the ways in', () => {
    const icons = manifest.icons.filter(({ type }) => type === 'image/png')
    expect(icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
      'monochrome 512x512',
    ])
    expect(manifest.shortcuts.map(({ url }) => url)).toEqual(['/members', '/membership-tiers', '/blog'])
    expect(pngSize('/icons/apple-touch-icon.png')).toBe('180x180')
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

test('sharing pictures have the size that links are shown with, and load quickly', () => {
  const names = namesIn('/social', '.png')
  expect(names).toContain('default.png')
  const faulty = names.filter(
    (name) => pngSize(`/social/${name}`) !== '1200x630' || statSync(publicFile(`/social/${name}`)).size > 60_000,
  )
  expect(faulty).toEqual([])
})
