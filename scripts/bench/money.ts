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

/** An export of three months, and members who tick videos meanwhile. */
async function measureExport(house: House, dataDir: string, { ownerCookie, months }: BigBooks): Promise<Result[]> {
  const path = `/api/admin/exports/invoices.csv?from=${months.at(-3)}-01`
  return whileRunning(startProduct(dataDir, quietServer), async (server) => {
    const writes = keepTicking(house, server)
    const { rows, growth } = await download(server, path, ownerCookie)
    const waits = await writes.end()
    const name = `Export of ${thousands(rows)} invoices`
    const note = `${waits.length} ticks were stored meanwhile`
    return [
      { ...within(`${name}: a tick meanwhile, p99`, quantile(waits, 0.99), 100), note },
      atMost(
        `${name}: growth of memory after its first third`,
        growth,
        32,
        (megabytes) => `${Math.round(megabytes)} MB`,
      ),
    ]
  })
}

async function download(server: Running, path: string, cookie: string) {
  const response = await fetch(server.url + path, { headers: { cookie } })
  if (response.status !== 200 || response.body === null) throw new Error(`${path} answered ${response.status}.`)
  const memory: number[] = []
  let rows = -1
  for await (const chunk of response.body) {
    for (const byte of chunk) if (byte === 10) rows += 1
    memory.push(residentMb(server.pid))
  }
  const third = memory.slice(0, Math.ceil(memory.length / 3))
  return { rows, growth: Math.max(0, Math.max(...memory) - Math.max(...third)) }
}

function keepTicking({ cookie, videoIds }: House, { url }: Running) {
  const waits: number[] = []
  let isOver = false
  const ticking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const start = performance.now()
      const id = videoIds[turn % videoIds.length]
      const response = await fetch(`${url}/api/video-progress/${id}/complete`, { method: 'POST', headers: { cookie } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`A tick was answered ${response.status}.`)
      waits.push(performance.now() - start)
    }
  })()
  return {
    async end() {
      isOver = true
      await ticking
      return waits
    },
  }
}

/** None where the system does not say (only Linux does). */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
