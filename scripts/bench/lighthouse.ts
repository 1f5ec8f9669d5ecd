import lighthouse from 'lighthouse'
import { inBrowser } from './browser.ts'
import { openWithoutScripts } from './front.ts'
import type { House } from './house.ts'
import { median } from './pairs.ts'
import { freePort, startProduct, whileRunning } from './programs.ts'
import { publicPages } from './public-pages.ts'
import { compared, inMs, type Result } from './result.ts'

const rounds = 3

/** Least score of each category, of 100. */
const leastScores = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
const categories = Object.keys(leastScores)

const mostShift = 0.01
const mostBlockedMs = 50

type Looked = { scores: number[]; paintMs: number; shift: number; blockedMs: number; faults: string[] }

/** Lighthouse's phone on every page, and beside it on the same page without scripts. */
export async function measureLighthouse(house: House, named: readonly string[]): Promise<Result[]> {
  const port = freePort()
  return inBrowser(
    () =>
      whileRunning(startProduct(house.copy()), async (server) => {
        const url = server.url.replace('127.0.0.1', 'localhost')
        const floor = openWithoutScripts(url)
        const results: Result[] = []
        try {
          for (const path of await publicPages(url, named)) {
            console.error(`  ${path}`)
            results.push(...(await measurePage(path, { floor: floor.url + path, product: url + path, port })))
          }
        } finally {
          await floor.close()
        }
        return results
      }),
    [`--remote-debugging-port=${port}`],
  )
}

type Sides = { floor: string; product: string; port: number }

async function measurePage(path: string, { floor, product, port }: Sides): Promise<Result[]> {
  const bare: Looked[] = []
  const looks: Looked[] = []
  while (looks.length < rounds) {
    bare.push(await look(floor, port, ['performance']))
    looks.push(await look(product, port, categories))
  }
  const least = median(bare.map(({ paintMs }) => paintMs))
  const ms = median(looks.map(({ paintMs }) => paintMs))
  return [
    scoreRow(path, looks),
    compared(`${path}: largest paint`, { floor: least, product: ms, ratio: ms / least }, inMs, { atMost: 1.5 }),
    steadyRow(path, looks, bare),
  ]
}

/** Where other work keeps the browser busy, its record of a page may lack the beginning: then once more. */
async function run(url: string, port: number, onlyCategories: string[]) {
  for (let tries = 1; ; tries += 1) {
    const done = await lighthouse(url, { port, onlyCategories, output: 'json', logLevel: 'silent' })
    const fault = done === undefined ? 'nothing was measured' : done.lhr.runtimeError?.message
    if (done !== undefined && fault === undefined) return done.lhr
    if (tries === 3) throw new Error(`${url}: ${fault}`)
  }
}

async function look(url: string, port: number, onlyCategories: string[]): Promise<Looked> {
  const { audits, categories: found } = await run(url, port, onlyCategories)
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const short = Object.values(found)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.98)
  return {
    scores: onlyCategories.map((id) => Math.round((found[id]?.score ?? 0) * 100)),
    paintMs: figure('largest-contentful-paint'),
    shift: figure('cumulative-layout-shift'),
    blockedMs: figure('total-blocking-time'),
    faults: short.map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim()),
  }
}

/** Of each category the middle score. */
function scoreRow(path: string, looks: readonly Looked[]): Result {
  const least = Object.values(leastScores)
  const scores = categories.map((_, place) => median(looks.map((one) => one.scores[place] ?? 0)))
  const isMet = scores.every((score, place) => score >= (least[place] ?? 100))
  const row = `${path}: Lighthouse, ${categories.join(', ')}`
  const faults = [...new Set(looks.flatMap((one) => one.faults))].join(', ')
  return {
    ...{ row, floor: '', product: scores.join(' '), ratio: '', limit: `≥ ${least.join(' ')}`, isMet },
    note: isMet ? undefined : faults,
  }
}

/** The floor's blocked time is what layout takes, and other work on the machine. */
function steadyRow(path: string, looks: readonly Looked[], bare: readonly Looked[]): Result {
  const shiftOf = (all: readonly Looked[]) => median(all.map(({ shift }) => shift))
  const blockedOf = (all: readonly Looked[]) => median(all.map(({ blockedMs }) => blockedMs))
  const show = (all: readonly Looked[]) => `${shiftOf(all).toFixed(3)}, ${inMs(blockedOf(all))}`
  return {
    row: `${path}: layout shift, blocked time`,
    floor: show(bare),
    product: show(looks),
    ratio: '',
    limit: `≤ ${mostShift}, ≤ ${mostBlockedMs} ms`,
    isMet: shiftOf(looks) <= mostShift && blockedOf(looks) <= mostBlockedMs,
  }
}
