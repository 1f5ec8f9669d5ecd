import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
  const owner = server.world.signIn(server.world.addOwner())
  const body = {
    subject: 'Workshop on Friday',
    text: 'Bring your quotes.',
    purpose: 'service',
    segment: { tiers: ['xl'] },
  }
  expect((await owner('/api/admin/mailings', { body })).status).toBe(200)
  for (const tier of ['xl', 'xl', 'lite'] as const) server.world.addMember({ tier })
})
afterEach(() => server.close())

const mailed = () =>
  server.world.ctx.sqlite
    .prepare<[], string>(`select subject from mail_outbox where cause like 'mailing%'`)
    .pluck()
    .all()

test('one that is being sent is paused as planned, goes on, and stops for good, by both transports', async () => {
  const [{ id, subject, version }] = JSON.parse((await server.remote('mailings list --show draft --json')).out)
  expect(subject).toBe('Workshop on Friday')
  expect((await server.local('mailings stop workshop --yes')).code).toBe(3)
  expect((await server.local(`mailings stop ${id} --yes`)).err).toBe('This campaign isn’t being sent.\n')
  await server.local(`api /api/admin/mailings/${id}/send -F version=${version} -F gets=2`)
  const plan = join(server.dataDir, 'plan.json')
  writeFileSync(plan, (await server.local(`mailings pause ${id} --dry-run --json`)).out)
  expect(await server.local(`mailings pause ${id}`)).toMatchObject({
    code: 2,
    err: 'Pause “Workshop on Friday”? Use --yes to confirm.\n',
  })
  expect((await server.remote(`mailings pause ${id} --yes`)).err).toContain('“Workshop on Friday” is paused')
  expect((await server.local(`apply ${plan} --yes`)).err).toContain('Something has changed')
  await runJob(server.world.ctx, 'mailings')
  expect(mailed()).toEqual([])
  expect((await server.local(`mailings resume ${id} --yes`)).err).toContain('“Workshop on Friday” is being sent again')
  expect((await server.local(`mailings stop ${id} --yes --json`)).out).toContain('"status": "stopped"')
  await runJob(server.world.ctx, 'mailings')
  expect(mailed()).toEqual([])
  expect((await server.local('mailings list')).out).toContain('stopped')
})
