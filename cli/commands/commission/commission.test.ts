import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addClawback, addPaidMonth } from '#api/testing/commission.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

test('a tier is called by its own name, on sale or not, and a month that a refund took back says what is owed', async () => {
  const { world } = folder
  const una = world.addMember({ tier: 'standard', email: 'una@alliance.test', firstName: 'Una', lastName: 'Keel' })
  const noah = world.addMember({ tier: 'standard', email: 'noah@alliance.test', firstName: 'Noah', lastName: 'Reid' })
  for (const person of [una, noah]) addPaidMonth(world, person, '2026-05-20')
  world.ctx.sqlite.exec(
    `update membership_tiers set name = 'Crew', isActive = 0, isDefault = 0 where slug = 'standard'`,
  )
  expect((await folder.local('members list --email una@alliance.test')).out).toMatch(
    /Keel +una@alliance\.test +Active +Crew /,
  )
  expect((await folder.local('members show una@alliance.test')).out).toMatch(/Tier +Crew\n/)
  expect((await folder.local('commission rates')).out).toMatch(/^Crew +10%/m)
  expect((await folder.local('commission statement 2026-05')).out).toMatch(/Una Keel.* Crew /)
  expect((await folder.local('commission pay una@alliance.test --month 2026-05')).code).toBe(0)
  for (const person of [una, noah]) addClawback(world, person)
  const { out } = await folder.local('commission list --month 2026-05')
  expect(out).toMatch(/Una Keel.* £0\.00 +−£25\.00 owed back\n/)
  expect(out).toMatch(/Noah Reid.* £0\.00 +−£25\.00 clawed back\n/)
  const csv = (await folder.local('commission list --month 2026-05 --csv')).out
  expect(csv).toContain('commissionPence,takenBackPence,owedBackPence')
  expect(csv).toMatch(/una@.*,0,-2500,-2500,false/)
  expect(csv).toMatch(/noah@.*,0,-2500,0,false/)
})

test('a statement is mailed to the sales partner as a PDF, once it is said who that is; the export has each month', async () => {
  const { world } = folder
  const una = world.addMember({ tier: 'standard', email: 'una@alliance.test' })
  for (const day of ['2026-04-20', '2026-05-20']) addPaidMonth(world, una, day)
  const line = 'commission statement 2026-05 --mail'
  expect(await folder.local(line)).toMatchObject({ code: 1, err: expect.stringContaining('SALES_PARTNER_EMAIL') })
  await folder.local('settings set SALES_PARTNER_EMAIL pat@partner.test')
  expect((await folder.local(line)).err).toContain('which closes at £50.00? Use --yes to confirm.')
  expect(JSON.parse((await folder.local(`${line} --dry-run --json`)).out)).toMatchObject({
    command: 'commission statement',
    facts: { to: 'pat@partner.test', closing: 5_000 },
  })
  expect((await folder.local('commission statement 2026-05 --dry-run')).code).toBe(2)
  expect(await folder.local(`${line} --yes`)).toEqual({
    code: 0,
    out: '',
    err: 'The statement of 2026-05 is on its way to pat@partner.test.\n',
  })
  const mails = world.ctx.sqlite.prepare(`select "to", subject, text, attachment from mail_outbox`).all()
  expect(mails).toMatchObject([
    {
      to: 'pat@partner.test',
      subject: 'Commission statement, May 2026',
      text: expect.stringContaining('£50.00'),
      attachment: '{"kind":"statement","id":"2026-05"}',
    },
  ])
  expect(await runJob(world.ctx, 'mail')).toMatchObject({ report: { sent: 1 } })
  const { out } = await folder.local('commission export --from 2026-04 --to 2026-05')
  const rows = out.trimEnd().split('\r\n')
  expect(rows.map((row) => row.split(',')[0])).toEqual([
    ...['kind', 'opening', 'invoice', 'closing', 'opening', 'invoice', 'closing'],
  ])
  expect((await folder.local('commission export --from 2026-06 --to 2026-05')).code).toBe(2)
})

test('paying is planned and applied as a plan; rates too', async () => {
  const una = folder.world.addMember({ tier: 'standard', email: 'una@alliance.test' })
  addPaidMonth(folder.world, una, '2026-05-20')
  for (const line of ['commission pay una@alliance.test --month 2026-05', 'commission rates set lite 12']) {
    const plan = (await folder.local(`${line} --dry-run --json`)).out
    expect(JSON.parse(plan)).toMatchObject({ plan: 1 })
    expect((await folder.local('commission list --csv')).out).toMatch(/,0,0,(false|true),/)
    expect(await folder.local('apply - --yes', { input: plan })).toMatchObject({ code: 0 })
  }
  expect((await folder.local('commission rates')).out).toContain('12%')
  expect((await folder.local('commission list --csv')).out).toContain(',true,2026-06-12')
})

test('a plan of paying says how much, and is refused where there is nothing to pay: no such month, nobody of that name', {
  tags: ['full'],
}, async () => {
  const { world } = folder
  const una = world.addMember({ tier: 'standard', email: 'una@alliance.test', firstName: 'Una', lastName: 'Keel' })
  addPaidMonth(world, una, '2026-05-20')
  const line = 'commission pay una@alliance.test --month'
  const plan = JSON.parse((await folder.local(`${line} 2026-05 --dry-run --json`)).out)
  expect(plan.facts).toMatchObject({ owed: 2_500, wasPaid: false })
  expect((await folder.local(`${line} 2026-05 --dry-run`)).out).toMatch(/Commission +£25\.00\n.*marked as paid/)
  for (const end of ['', ' --dry-run']) {
    expect(await folder.local(`${line} 2020-05${end}`)).toMatchObject({
      code: 3,
      out: '',
      err: 'There’s no commission for Una Keel for 2020-05. See: alliance commission list --month 2020-05\n',
    })
    // A month where the member should be names no member, not even a removed one.
    expect(await folder.local(`commission pay 2026-05${end}`)).toMatchObject({ code: 3, out: '' })
  }
  expect((await folder.local('commission list --month 2020-01')).out).toBe('No commission for January 2020.\n')
  await folder.local(`${line} 2026-05`)
  expect((await folder.local(`${line} 2026-05 --dry-run`)).out).toContain('no change: it’s already paid')
  expect(await folder.local('apply -', { input: JSON.stringify(plan) })).toMatchObject({ code: 1 })
})
