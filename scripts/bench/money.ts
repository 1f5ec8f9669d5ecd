import { readFileSync } from 'node:fs'
import { createApp } from '#api/app.ts'
import { freezeMonths } from '#api/features/revenue/jobs.ts'
import { type BigBooks, memberCount, monthCount, openBigBooks } from './big-books.ts'
import type { House } from './house.ts'
import { inPairs, quantile } from './pairs.ts'
import { type Running, startProduct, whileRunning } from './programs.ts'
import { atMost, compared, inMs, type Result, within } from './result.ts'
import { measureWebhooks, quietServer } from './webhooks.ts'

/** Webhooks, and what is told of big books: each figure beside the bare aggregate that it cannot do without. */
export async function measureMoney(house: House): Promise<Result[]> {
  const webhooks = await measureWebhooks(house)
  const dataDir = house.copy()
  const books = openBigBooks(dataDir)
  try {
    const now = await measureNow(books)
    const open = await measureMonths(books, 'Months and tiers, none frozen')
    freezeMonths(books.ctx)
    const frozen = await measureMonths(books, 'Months and tiers, frozen')
    const statement = await measureStatement(books)
    books.close()
    return [...webhooks, now, open, frozen, statement, ...(await measureExport(house, dataDir, books))]
  } finally {
    if (books.ctx.sqlite.open) books.close()
  }
}

const thousands = (count: number) => count.toLocaleString('en-GB')

type Told = { row: string; path: string; aggregate: string; rounds: number; most: number }

/** A whole answer of the API, from its session to its JSON, beside the aggregate alone on the same connection. */
async function measure({ ctx, ownerCookie }: BigBooks, { row, path, aggregate, rounds, most }: Told): Promise<Result> {
  const app = createApp(ctx)
  const statement = ctx.sqlite.prepare(aggregate)
  const plan = ctx.sqlite.prepare<[], { detail: string }>(`explain query plan ${aggregate}`).all()
  if (!plan.some(({ detail }) => detail.includes('COVERING INDEX'))) throw new Error(`Not covered: ${aggregate}`)
  const timed = async (work: () => unknown) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const ask = async () => {
    const answer = await app.handle(new Request(`http://localhost${path}`, { headers: { cookie: ownerCookie } }))
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
    await answer.arrayBuffer()
  }
  const pair = await inPairs(rounds, { floor: () => timed(() => statement.all()), product: () => timed(ask) })
  return compared(row, pair, inMs, { atMost: most })
}

const measureNow = (books: BigBooks) =>
  measure(books, {
    row: `Revenue now, ${thousands(memberCount)} members`,
    path: '/api/admin/mrr',
    aggregate: `select status, tierSlug, count(*), sum(monthlyNet) from subscriptions
      where status in ('active', 'past_due') group by status, tierSlug`,
    ...{ rounds: 41, most: 2 },
  })

const measureMonths = (books: BigBooks, row: string) =>
  measure(books, {
    row: `${row}, ${thousands(memberCount * monthCount)} invoices`,
    path: '/api/admin/revenue-months?limit=25',
    aggregate: 'select substr(taxPoint, 1, 7) as month, tierSlug, sum(net) from invoices group by month, tierSlug',
    ...{ rounds: 5, most: 1.5 },
  })

const measureStatement = (books: BigBooks) =>
  measure(books, {
    row: `Statement of a month, ${thousands(memberCount)} lines`,
    path: `/api/admin/commission-statements/${books.months.at(-1)}`,
    aggregate: `select kind, sum(amount) from commission_ledger where month = '${books.months.at(-1)}' group by kind`,
    ...{ rounds: 41, most: 1.5 },
  })

/** An export of three months, while somebody looks whether the server is there, and members tick videos. */
async function measureExport(house: House, dataDir: string, { ownerCookie, months }: BigBooks): Promise<Result[]> {
  const path = `/api/admin/exports/invoices.csv?from=${months.at(-3)}-01`
  return whileRunning(startProduct(dataDir, quietServer), async (server) => {
    const all = () => download(server, path, ownerCookie)
    // A first one warms up: the heap takes what any work of this kind needs, and keeps it.
    await all()
    const alone = await whileAsking(() => Bun.sleep(2000), ping(server))
    const pinged = await whileAsking(all, ping(server))
    const ticked = await whileAsking(all, tick(house, server))
    const name = `Export of ${thousands(pinged.result.rows)} invoices`
    const told = (waits: number[]) => `${waits.length} meanwhile, the slowest ${inMs(Math.max(...waits))}`
    return [
      {
        ...within(`${name}: a ping meanwhile, p99`, quantile(pinged.waits, 0.99), 30),
        note: `${told(pinged.waits)}; without the export p99 ${inMs(quantile(alone.waits, 0.99))}`,
      },
      {
        ...within(`${name}: a durable tick meanwhile, p99`, quantile(ticked.waits, 0.99), 50),
        note: told(ticked.waits),
      },
      atMost(`${name}: growth of memory`, pinged.result.growth, 20, (megabytes) => `${Math.round(megabytes)} MB`),
    ]
  })
}

async function download(server: Running, path: string, cookie: string) {
  const before = residentMb(server.pid)
  const response = await fetch(server.url + path, { headers: { cookie } })
  if (response.status !== 200 || response.body === null) throw new Error(`${path} answered ${response.status}.`)
  let [rows, most] = [-1, before]
  for await (const chunk of response.body) {
    for (const byte of chunk) if (byte === 10) rows += 1
    most = Math.max(most, residentMb(server.pid))
  }
  return { rows, growth: most - before }
}

const ping =
  ({ url }: Running) =>
  () =>
    fetch(`${url}/api/health`)

const tick =
  ({ cookie, videoIds }: House, { url }: Running) =>
  (turn: number) =>
    fetch(`${url}/api/video-progress/${videoIds[turn % videoIds.length]}/complete`, {
      method: 'POST',
      headers: { cookie },
    })

/** How long each of these took, asked one after the other for as long as `work` goes on. */
async function whileAsking<Answer>(work: () => Promise<Answer>, ask: (turn: number) => Promise<Response>) {
  const waits: number[] = []
  let isOver = false
  const asking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const start = performance.now()
      const response = await ask(turn)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`It was answered ${response.status} meanwhile.`)
      waits.push(performance.now() - start)
    }
  })()
  const result = await work()
  isOver = true
  await asking
  return { result, waits }
}

/** None where the system does not say (only Linux does). */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
