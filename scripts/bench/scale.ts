/**
 * `npm run scale -- [10000 100000 1000000]`: what the site costs with so many members, ten rows of progress and one invoice each.
 * Prints the table of docs/scale.md, and exits with 1 if a limit is missed. A million takes 15 GB of disk while it’s measured.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/data-dir.ts'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { openLargeDataset } from './dataset.ts'
import { formatMs, median, printMost, timed } from './figures.ts'
import { cookieOf, createFixture, type Fixture, openFixture } from './fixture.ts'
import { cycle, type Load, runLoad } from './load.ts'
import { ask, memoryMb, type RunningServer, startBare, startProduct, startProgram } from './programs.ts'
import { batchOf, post } from './ticks.ts'

const ticksEach = 10
const phones = 1000
const together = 50

/** Questions that read many members. */
const questions = {
  list: 'members?limit=200&sort=name',
  search: 'members?limit=200&q=member-77',
  'two letters': 'members?limit=200&q=zq',
  counts: 'members/counts',
  MRR: 'mrr',
  months: 'revenue-months?limit=25',
  'at risk': 'members-at-risk',
  today: 'today',
}

/** Milliseconds are numbers. */
type Row = Record<string, string | number>
const tick20 = 'p99 of ticks, 20 together'
const besideQuestion = 'beside an owner’s question'

/** What an owner's answer may take at the most members: so many ms on two quiet cores, or so many times the first size's. */
const answers = { 'Search in it': [60, 6], 'Months of revenue': [300, 10], MRR: [60, 6] } as const
/** How many times its p99 a tick may take beside any of owners' questions. */
const besideLimit = 2

const whole = (value: number) => Math.round(value).toLocaleString('en-GB')

const sizes = process.argv.slice(2).map(Number)
const fixture = openFixture(await createFixture())
const rows: Row[] = []
for (const members of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000]) {
  rows.push(await measure(fixture, members))
  console.error(rows.at(-1))
}
console.log(tableOf(rows))
checkLimits(rows)
process.exit()

function checkLimits(rows: readonly Row[]): void {
  const [first, last] = [rows[0], rows.at(-1)]
  for (const [name, [ms, times]] of Object.entries(answers))
    printMost(name, Number(last?.[name]), { most: Math.max(ms, times * Number(first?.[name])) })
  for (const row of rows)
    printMost(`Ticks ${besideQuestion}, ${row.Members} members`, Number(row[besideQuestion]), {
      most: besideLimit * Number(row[tick20]),
    })
}

