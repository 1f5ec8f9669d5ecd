import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { ensureChromium } from './chromium.ts'

// Renders the PNG icons from the SVG files in pwa/public/icons; run it after the mark has changed.
const folder = new URL('../pwa/public/icons/', import.meta.url)
const mark = readFileSync(new URL('icon.svg', folder), 'utf8')
/** Some launchers colour the icon themselves and use its shape alone. */
const shape = readFileSync(new URL('monochrome.svg', folder), 'utf8')

/** A launcher may cut a fifth off each edge of a maskable icon, so the mark is smaller on its ground. */
const icons = [
  { name: 'monochrome-512.png', size: 512, part: 0.66, drawing: shape, ground: 'transparent' },
  { name: 'favicon-32.png', size: 32, part: 1 },
  { name: 'apple-touch-icon.png', size: 180, part: 0.86 },
  { name: 'icon-192.png', size: 192, part: 1 },
  { name: 'icon-512.png', size: 512, part: 1 },
  { name: 'maskable-192.png', size: 192, part: 0.66 },
  { name: 'maskable-512.png', size: 512, part: 0.66 },
]

const executablePath = ensureChromium()
const isRoot = process.getuid?.() === 0
const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
for (const { name, size, part, drawing = mark, ground = '#ffdc00' } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const inner = Math.round(size * part)
  await page.setContent(
    `<style>html{height:100%;background:${ground}}body{margin:0;height:100%;display:grid;place-items:center}svg{display:block;width:${inner}px}</style>${drawing}`,
  )
  await page.screenshot({ path: fileURLToPath(new URL(name, folder)), omitBackground: ground === 'transparent' })
  await page.close()
}
await browser.close()
writeFileSync(new URL('../favicon.ico', folder), asIco(readFileSync(new URL('favicon-32.png', folder)), 32))

/** Browsers request /favicon.ico for pages that name no icon, such as the sandbox's. An ICO file may hold one PNG. */
function asIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  for (const [offset, value] of [
    [2, 1],
    [4, 1],
    [10, 1],
    [12, 32],
  ] as const)
    head.writeUInt16LE(value, offset)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
