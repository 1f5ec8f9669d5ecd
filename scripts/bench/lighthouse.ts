import lighthouse from 'lighthouse'
import * as v from 'valibot'
import { freePort } from '#pwa/e2e/free-port.ts'
import { openBrowser } from './browser.ts'
import { formatKb, formatMs, median, printMost, printRatio, printRow } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { startProduct } from './programs.ts'
import { listPublicPages } from './public-pages.ts'

const rounds = 3
const minimums = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 }
const categories = Object.keys(minimums)
const [mostShift, mostBlockedMs, mostTimesFloor, mostScriptBytes] = [0.01, 50, 1.33, 115_000]

/** Lighthouse's phone profile on every page. The floor is the same page whose scripts don't come. */
export async function measureLighthouse({ copyDataDir }: Fixture, named: readonly string[]): Promise<void> {
  const port = await freePort()
  await using _browser = await openBrowser([`--remote-debugging-port=${port}`])
  await using server = await startProduct(copyDataDir())
  const { url } = server
  for (const path of await listPublicPages(url, named)) await measurePage(path, url + path, port)
}

type Audit = Awaited<ReturnType<typeof auditPage>>

async function measurePage(path: string, url: string, port: number): Promise<void> {
  const [plain, audits]: [Audit[], Audit[]] = [[], []]
  while (audits.length < rounds) {
    plain.push(await auditPage(url, { port, onlyCategories: ['performance'], blockedUrlPatterns: ['*.js'] }))
    audits.push(await auditPage(url, { port, onlyCategories: categories }))
  }
  const scores = categories.map((_, index) => median(audits.map((audit) => audit.scores[index] ?? 0)))
  const wanted = Object.values(minimums)
  const isMet = scores.every((score, index) => score >= (wanted[index] ?? 100))
  printRow(`${path}: Lighthouse, ${categories.join(', ')}`, {
    product: scores.join(' '),
    limit: `≥ ${wanted.join(' ')}`,
    isMet,
    note: isMet ? undefined : [...new Set(audits.flatMap(({ faults }) => faults))].join(', '),
  })
  const middle = (of: readonly Audit[], figure: 'paintMs' | 'shift' | 'blockedMs') =>
    median(of.map((audit) => audit[figure]))
  const [least, ms] = [middle(plain, 'paintMs'), middle(audits, 'paintMs')]
  const compared = { floor: least, product: ms, ratio: ms / least }
  printRatio(`${path}: largest paint`, compared, { format: formatMs, limit: { atMost: 1.5 } })
  // The floor has blocking time too, from layout and other work on the machine.
  const mostBlocked = Math.max(mostBlockedMs, mostTimesFloor * middle(plain, 'blockedMs'))
  const format = (of: readonly Audit[]) => `${middle(of, 'shift').toFixed(3)}, ${formatMs(middle(of, 'blockedMs'))}`
  printRow(`${path}: layout shift, blocked time`, {
    floor: format(plain),
    product: format(audits),
    limit: `≤ ${mostShift}, ≤ ${Math.round(mostBlocked)} ms`,
    isMet: middle(audits, 'shift') <= mostShift && middle(audits, 'blockedMs') <= mostBlocked,
  })
  const scriptBytes = Math.max(...audits.map((audit) => audit.scriptBytes))
  printMost(`${path}: scripts and their headers`, scriptBytes, { most: mostScriptBytes, format: formatKb })
}

const NetworkRequests = v.object({
  items: v.array(v.object({ url: v.string(), transferSize: v.number() })),
})

type Flags = { port: number; onlyCategories: string[]; blockedUrlPatterns?: string[] }

async function auditPage(url: string, flags: Flags) {
  const { audits, categories: found } = await runLighthouse(url, flags)
  const figure = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const belowFull = Object.values(found)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.98)
  const { items } = v.parse(NetworkRequests, audits['network-requests']?.details)
  // Fetched for later, too, which isn't of the kind “Script”.
  const scripts = items.filter(({ url: address }) => address.endsWith('.js'))
  return {
    scores: flags.onlyCategories.map((id) => Math.round((found[id]?.score ?? 0) * 100)),
    paintMs: figure('largest-contentful-paint'),
    shift: figure('cumulative-layout-shift'),
    blockedMs: figure('total-blocking-time'),
    scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
    faults: belowFull.map(({ id }) => `${id} ${audits[id]?.displayValue ?? ''}`.trim()),
  }
}

/** Under load the trace may lack the start of the page, which Lighthouse reports as an error, so retry. */
async function runLighthouse(url: string, flags: Flags) {
  for (let tries = 1; ; tries += 1) {
    const done = await lighthouse(url, { ...flags, output: 'json', logLevel: 'silent' })
    const error = done === undefined ? 'nothing was measured' : done.lhr.runtimeError?.message
    if (done !== undefined && error === undefined) return done.lhr
    if (tries === 3) throw new Error(`${url}: ${error}`)
  }
}