async function measure({ copyDataDir, videoIds }: Fixture, members: number): Promise<Row> {
  const dataDir = copyDataDir()
  try {
    const { seconds, cookies, owner } = fill(dataDir, members)
    const start = await timeStart(dataDir)
    const bytes = statSync(databaseFile(dataDir)).size
    const served = await measureServed(dataDir, { cookies, owner, videoIds })
    const backup = await backUp(dataDir)
    return {
      Members: whole(members),
      'Rows of progress': whole(members * ticksEach),
      'Made in': `${whole(seconds)} s`,
      Database: `${whole(bytes / 1e6)} MB`,
      'Start to first answer': start,
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
  const { ctx, ownerCookie: owner } = openLargeDataset(dataDir, { members, months: 1, ticks: ticksEach })
  // As at a month's end. A start would do it otherwise, and ask Stripe about everyone first.
  closeMonths(ctx)
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
  const cookies = ids.map((id) => cookieOf(ctx, id))
  ctx.sqlite.close()
  return { seconds, cookies, owner }
}

async function timeStart(dataDir: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const from = performance.now()
    await using server = await startProduct(dataDir)
    await ask(server, '/api/membership-tiers')
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}

type People = { cookies: readonly string[]; owner: string; videoIds: readonly string[] }

async function measureServed(dataDir: string, { cookies, owner, videoIds }: People): Promise<Row> {
  await using server = await startBare(dataDir)
  const read = (path: string) => middleOf(server, 15, () => ({ path, init: { headers: { cookie: owner } } }))
  const [cookie, videoId] = [cycle(cookies), cycle(videoIds)]
  const tick = () => ({ path: `/api/video-progress/${videoId()}/complete`, init: post({ cookie: cookie() }) })
  const sync = () => ({ path: '/api/video-progress/sync', init: post({ cookie: cookie() }, batchOf(videoId, 20)) })
  const row: Row = {
    'Owners’ list of 200': await read('/api/admin/members?limit=200'),
    'Search in it': await read('/api/admin/members?limit=200&q=member-77'),
    'Search for two letters': await read('/api/admin/members?limit=200&q=zq'),
    MRR: await read('/api/admin/mrr'),
    'Months of revenue': await read('/api/admin/revenue-months?limit=25'),
    'One tick': await middleOf(server, 100, tick),
  }
  // The first thousand a server answers say how it starts: routes, statements and the compiler come with them.
  const load = { server, next: tick, connections: together, count: 1000 }
  await runLoad(load)
  const loads = [await runLoad(load), await runLoad(load), await runLoad(load)]
  return {
    ...row,
    [`Ticks a second, ${together} together`]: whole(median(loads.map(({ perSecond }) => perSecond))),
    'p99 of those': median(loads.map(({ p99 }) => p99)),
    ...(await besideQuestions(server, owner, tick)),
    ...(await besideCopies(server, { dataDir, owner, tick })),
    'Sync of 20 ticks': await middleOf(server, 100, sync),
    'Memory afterwards': `${whole(memoryMb(server.pid))} MB`,
  }
}

/** The p99 of ticks, 20 together, alone and while an owner asks without end: beside the question that slows them most. */
async function besideQuestions(server: RunningServer, owner: string, tick: Load['next']): Promise<Row> {
  const once = async () => (await runLoad({ server, next: tick, connections: 20, count: 1000 })).p99
  const p99 = async () => median([await once(), await once(), await once()])
  const alone = await p99()
  let [worst, slowest] = [0, '']
  for (const [name, path] of Object.entries(questions)) {
    const stop = new AbortController()
    const asked = keepAsking(server, `/api/admin/${path}`, owner, stop.signal)
    const beside = await p99()
    stop.abort()
    await asked
    console.error(name, formatMs(beside), 'alone', formatMs(alone))
    if (beside > worst) [worst, slowest] = [beside, name]
  }
  return {
    [tick20]: alone,
    [besideQuestion]: worst,
    'which was': slowest,
  }
}

type Copied = { dataDir: string; owner: string; tick: Load['next'] }

/** The p99 of the same ticks while the nightly backup is made, and while an owner downloads everything. */
async function besideCopies(server: RunningServer, { dataDir, owner, tick }: Copied): Promise<Row> {
  const beside = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    const stop = new AbortController()
    const seen: number[] = []
    let isUnderWay = true
    const worked = work(stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) throw error
      })
      .finally(() => {
        isUnderWay = false
      })
    while (isUnderWay && seen.length < 25)
      seen.push((await runLoad({ server, next: tick, connections: 20, count: 1000 })).p99)
    stop.abort()
    await worked
    return median(seen)
  }
  return {
    'beside a backup': await beside(() => backUp(dataDir)),
    'beside an export of everything': await beside((signal) => download(server, owner, signal)),
  }
}

async function download(server: RunningServer, cookie: string, signal: AbortSignal): Promise<void> {
  const headers = { cookie }
  const { body } = await ask(server, '/api/admin/exports/all', { method: 'POST', headers })
  const address = `${server.url}/api/admin/exports/all.zip?ticket=${JSON.parse(body).ticket}`
  const response = await fetch(address, { headers, signal })
  if (response.body === null || !response.ok) throw new Error(`The export was answered ${response.status}.`)
  for await (const _ of response.body);
}

async function keepAsking(server: RunningServer, path: string, cookie: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) await (await fetch(server.url + path, { headers: { cookie } })).arrayBuffer()
}

async function middleOf(server: RunningServer, count: number, next: () => { path: string; init: RequestInit }) {
  const { latencies } = await runLoad({ server, next, connections: 1, count })
  return median(latencies)
}

async function backUp(dataDir: string): Promise<Row> {
  const to = mkdtempSync(join(tmpdir(), 'alliance-scale-'))
  const env = { DATA_DIR: dataDir, XDG_CONFIG_HOME: to }
  const made = startProgram(['dist/cli/main.js', 'backup', 'create', '--to', to, '--json'], { env })
  let bytes = 0
  const seconds = (await timed(async () => ({ bytes } = await new Response(made.stdout).json()))) / 1000
  rmSync(to, { recursive: true })
  return { Backup: `${seconds < 10 ? seconds.toFixed(1) : whole(seconds)} s`, 'Its size': `${whole(bytes / 1e6)} MB` }
}

/** Sizes are columns, what's measured is rows. */
function tableOf(rows: readonly Row[]): string {
  const [first = {}] = rows
  const cell = (value: string | number = '') => (typeof value === 'number' ? formatMs(value) : value)
  const lines = Object.keys(first).map((name) => `| ${[name, ...rows.map((row) => cell(row[name]))].join(' | ')} |`)
  return [lines[0], `| --- |${rows.map(() => ' ---: |').join('')}`, ...lines.slice(1)].join('\n')
}
