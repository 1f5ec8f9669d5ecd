import { createApp } from '#api/app.ts'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { type LargeDataset, openLargeDataset } from './dataset.ts'
import { formatMs, medianOfRounds, printMost, printRatio, quantile, timed } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { cycle } from './load.ts'
import { ask, memoryMb, type RunningServer, startBare, startPlain } from './programs.ts'
import { captureResponse } from './reads.ts'
import { measureWebhooks } from './webhooks.ts'

const [members, months] = [100_000, 24]
const thousands = (count: number) => count.toLocaleString('en-GB')

/** Webhooks, and revenue reports on a large dataset: 2.4 million invoices, each with a ledger line. */
export async function measureMoney(fixture: Fixture): Promise<void> {
  await measureWebhooks(fixture)
  const dataDir = fixture.copyDataDir()
  const dataset = openLargeDataset(dataDir, { members, months, ticks: 0 })
  const few = openLargeDataset(fixture.copyDataDir(), { members: members / 100, months, ticks: 0 })
  const months25 = '/api/admin/revenue-months?limit=25'
  await measureGrowth(few, dataset, `MRR, ${thousands(members)} members`, '/api/admin/mrr')
  await measureGrowth(few, dataset, `Months, none frozen, ${thousands(members * months)} invoices`, months25)
  for (const { ctx } of [few, dataset]) closeMonths(ctx)
  await measureGrowth(few, dataset, `Months, frozen, ${thousands(members * months)} invoices`, months25)
  few.ctx.sqlite.close()
  const month = dataset.months.at(-1)
  await measureReport(dataset, `Statement of a month, ${thousands(members)} lines`, {
    path: `/api/admin/commission-statements/${month}`,
    aggregate: `select kind, sum(amount) from commission_ledger where month = '${month}' group by kind`,
    rounds: 41,
    most: 1.5,
  })
  dataset.ctx.sqlite.close()
  await using server = await startBare(dataDir)
  await measureExport(server, dataset, fixture)
  await measureCsv(server, dataset, dataDir)
}

/** An answer over everyone, against the same over a hundredth of them. */
async function measureGrowth(few: LargeDataset, many: LargeDataset, row: string, path: string): Promise<void> {
  const [askFew, askMany] = [requestOf(few, path), requestOf(many, path)]
  const comparison = await medianOfRounds({
    rounds: 41,
    floor: () => timed(askFew),
    product: () => timed(askMany),
  })
  printRatio(row, comparison, { format: formatMs, limit: { atMost: 1.5 } })
}

