import lighthouse from 'lighthouse'
import * as v from 'valibot'
import { freePort } from '#pwa/e2e/free-port.ts'
import { withBrowser } from './browser.ts'
import type { Fixture } from './fixture.ts'
import { startProduct, withServer } from './programs.ts'
import { openWithoutScripts } from './proxy.ts'
import { listPublicPages } from './public-pages.ts'
import { formatKb, formatMs, limitRow, type Result, ratioRow } from './result.ts'
import { median } from './rounds.ts'

const rounds = 3

const minimumScores = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
const categories = Object.keys(minimumScores)

const maximumShift = 0.01
const maximumBlockedMs = 50
const maximumScriptBytes = 115_000

type Audit = {
  scores: number[]
  paintMs: number
  shift: number
  blockedMs: number
  scriptBytes: number
  faults: string[]
}

/** Lighthouse's phone profile on every page. The floor is the same page without scripts. */
export async function measureLighthouse(fixture: Fixture, named: readonly string[]): Promise<Result[]> {
  const port = await freePort()
  return withBrowser(
    () =>
      withServer(startProduct(fixture.copyDataDir()), async (server) => {
        const url = server.url.replace('127.0.0.1', 'localhost')
        const floor = openWithoutScripts(url)
        const results: Result[] = []
        try {
          for (const path of await listPublicPages(url, named)) {
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

type Addresses = { floor: string; product: string; port: number }

async function measurePage(path: string, { floor, product, port }: Addresses): Promise<Result[]> {
  const floorAudits: Audit[] = []
  const productAudits: Audit[] = []
  while (productAudits.length < rounds) {
    floorAudits.push(await auditPage(floor, port, ['performance']))
    productAudits.push(await auditPage(product, port, categories))
  }
  const floorMs = median(floorAudits.map(({ paintMs }) => paintMs))
  const ms = median(productAudits.map(({ paintMs }) => paintMs))
  return [
    scoreRow(path, productAudits),
    ratioRow(`${path}: largest paint`, { floor: floorMs, product: ms, ratio: ms / floorMs }, formatMs, { atMost: 1.5 }),
    stabilityRow(path, productAudits, floorAudits),
    scriptRow(path, productAudits),
  ]
}

/** Under load the trace may lack the start of the page, which Lighthouse reports as an error, so retry. */
async function runLighthouse(url: string, port: number, onlyCategories: string[]) {
  for (let tries = 1; ; tries += 1) {
    const done = await lighthouse(url, { port, onlyCategories, output: 'json', logLevel: 'silent' })
    const error = done === undefined ? 'nothing was measured' : done.lhr.runtimeError?.message
    if (done !== undefined && error === undefined) return done.lhr
    if (tries === 3) throw new Error(`${url}: ${error}`)
  }
}

async function auditPage(url: string, port: number, onlyCategories: string[]): Promise<Audit> {
  const { audits, categories: found } = await runLighthouse(url, port, onlyCategories)
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const belowFull = Object.values(found)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.98)
  return {
    scores: onlyCategories.map((id) => Math.round((found[id]?.score ?? 0) * 100)),
    paintMs: figure('largest-contentful-paint'),
    shift: figure('cumulative-layout-shift'),
    blockedMs: figure('total-blocking-time'),
    scriptBytes: sizeOfScripts(audits['network-requests']?.details),
    faults: belowFull.map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim()),
  }
}

function scoreRow(path: string, audits: readonly Audit[]): Result {
  const minimums = Object.values(minimumScores)
  const scores = categories.map((_, index) => median(audits.map((audit) => audit.scores[index] ?? 0)))
  const isMet = scores.every((score, index) => score >= (minimums[index] ?? 100))
  const row = `${path}: Lighthouse, ${categories.join(', ')}`
  const faults = [...new Set(audits.flatMap((audit) => audit.faults))].join(', ')
  return {
    row,
    floor: '',
    product: scores.join(' '),
    ratio: '',
    limit: `≥ ${minimums.join(' ')}`,
    isMet,
    note: isMet ? undefined : faults,
  }
}

/** The page without scripts has blocking time too, from layout and other work on the machine. */
function stabilityRow(path: string, product: readonly Audit[], floor: readonly Audit[]): Result {
  const shiftOf = (audits: readonly Audit[]) => median(audits.map(({ shift }) => shift))
  const blockedMsOf = (audits: readonly Audit[]) => median(audits.map(({ blockedMs }) => blockedMs))
  const format = (audits: readonly Audit[]) => `${shiftOf(audits).toFixed(3)}, ${formatMs(blockedMsOf(audits))}`
  return {
    row: `${path}: layout shift, blocked time`,
    floor: format(floor),
    product: format(product),
    ratio: '',
    limit: `≤ ${maximumShift}, ≤ ${maximumBlockedMs} ms`,
    isMet: shiftOf(product) <= maximumShift && blockedMsOf(product) <= maximumBlockedMs,
  }
}

function sizeOfScripts(details: unknown): number {
  const requests = v.parse(NetworkRequests, details).items.filter(({ resourceType }) => resourceType === 'Script')
  return requests.reduce((sum, { transferSize }) => sum + transferSize, 0)
}

const NetworkRequests = v.object({
  items: v.array(v.object({ resourceType: v.optional(v.string()), transferSize: v.number() })),
})

const scriptRow = (path: string, audits: readonly Audit[]): Result =>
  limitRow(
    `${path}: scripts and their headers`,
    Math.max(...audits.map(({ scriptBytes }) => scriptBytes)),
    maximumScriptBytes,
    formatKb,
  )
