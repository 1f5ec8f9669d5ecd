import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { ownerEmail, startServer, type TestServer } from '#cli/testing/server.ts'

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

test('a mailing is read, tried out on an owner and sent off as planned, and not to more than the plan said', async () => {
  const shown = await server.local('mailings show workshop', { now: () => server.world.ctx.now() })
  expect(shown.code).toBe(3)
  const [{ id, subject }] = JSON.parse((await server.remote('mailings list --show draft --json id,subject')).out)
  expect(subject).toBe('Workshop on Friday')
  const text = await server.local(`mailings show ${id}`)
  expect(text.out).toMatch(/For +with-access, xl\n[\s\S]*Would get it now +2 of 2 people\n[\s\S]*Bring your quotes\./)

  expect((await server.local(`mailings test ${id} --yes`)).err).toContain(
    'name an owner’s address (--to in the terminal)',
  )
  expect((await server.local(`mailings test ${id} --to ${ownerEmail} --yes`)).err).toContain(
    `on its way to ${ownerEmail}`,
  )
  expect((await server.remote(`mailings test ${id} --yes`)).err).toContain('on its way to you')
  expect((await server.local(`mailings test ${id} --to stranger@alliance.test --yes`)).code).toBe(1)
  expect(mailed()).toEqual(['Test: Workshop on Friday', 'Test: Workshop on Friday'])

  const plan = join(server.dataDir, 'plan.json')
  writeFileSync(plan, (await server.local(`mailings send ${id} --dry-run --json`)).out)
  expect(await server.local(`mailings send ${id}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('to 2 people?'),
  })
  server.world.addMember({ tier: 'xl' })
  expect((await server.local(`apply ${plan} --yes`)).err).toContain('Something has changed')
  expect((await server.remote(`mailings send ${id} --yes`)).err).toContain('goes out, 60 a minute')
  expect((await server.local(`mailings pause ${id} --yes`)).err).toContain('“Workshop on Friday” is paused')
  expect((await server.local(`mailings resume ${id} --yes`)).err).toContain('“Workshop on Friday” is being sent again')
  await runJob(server.world.ctx, 'mailings')
  expect(mailed()).toHaveLength(2 + 3)
})

test('one that is stopped reaches nobody whose turn has not come', { tags: ['full'] }, async () => {
  const [{ id }] = JSON.parse((await server.local('mailings list --json id')).out)
  expect((await server.local(`mailings stop ${id} --yes`)).err).toBe('This campaign isn’t being sent.\n')
  await server.local(`mailings send ${id} --yes`)
  expect((await server.local(`mailings stop ${id} --yes --json`)).out).toContain('"status": "stopped"')
  await runJob(server.world.ctx, 'mailings')
  expect(mailed()).toEqual([])
  expect((await server.local('mailings list')).out).toContain('stopped')
})

test('one is scheduled by UK time, also across the clock change, moved, and made a draft again', {
  tags: ['full'],
}, async () => {
  const [{ id }] = JSON.parse((await server.local('mailings list --json id')).out)
  const at = async (time: string) => {
    const { out } = await server.remote(`mailings send ${id} --at ${time} --yes --json`)
    return JSON.parse(out)
  }
  expect(await at('2027-03-27T09:00')).toMatchObject({ status: 'scheduled', sendAt: '2027-03-27T09:00:00.000Z' })
  expect(await at('2027-03-28T09:00')).toMatchObject({ sendAt: '2027-03-28T08:00:00.000Z' })
  expect((await server.local('mailings list --show scheduled')).out).toMatch(/scheduled for 28 Mar\S* 2027,? 09:00/)
  await runJob(server.world.ctx, 'mailings')
  expect((await server.local(`mailings unschedule ${id} --yes`)).err).toContain('is a draft again')
  expect((await server.local(`mailings send ${id} --at yesterday --yes`)).err).toContain('This isn’t a date')
  expect(mailed()).toEqual([])
})
