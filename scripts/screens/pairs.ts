import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { logIn } from '#pwa/e2e/browsers/fixtures.ts'
import { compareAtRest, comparePages, describePair, isKnown, type Pair, settle } from '#pwa/e2e/browsers/sizes.ts'
import { walks } from '#pwa/e2e/browsers/walks.ts'
import type { EngineName } from '#pwa/e2e/engines/engine.ts'
import { openVisitor, type Visitor } from '#pwa/e2e/engines/visitor.ts'
import { type Shot, type Theme, themes } from './camera.ts'
import { writeSheets } from './sheets.ts'

export type Comparison = {
  engine: EngineName
  site: string
  browser: Browser
  folder: string
  who: readonly string[]
  /** What the addresses begin with; all if empty. */
  only: readonly string[]
}

/** `pictures` are of the part of the page where it is, Chromium's last. */
type Seen = { pair: Pair; path: string; width: number; themes: Theme[]; pictures: string[]; top: number }
type Found = { seen: Seen[]; shots: Shot[] }

const phoneWidth = 390
const height = 900
/** As high as fits the screen no one sees. */
const tallest = 2300
const most = 50

/** Prints the fifty things that differ most from Chromium's and aren't known to, draws both of each, and every page on the engine's phone. */
export async function compareWithChromium(comparison: Comparison): Promise<void> {
  const { engine, folder, browser } = comparison
  mkdirSync(join(folder, 'shots'), { recursive: true })
  const found: Found = { seen: [], shots: [] }
  for (const theme of themes)
    for (const who of comparison.who) {
      const visitors = [engine, 'chromium' as const].map((name) =>
        openVisitor(name, comparison.site, { isDark: theme === 'dark' }),
      )
      await walk(comparison, { who, theme, found, visitors: await Promise.all(visitors) })
    }
  for (const theme of themes) {
    const shots = found.shots.filter((shot) => shot.theme === theme)
    const sheets = await writeSheets(browser, folder, { shots, width: phoneWidth })
    console.log(`${engine}, ${phoneWidth} px, ${theme}: ${shots.length} screens on ${sheets} sheets`)
  }
  const worst = found.seen.toSorted((one, other) => other.pair.by - one.pair.by).slice(0, most)
  const lines = worst.map(
    ({ pair, path, width, themes: seenIn }, at) =>
      `${at + 1}: ${pair.by.toFixed(1)} px, ${path} at ${width} px, ${seenIn.join(' and ')}: ${describePair(pair)}`,
  )
  console.log(lines.join('\n'))
  writeFileSync(join(folder, 'pairs.txt'), `${lines.join('\n')}\n`)
  for (const [at, one] of worst.entries()) await drawPair(one, join(folder, `pair-${at + 1}.jpg`))
}

type Walker = { who: string; theme: Theme; found: Found; visitors: Visitor[] }

async function walk(comparison: Comparison, walker: Walker): Promise<void> {
  const { who, visitors } = walker
  const { email, paths = [] } = walks[who] ?? {}
  const { only } = comparison
  const chosen = paths.filter((path) => only.length === 0 || only.some((start) => path.startsWith(start)))
  if (email && chosen.length > 0) await Promise.all(visitors.map((visitor) => logIn(visitor, email)))
  for (const path of chosen) for (const width of [phoneWidth, 1440]) await lookAt(comparison, walker, { path, width })
  for (const visitor of visitors) {
    await visitor.close()
    visitor.forget()
  }
}

type Place = { path: string; width: number }

async function lookAt({ engine, folder }: Comparison, { theme, found, visitors }: Walker, { path, width }: Place) {
  const each = <Answer>(work: (visitor: Visitor) => Promise<Answer>) => Promise.all(visitors.map(work))
  await each((visitor) => visitor.resize(width, height))
  if (width === phoneWidth) await each((visitor) => visitor.goto(path))
  const [phone, other] = visitors
  if (!phone || !other) return
  const { here, there } = await compareAtRest(phone, other, { path, width })
  if (here.scrollWidth > width) console.log(`${path}: ${here.scrollWidth} px wide at ${width} px`)
  const name = join(folder, 'shots', `${theme}-${width}-${path.replaceAll(/\W+/g, '-')}`)
  const pictures = await each((visitor) => shoot(visitor, width, `${name}-${visitor.name}`))
  for (const pair of comparePages(here, there, 0.9)) {
    if (isKnown(engine, path, pair)) continue
    const said = describePair(pair)
    const same = found.seen.find((one) => one.path === path && one.width === width && describePair(one.pair) === said)
    const top = (pair.here ?? pair.there)?.top ?? 0
    const parts = pictures.flatMap((pieces) => pieces[Math.floor(top / tallest)] ?? pieces.slice(-1))
    if (same) same.themes.push(theme)
    else found.seen.push({ pair, path, width, themes: [theme], pictures: parts, top: top % tallest })
  }
  if (width !== phoneWidth) return
  found.shots.push(...(pictures[0] ?? []).map((file): Shot => ({ name: `${path} · ${engine}`, file, theme })))
}

/** A page in pieces, each as high as there's room. */
async function shoot(visitor: Visitor, width: number, name: string): Promise<string[]> {
  await visitor.resize(width, tallest)
  await settle(visitor)
  const whole = await visitor.read(() => document.documentElement.scrollHeight)
  const files: string[] = []
  for (let top = 0; top < whole; top += tallest) {
    const scrolled = await visitor.read(async (to) => {
      scrollTo(0, to)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return scrollY
    }, top)
    const piece = sharp(await visitor.screenshot())
    const { width: wide = width, height: high = tallest } = await piece.metadata()
    const from = Math.min(top - scrolled, high - 1)
    const area = { left: 0, top: Math.max(0, from), width: wide, height: Math.min(high - from, whole - top) }
    const file = `${name}-${files.length}.jpg`
    await piece.extract(area).jpeg({ quality: 85 }).toFile(file)
    files.push(file)
  }
  return files
}

/** Both side by side, with what's around it. */
async function drawPair({ pictures, top }: Seen, file: string): Promise<void> {
  const around = 150
  const pieces = await Promise.all(
    pictures.map(async (picture) => {
      const { width = 0, height: high = 0 } = await sharp(picture).metadata()
      const from = Math.max(0, Math.min(Math.floor(top) - around, high - 1))
      const area = { left: 0, top: from, width, height: Math.min(700, high - from) }
      return { input: await sharp(picture).extract(area).toBuffer(), ...area }
    }),
  )
  const width = Math.max(...pieces.map((piece) => piece.width)) + 8
  const tall = Math.max(...pieces.map((piece) => piece.height))
  await sharp({ create: { width: width * pieces.length, height: tall, channels: 3, background: 'red' } })
    .composite(pieces.map(({ input }, at) => ({ input, left: at * width, top: 0 })))
    .jpeg({ quality: 85 })
    .toFile(file)
}
