import { afterEach, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import { providerDeadlineMs } from './deadline.ts'

let provider: Bun.Server<unknown> | undefined
afterEach(() => provider?.stop(true))

/** A moment. The full run waits as long as people do. */
const shortMs = 120
const deadlines = process.env.FULL ? [shortMs, providerDeadlineMs] : [shortMs]

function startSite(answer: () => Promise<Response>, deadlineMs = shortMs) {
  let requests = 0
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      requests += 1
      return answer()
    },
  })
  const world = startWorld({ sandboxPort: provider.port ?? 0 })
  const app = createApp(world.ctx, { deadlineMs })
  const postAs = (person: { id: string }) => {
    const headers = {
      'content-type': 'application/json',
      cookie: startSession(world.ctx, person.id).split(';')[0] ?? '',
    }
    return (path: string, body: unknown) =>
      app.handle(new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body), headers }))
  }
  const join = () => {
    const person = world.addUser({ firstName: 'Sam', lastName: 'Field' })
    const body = { email: person.email, name: 'Sam Field', tierSlug: 'standard' }
    const post = postAs(person)
    return () => post('/api/create-subscription', body)
  }
  return { world, postAs, join, requests: () => requests }
}

test.each(deadlines)(
  'a person waits for a provider that hangs no longer than %d ms and never 20 seconds, however many tries and calls it takes',
  async (deadlineMs) => {
    const { join, requests } = startSite(() => new Promise(() => {}), deadlineMs)
    const since = performance.now()
    const press = join()
    for (const answer of await Promise.all([press(), press()])) {
      expect(await readError(answer)).toMatchObject({ status: 502, code: 'payment_provider_unavailable' })
    }
    expect(performance.now() - since).toBeLessThan(20_000)
    expect(requests()).toBeGreaterThan(0)
  },
)

test('a job that an owner runs may take longer than a person waits', async () => {
  const opened = Promise.withResolvers<void>()
  const { world, postAs, join } = startSite(async () => {
    await opened.promise
    // An empty list, and an empty balance.
    return Response.json({ object: 'list', data: [], has_more: false, available: [], pending: [] })
  })
  const job = postAs(world.addOwner())('/api/admin/jobs/reconcile/run', {})
  expect((await join()()).status).toBe(502)
  opened.resolve()
  expect([(await job).status, await (await job).json()]).toMatchObject([200, { report: { failed: 0 } }])
})

test('a job that a request wakes may take longer than its person waits', async () => {
  const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { world, postAs, join } = startSite(async () => {
    asked.resolve()
    await opened.promise
    return Response.json({ object: 'list', data: [], has_more: false })
  })
  const timers = startJobs(
    world.ctx,
    jobs.filter(({ name }) => name === 'imports'),
  )
  const begun = await postAs(world.addOwner())('/api/admin/imports', { kind: 'stripe', upload: null })
  expect(begun.status).toBe(200)
  await asked.promise
  expect((await join()()).status).toBe(502)
  opened.resolve()
  await timers.stop()
  expect(world.ctx.sqlite.prepare('select state, problem from imports').all()).toEqual([
    { state: 'planned', problem: null },
  ])
})
