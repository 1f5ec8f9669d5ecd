import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { createApp } from '#api/app.ts'
import { freezeMonths } from '#api/features/earnings/month-jobs.ts'
import type { Fixture } from './fixture.ts'
import { type LargeDataset, memberCount, monthCount, openLargeDataset } from './large-dataset.ts'
import { type RunningServer, startProduct, startServer, withServer } from './programs.ts'
import { plainServer } from './reads.ts'
import { durationRow, formatMs, limitRow, type Result, ratioRow } from './result.ts'
import { medianOfRounds, quantile } from './rounds.ts'
import { bareServer, measureWebhooks } from './webhooks.ts'

/** Webhooks, and revenue reports on a large dataset. A report's floor is the bare aggregate query. */
export async function measureMoney(fixture: Fixture): Promise<Result[]> {
  const webhooks = await measureWebhooks(fixture)
  const dataDir = fixture.copyDataDir()
  const dataset = openLargeDataset(dataDir)
  try {
    const now = await measureNow(dataset)
    const open = await measureMonths(dataset, 'Months and tiers, none frozen')
    freezeMonths(dataset.ctx)
    const frozen = await measureMonths(dataset, 'Months and tiers, frozen')
    const statement = await measureStatement(dataset)
    dataset.close()
    const exports = await measureExport(fixture, dataDir, dataset)
    return [...webhooks, now, open, frozen, statement, ...exports, await measureCsv(dataDir, dataset)]
  } finally {
    if (dataset.ctx.sqlite.open) dataset.close()
  }
}

const thousands = (count: number) => count.toLocaleString('en-GB')

type Report = { row: string; path: string; aggregate: string; rounds: number; most: number }

