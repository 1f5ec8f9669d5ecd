/**
 * `npm run scale -- [10000 100000 1000000]`: what the site costs with so many members, ten rows of progress and one invoice each.
 * Prints the table of docs/scale.md. A million takes 15 GB of disk while it’s measured.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/data-dir.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { freezeMonths } from '#api/features/earnings/month-jobs.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { openLargeDataset } from './large-dataset.ts'
import { runLoad } from './load.ts'
import { baseEnv, type RunningServer, root, startProduct, withServer } from './programs.ts'
import { formatMs } from './result.ts'
import { median, quantile } from './rounds.ts'
import { bareServer } from './webhooks.ts'

const ticksEach = 10
const phones = 100
/** Each change is newer than the ones before. */
let counter = 0

type Row = Record<string, string>
const whole = (value: number) => Math.round(value).toLocaleString('en-GB')

const sizes = process.argv.slice(2).map(Number)
const fixture = await createFixture()
process.on('exit', fixture.close)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const rows: Row[] = []
for (const members of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]) {
  rows.push(await measure(fixture, members))
  console.error(rows.at(-1))
}
console.log(tableOf(rows))
process.exit(0)

async function measure({ copyDataDir, videoIds }: Fixture, members: number): Promise<Row> {
  const dataDir = copyDataDir()
  try {
    const { seconds, cookies, owner } = fill(dataDir, members)
    const start = await timeStart(dataDir)
    const bytes = statSync(databaseFile(dataDir)).size
    const served = await withServer(startProduct(dataDir, bareServer), (server) =>
      measureServed(server, { cookies, owner, videoIds }),
    )
    const backup = backUp(dataDir)
    return {
      Members: whole(members),
      'Rows of progress': whole(members * ticksEach),
      'Made in': `${whole(seconds)} s`,
      Database: `${whole(bytes / 1e6)} MB`,
      'Start to first answer': formatMs(start),
      ...served,
      ...backup,
      'Load of the machine': loadavg()[0]?.toFixed(1) ?? '',
    }
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function fill(dataDir: string, members: number) {
  const from = performance.now()
  const { ctx, ownerCookie: owner, close } = openLargeDataset(dataDir, { members, months: 1, ticks: ticksEach })
  // As at a month's end. A start would do it otherwise, and ask Stripe about everyone first.
  freezeMonths(ctx)
  ctx.sqlite.exec('analyze')
  const seconds = (performance.now() - from) / 1000
  // The fixture's list of videos is this tier's.
  const ids = ctx.sqlite
    .prepare<[number], string>(
      `select customers.userId from subscriptions join customers on customers.id = customerId
       where tierSlug = 'standard' and subscriptions.id like 'sub_bench%' limit ?`,
    )
    .pluck()
    .all(phones)
  const cookies = ids.map((id) => startSession(ctx, id).split(';')[0] ?? '')
  close()
  return { seconds, cookies, owner }
}

async function timeStart(dataDir: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const from = performance.now()
    const server = await startProduct(dataDir)
    await (await fetch(`${server.url}/api/membership-tiers`)).arrayBuffer()
    times.push(performance.now() - from)
    await server.stop()
  }
  return Math.min(...times)
}

type People = { cookies: readonly string[]; owner: string; videoIds: readonly string[] }

async function measureServed(server: RunningServer, { cookies, owner, videoIds }: People): Promise<Row> {
  const read = (path: string) => medianOf(server, 15, () => ({ path, init: { headers: { cookie: owner } } }))
  const list = await read('/api/admin/members?limit=200')
  const search = await read('/api/admin/members?limit=200&q=member-77')
  const mrr = await read('/api/admin/mrr')
  const months = await read('/api/admin/revenue-months?limit=25')
  let sent = 0
  const phone = () => {
    sent += 1
    return { cookie: cookies[sent % cookies.length] ?? '', videoId: videoIds[sent % videoIds.length] ?? '' }
  }
  const post = (cookie: string, body?: string) => ({
    ...(body === undefined ? {} : { body }),
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
  })
  const tick = () => {
    const { cookie, videoId } = phone()
    return { path: `/api/video-progress/${videoId}/complete`, init: post(cookie) }
  }
  const sync = () => ({ path: '/api/video-progress/sync', init: post(phone().cookie, batchOf(videoIds)) })
  const load = await runLoad({ server, status: 200, next: tick }, { connections: 20, count: 1000 })
  return {
    'Owners’ list of 200': formatMs(list),
    'Search in it': formatMs(search),
    MRR: formatMs(mrr),
    'Months of revenue': formatMs(months),
    'One tick': formatMs(await medianOf(server, 100, tick)),
    'Ticks a second, 20 together': whole(load.perSecond),
    'p99 of those': formatMs(quantile(load.latencies, 0.99)),
    'Sync of 20 ticks': formatMs(await medianOf(server, 100, sync)),
    'Memory afterwards': `${whole(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)} MB`,
  }
}

async function medianOf(server: RunningServer, count: number, next: () => { path: string; init: RequestInit }) {
  const { latencies } = await runLoad({ server, status: 200, next }, { connections: 1, count })
  return median(latencies)
}

function batchOf(videoIds: readonly string[]): string {
  const at = new Date().toISOString()
  const changes = Array.from({ length: 20 }, () => {
    counter += 1
    return { id: Bun.randomUUIDv7(), videoId: videoIds[counter % videoIds.length], completed: true, at, counter }
  })
  return JSON.stringify({ deviceId: 'bench', changes })
}

function backUp(dataDir: string): Row {
  const to = mkdtempSync(join(tmpdir(), 'alliance-scale-'))
  const from = performance.now()
  const made = Bun.spawnSync(
    [process.execPath, '--no-env-file', 'dist/cli/main.js', 'backup', 'create', '--to', to, '--json'],
    {
      cwd: root,
      env: { ...baseEnv, DATA_DIR: dataDir, XDG_CONFIG_HOME: to },
    },
  )
  const seconds = (performance.now() - from) / 1000
  rmSync(to, { recursive: true })
  if (!made.success) throw new Error(`The backup failed: ${made.stderr}`)
  const { bytes }: { bytes: number } = JSON.parse(String(made.stdout))
  return { Backup: `${seconds < 10 ? seconds.toFixed(1) : whole(seconds)} s`, 'Its size': `${whole(bytes / 1e6)} MB` }
}

/** Sizes are columns, what's measured is rows. */
function tableOf(rows: readonly Row[]): string {
  const [first = {}] = rows
  const lines = Object.keys(first).map((name) => `| ${[name, ...rows.map((row) => row[name] ?? '')].join(' | ')} |`)
  return [lines[0], `| --- |${rows.map(() => ' ---: |').join('')}`, ...lines.slice(1)].join('\n')
}
