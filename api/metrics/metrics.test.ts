import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { statement } from '#api/db/statement.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { runUnderLease } from '#api/jobs/run.ts'
import { projectFolder } from '#api/project.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { startWorld } from '#api/testing/world.ts'
import { openMeter } from './prometheus.ts'
import { watchRequests } from './serve.ts'

const token = 'a-token-of-thirty-two-characters-or-more'
let root = ''
const running: Bun.Subprocess[] = []
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-metrics-'))
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGTERM')
    await child.exited
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function start(more: Record<string, string>) {
  const [PORT = '', SANDBOX_PORT = '', METRICS_PORT = ''] = freePorts(3)
  const child = Bun.spawn([process.execPath, '--no-env-file', builtProgram('api/main')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(root, PORT),
      HOST: '127.0.0.1',
      PORT,
      SANDBOX_PORT,
      METRICS_PORT,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const reader = child.stdout.getReader()
  let said = ''
  while (!said.includes('ready')) said += new TextDecoder().decode((await reader.read()).value)
  return { site: `http://localhost:${PORT}`, metrics: `http://127.0.0.1:${METRICS_PORT}/metrics`, child }
}

test('the site tells Prometheus what it did, on a port that only this machine reaches', {
  tags: ['full'],
}, async () => {
  const { site, metrics, child } = await start({ LOG_LEVEL: 'debug' })
  await fetch(`${site}/`)
  const { headers } = await fetch(`${site}/api/membership-tiers`)
  await fetch(`${site}/api/somewhere/made/up?of=them`)
  await fetch(`${site}/wp-login.php`)
  const scraped = await (await fetch(metrics)).text()
  const count = (labels: string) =>
    new RegExp(`alliance_http_request_duration_seconds_count\\{${labels}\\} 1\\n`).test(scraped)
  expect(count('method="GET",route="page",status="200"')).toBe(true)
  expect(count('method="GET",route="/api/membership-tiers",status="200"')).toBe(true)
  expect(count('method="GET",route="other",status="404"')).toBe(true)
  expect(count('method="GET",route="file",status="404"')).toBe(true)
  expect(scraped).not.toContain('made')
  for (const gauge of ['memory_bytes', 'database_bytes', 'database_log_bytes', 'write_queue', 'mail_queue'])
    expect(scraped).toMatch(new RegExp(`^alliance_${gauge} \\d`, 'm'))
  expect(scraped).toContain('alliance_part_up{of="database"} 1')
  expect(scraped).toMatch(/^alliance_job_interval_seconds\{of="reconcile"\} \d+$/m)
  // The same address on the site's own port is a page like any other that isn't there.
  expect((await fetch(`${site}/metrics`)).status).toBe(404)
  child.kill('SIGTERM')
  const lines = (await new Response(child.stderr).text()).split('\n').filter((line) => line.startsWith('{'))
  const requests = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
  expect(requests).toContainEqual(
    expect.objectContaining({
      level: 'debug',
      method: 'GET',
      route: '/api/membership-tiers',
      status: 200,
      requestId: headers.get('x-request-id'),
    }),
  )
})

test('on the site’s own port they need the token, and without one there are none', async () => {
  const world = startWorld({ env: { METRICS_TOKEN: token } })
  const meter = openMeter()
  const respond = watchRequests(world.ctx, { meter, routes: world.wholeApp().routes }, (request) =>
    world.handle(request),
  )
  const ask = (authorization: string) =>
    respond(new Request('http://localhost:3000/metrics', { headers: { authorization } }))
  expect((await ask('')).status).toBe(401)
  expect((await ask(`Bearer ${token}!`)).status).toBe(401)
  const allowed = await ask(`Bearer ${token}`)
  expect(allowed.status).toBe(200)
  expect(allowed.headers.get('cache-control')).toBe('private, no-store')
  expect(await allowed.text()).toContain('alliance_sync_rejected_changes_total 0')
  const failedOf = async (job: string) =>
    new RegExp(`^alliance_job_failed\\{of="${job}"\\} (\\d)$`, 'm').exec(
      await (await ask(`Bearer ${token}`)).text(),
    )?.[1]
  await runJob(world.ctx, 'unpaid-orders')
  expect(await failedOf('unpaid-orders')).toBe('0')
  await runUnderLease(world.ctx, { name: 'unpaid-orders', everyMs: 0, run: async () => ({ failed: 2 }) })
  expect(await failedOf('unpaid-orders')).toBe('1')
  const unwatched = watchRequests(startWorld().ctx, { meter: null, routes: [] }, () => new Response('a page'))
  expect(await (await unwatched(new Request('http://localhost:3000/metrics'))).text()).toBe('a page')
})

test('a query of more than 100 ms is counted, and the log names it by its text, without what was asked for', {
  tags: ['full'],
}, () => {
  const meter = openMeter()
  let slow = 0
  const { ctx, logged } = startWorld({ meter: { ...meter, slowQuery: () => void slow++ } })
  const countUpTo = statement<{ last: number }>()(
    { rows: sql<number>`count(*)`.mapWith(Number) },
    (fields, { last }) =>
      sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < ${last}) select ${fields} from c`,
  )
  expect(countUpTo.get(ctx, { last: 3 })).toEqual({ rows: 3 })
  expect(slow).toBe(0)
  countUpTo.get(ctx, { last: 6_543_210 })
  expect(slow).toBe(1)
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
    message: 'slow query',
    query: expect.stringContaining('with recursive c(x)'),
    ms: expect.any(Number),
  })
  expect(logged.at(-1)).not.toContain('6543210')
})

test('the alert rules and the board name only what the site tells', async () => {
  const world = startWorld()
  const told = await openMeter().scrape(world.ctx)
  for (const file of ['alerts.yml', 'board.json']) {
    const text = readFileSync(join(projectFolder, 'deploy/watch', file), 'utf8')
    const named = new Set(text.match(/alliance_[a-z_]+/g)?.map((name) => name.replace(/_(count|bucket)$/, '')))
    expect(named.size).toBeGreaterThan(10)
    for (const name of named) expect(told).toContain(`# TYPE ${name} `)
  }
})