/** A whole API response from session to JSON, against just the aggregate on the same connection. */
async function measureReport({ ctx, ownerCookie }: LargeDataset, report: Report): Promise<Result> {
  const { row, path, aggregate, rounds, most } = report
  const app = createApp(ctx)
  const statement = ctx.sqlite.prepare(aggregate)
  const plan = ctx.sqlite.prepare<[], { detail: string }>(`explain query plan ${aggregate}`).all()
  if (!plan.some(({ detail }) => detail.includes('COVERING INDEX'))) throw new Error(`Not covered: ${aggregate}`)
  const timed = async (work: () => unknown) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const requestReport = async () => {
    const response = await app.handle(new Request(`http://localhost${path}`, { headers: { cookie: ownerCookie } }))
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}.`)
    await response.arrayBuffer()
  }
  const comparison = await medianOfRounds(rounds, {
    floor: () => timed(() => statement.all()),
    product: () => timed(requestReport),
  })
  return ratioRow(row, comparison, formatMs, { atMost: most })
}

const measureNow = (dataset: LargeDataset) =>
  measureReport(dataset, {
    row: `Revenue now, ${thousands(memberCount)} members`,
    path: '/api/admin/mrr',
    aggregate: `select status, tierSlug, count(*), sum(monthlyNet) from subscriptions
      where status in ('active', 'past_due') group by status, tierSlug`,
    rounds: 41,
    most: 2,
  })

const measureMonths = (dataset: LargeDataset, row: string) =>
  measureReport(dataset, {
    row: `${row}, ${thousands(memberCount * monthCount)} invoices`,
    path: '/api/admin/revenue-months?limit=25',
    aggregate: 'select substr(taxPoint, 1, 7) as month, tierSlug, sum(net) from invoices group by month, tierSlug',
    rounds: 5,
    most: 1.5,
  })

const measureStatement = (dataset: LargeDataset) =>
  measureReport(dataset, {
    row: `Statement of a month, ${thousands(memberCount)} lines`,
    path: `/api/admin/commission-statements/${dataset.months.at(-1)}`,
    aggregate: `select kind, sum(amount) from commission_ledger where month = '${dataset.months.at(-1)}' group by kind`,
    rounds: 41,
    most: 1.5,
  })

/** An export of three months mustn't block other requests (a ping, a member's tick) or fill the memory. */
async function measureExport(
  fixture: Fixture,
  dataDir: string,
  { ownerCookie, months }: LargeDataset,
): Promise<Result[]> {
  const path = `/api/admin/exports/invoices.csv?from=${months.at(-3)}-01`
  return withServer(startProduct(dataDir, bareServer), async (server) => {
    const file = await ticketed(server, path, ownerCookie)
    const exportAll = () => download(server, file, ownerCookie)
    // A warm-up: the heap grows to what such work needs and stays there.
    await exportAll()
    const idle = await withConcurrentRequests(() => Bun.sleep(2000), ping(server))
    const pinged = await withConcurrentRequests(exportAll, ping(server))
    const ticked = await withConcurrentRequests(exportAll, tick(fixture, server))
    const name = `Export of ${thousands(pinged.result.rows)} invoices`
    const describeLatencies = (latencies: number[]) =>
      `${latencies.length} meanwhile, the slowest ${formatMs(Math.max(...latencies))}`
    return [
      {
        ...durationRow(`${name}: a ping meanwhile, p99`, quantile(pinged.latencies, 0.99), 30),
        note: `${describeLatencies(pinged.latencies)}; without the export p99 ${formatMs(quantile(idle.latencies, 0.99))}`,
      },
      {
        ...durationRow(`${name}: a durable tick meanwhile, p99`, quantile(ticked.latencies, 0.99), 50),
        note: describeLatencies(ticked.latencies),
      },
      limitRow(`${name}: growth of memory`, pinged.result.growth, 20, (megabytes) => `${Math.round(megabytes)} MB`),
    ]
  })
}

/** A month's invoices, one per member, against the same bytes from memory. */
async function measureCsv(dataDir: string, { ownerCookie, months }: LargeDataset): Promise<Result> {
  const month = months.at(-2)
  const path = `/api/admin/exports/invoices.csv?from=${month}-01&to=${month}-28`
  const headers = { cookie: ownerCookie }
  return withServer(startProduct(dataDir, bareServer), async (server) => {
    const address = await ticketed(server, path, ownerCookie)
    const response = await fetch(server.url + address, { headers })
    const file = join(dataDir, 'month.csv')
    await Bun.write(file, response)
    const fields = JSON.stringify({ 'content-type': 'text/csv; charset=utf-8' })
    return withServer(startServer([plainServer, file, fields]), async (plain) => {
      const timed = async (url: string) => {
        const start = performance.now()
        const { byteLength } = await (await fetch(url, { headers })).arrayBuffer()
        if (byteLength !== Bun.file(file).size) throw new Error(`${url} sent ${byteLength} bytes.`)
        return performance.now() - start
      }
      const comparison = await medianOfRounds(5, {
        floor: () => timed(plain.url),
        product: () => timed(server.url + address),
      })
      return ratioRow(`CSV of ${thousands(memberCount)} invoices`, comparison, formatMs, { atMost: 15 })
    })
  })
}

/** The address of a file of names, with the ticket that the password gives for some minutes. */
async function ticketed({ url }: RunningServer, path: string, cookie: string): Promise<string> {
  const headers = { cookie, 'content-type': 'application/json' }
  const asked = { method: 'POST', headers, body: JSON.stringify({ file: 'invoices.csv' }) }
  const response = await fetch(`${url}/api/admin/exports/files`, asked)
  if (response.status !== 200) throw new Error(`No ticket for ${path}: ${response.status}.`)
  const { ticket } = v.parse(v.object({ ticket: v.string() }), await response.json())
  return `${path}&ticket=${ticket}`
}

async function download(server: RunningServer, path: string, cookie: string) {
  const before = residentMb(server.pid)
  const response = await fetch(server.url + path, { headers: { cookie } })
  if (response.status !== 200 || response.body === null) throw new Error(`${path} responded with ${response.status}.`)
  // The header is a line, but not a row.
  let [rows, peak] = [-1, before]
  for await (const chunk of response.body) {
    // A loop over single bytes would delay its own pings.
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1
    peak = Math.max(peak, residentMb(server.pid))
  }
  return { rows, growth: peak - before }
}

const ping =
  ({ url }: RunningServer) =>
  () =>
    fetch(`${url}/api/health`)

const tick =
  ({ cookie, videoIds }: Fixture, { url }: RunningServer) =>
  (index: number) =>
    fetch(`${url}/api/video-progress/${videoIds[index % videoIds.length]}/complete`, {
      method: 'POST',
      headers: { cookie },
    })

/** Sends one request after another while `work` runs. Returns each one's ms. */
async function withConcurrentRequests<T>(work: () => Promise<T>, send: (index: number) => Promise<Response>) {
  const latencies: number[] = []
  let isOver = false
  const requests = (async () => {
    for (let index = 0; !isOver; index += 1) {
      const start = performance.now()
      const response = await send(index)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`A request during the work got ${response.status}.`)
      latencies.push(performance.now() - start)
    }
  })()
  const result = await work()
  isOver = true
  await requests
  return { result, latencies }
}

/** 0 except on Linux, as other systems don't report it. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