function requestOf({ ctx, ownerCookie }: LargeDataset, path: string) {
  const app = createApp(ctx)
  return async () => {
    const response = await app.handle(new Request(`http://localhost${path}`, { headers: { cookie: ownerCookie } }))
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}.`)
    await response.arrayBuffer()
  }
}

type Report = { path: string; aggregate: string; rounds: number; most: number }

/** A whole API response from session to JSON, against just the bare aggregate query on the same connection. */
async function measureReport(dataset: LargeDataset, row: string, report: Report): Promise<void> {
  const { path, aggregate, rounds, most } = report
  const { sqlite } = dataset.ctx
  const request = requestOf(dataset, path)
  const statement = sqlite.prepare(aggregate)
  const plan = sqlite.prepare<[], { detail: string }>(`explain query plan ${aggregate}`).all()
  if (!plan.some(({ detail }) => detail.includes('COVERING INDEX'))) throw new Error(`Not covered: ${aggregate}`)
  const comparison = await medianOfRounds({
    rounds,
    floor: () => timed(() => statement.all()),
    product: () => timed(request),
  })
  printRatio(row, comparison, { format: formatMs, limit: { atMost: most } })
}

/** An export of three months mustn't block other requests (a ping, a member's tick) or fill the memory. */
async function measureExport(server: RunningServer, { ownerCookie, months }: LargeDataset, fixture: Fixture) {
  const path = await ticketed(server, `/api/admin/exports/invoices.csv?from=${months.at(-3)}-01`, ownerCookie)
  const exportAll = () => download(server, path, ownerCookie)
  const ping = () => ask(server, '/api/health')
  const [videoId, headers] = [cycle(fixture.videoIds), { cookie: fixture.member.cookie }]
  const tick = () => ask(server, `/api/video-progress/${videoId()}/complete`, { method: 'POST', headers })
  // A warm-up: the heap grows to what such work needs and stays there.
  await exportAll()
  // Without requests beside it, whose garbage would be counted too.
  const { growth } = await exportAll()
  const idle = await timesBeside(() => Bun.sleep(2000), ping)
  const pinged = await timesBeside(exportAll, ping)
  const ticked = await timesBeside(exportAll, tick)
  const name = `Export of ${thousands(pinged.result.rows)} invoices`
  const slowest = (ms: number[]) => `${ms.length} meanwhile, the slowest ${formatMs(Math.max(...ms))}`
  printMost(`${name}: a ping meanwhile, p99`, quantile(pinged.ms, 0.99), {
    most: 5,
    note: `${slowest(pinged.ms)}; without the export p99 ${formatMs(quantile(idle.ms, 0.99))}`,
  })
  printMost(`${name}: a durable tick meanwhile, p99`, quantile(ticked.ms, 0.99), { most: 20, note: slowest(ticked.ms) })
  const format = (megabytes: number) => `${Math.round(megabytes)} MB`
  printMost(`${name}: growth of memory`, growth, { most: 30, format })
}

/** A month's invoices, one per member, against the same bytes from memory. */
async function measureCsv(server: RunningServer, { ownerCookie, months }: LargeDataset, dataDir: string) {
  const month = months.at(-2)
  const asked = `/api/admin/exports/invoices.csv?from=${month}-01&to=${month}-28`
  const path = await ticketed(server, asked, ownerCookie)
  const headers = { cookie: ownerCookie }
  const { file, fields } = await captureResponse(server, path, { dataDir, headers })
  await using plain = await startPlain(file, fields)
  const time = (url: string) =>
    timed(async () => {
      const { byteLength } = await (await fetch(url, { headers })).arrayBuffer()
      if (byteLength !== Bun.file(file).size) throw new Error(`${url} sent ${byteLength} bytes.`)
    })
  const [floor, product] = [() => time(plain.url), () => time(server.url + path)]
  const comparison = await medianOfRounds({ rounds: 5, floor, product })
  printRatio(`CSV of ${thousands(members)} invoices`, comparison, { format: formatMs, limit: { atMost: 10 } })
}

/** The address of a file of names, with the ticket that the password gives for some minutes. */
async function ticketed(server: RunningServer, path: string, cookie: string): Promise<string> {
  const headers = { cookie, 'content-type': 'application/json' }
  const body = JSON.stringify({ file: 'invoices.csv' })
  const answer = await ask(server, '/api/admin/exports/files', { method: 'POST', headers, body })
  return `${path}&ticket=${JSON.parse(answer.body).ticket}`
}

async function download(server: RunningServer, path: string, cookie: string) {
  const before = memoryMb(server.pid)
  const response = await fetch(server.url + path, { headers: { cookie } })
  if (response.status !== 200 || response.body === null) throw new Error(`${path} responded with ${response.status}.`)
  // The header is a line, but not a row.
  let [rows, peak] = [-1, before]
  for await (const chunk of response.body) {
    // A loop over single bytes would delay its own pings.
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1
    peak = Math.max(peak, memoryMb(server.pid))
  }
  return { rows, growth: peak - before }
}

/** Sends one request after another while `work` runs, each timed in ms. */
async function timesBeside<Result>(work: () => Promise<Result>, send: () => Promise<unknown>) {
  const ms: number[] = []
  let isOver = false
  const requests = (async () => {
    while (!isOver) ms.push(await timed(send))
  })()
  const result = await work()
  isOver = true
  await requests
  return { result, ms }
}
