import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { ensureChromium } from './chromium.ts'

// Renders the pictures that social networks show with links to the site, 1200 × 630; run it after a title or the mark has
// changed.
const read = (path: string) => readFileSync(new URL(`../pwa/${path}`, import.meta.url))
const folder = new URL('../pwa/public/social/', import.meta.url)

/** The lines of each picture's title; the last one is in the brand's yellow. */
const titles = {
  default: ['More time.', 'More freedom.', 'More profit.'],
  about: ['From the tools', 'to the desk'],
  blog: ['From the', 'job sheet'],
  book: ['Book a', 'free call'],
  coaching: ['Coaching for', 'tradesmen'],
  contact: ['Get hold', 'of us'],
  podcast: ['The podcast', 'for the van'],
  quotient: ['Quotes that', 'get accepted'],
  'sales-lion': ['Every call', 'followed up'],
  servicem8: ['Every job', 'on one card'],
  tiers: ['Pick', 'your tier'],
  websites: ['A website', 'that gets calls'],
}

const font = read('ui/fonts/archivo-latin-var.woff2').toString('base64')
const mark = read('public/icons/icon.svg').toString('utf8')

/** The tape measure's marks, one every 12 px: every tenth is long and has a number, every fifth is of middle length. */
const scale = Array.from({ length: 99 }, (_, place) => {
  const [height, width] = place % 10 === 9 ? [62, 5] : place % 5 === 4 ? [38, 4] : [22, 3]
  return `<rect x="${(place + 1) * 12 - width}" y="${100 - height}" width="${width}" height="${height}"/>`
}).join('')
const numbers = Array.from({ length: 9 }, (_, place) => `<text x="${place * 120 + 108}" y="64">${place + 1}0</text>`)

const page = (lines: string[]) => `<!doctype html><style>
  @font-face { font-family: Archivo; src: url(data:font/woff2;base64,${font}); font-weight: 400 900; font-stretch: 62% 125% }
  body { margin: 0; width: 1200px; height: 630px; background: #151612; color: #fff; font: 800 32px/1 Archivo; font-stretch: 62%; word-spacing: 0.08em; text-transform: uppercase }
  header { position: absolute; left: 64px; top: 48px; display: flex; align-items: center; gap: 18px; font-size: 44px }
  header svg { width: 64px }
  h1 { position: absolute; left: 64px; bottom: 132px; margin: 0; font: inherit; line-height: 0.94; white-space: nowrap }
  h1 span { display: block; width: max-content }
  h1 span:last-child { color: #ffdc00 }
  footer { position: absolute; left: 0; bottom: 0; width: 1200px; height: 100px; background: #ffdc00 }
  footer text { font-size: 40px; text-anchor: end }
</style><header>${mark}The Alliance</header>
<h1>${lines.map((line) => `<span>${line}</span>`).join('')}</h1>
<footer><svg width="1200" height="100" fill="#151612">${scale}${numbers.join('')}</svg></footer>`

/** Runs in the page: makes the title as large as the width, and the height below the header, allow. */
const fitTitle = () => {
  const title = document.querySelector('h1')
  if (!title) return
  title.style.fontSize = '100px'
  const { width, height } = title.getBoundingClientRect()
  title.style.fontSize = `${Math.floor(100 * Math.min(1072 / width, 352 / height))}px`
}

mkdirSync(folder, { recursive: true })
const isRoot = process.getuid?.() === 0
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ['--disable-lcd-text', ...(isRoot ? ['--no-sandbox'] : [])],
})
const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } })
for (const [name, lines] of Object.entries(titles)) {
  await tab.setContent(page(lines))
  await tab.evaluate(() => document.fonts.ready)
  await tab.evaluate(fitTitle)
  await tab.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) })
}
await browser.close()
