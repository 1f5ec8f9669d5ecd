import { afterEach, beforeEach, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const dayMs = 86_400_000
const run = (sql: string, ...values: unknown[]) => folder.world.ctx.sqlite.prepare(sql).run(...values)
const inDays = (days: number) => new Date(startOfTime.getTime() + days * dayMs).toISOString()
const enterLater = () =>
  run(
    `insert into audit_entries (id, actor, action, detail, "at") values ('later', 'system', 'job.run', '{}', ?)`,
    inDays(3),
  )
const closeLater = (month: string) =>
  run(`insert into revenue_months (month, figures, frozenAt) values (?, '{}', '2036-07-02T00:00:00.000Z')`, month)

test('while something speaks against the clock no month is closed by hand: the plan says so, and the command fails', async () => {
  enterLater()
  const { code, out } = await folder.local('mrr close --dry-run')
  expect([code, out]).toEqual([0, expect.stringMatching(/Would be closed +none\n/)])
  expect(out).toMatch(/Not yet +The newest entry is of /)
  expect(await folder.local('mrr close --yes')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The newest entry is of .+ after now/),
  })
})

test('against the provider’s clock no word of an owner helps: reopening says that it is to be set right', async () => {
  const heard = JSON.stringify({ aheadMs: 100 * dayMs, at: inDays(0) })
  run(`insert into settings (key, value, updatedAt) values ('provider_clock', ?, ?)`, heard, inDays(0))
  for (const how of ['--dry-run', '--yes', '--keep --yes'])
    expect([how, await folder.local(`mrr reopen ${how}`)]).toEqual([
      how,
      { code: 1, out: '', err: expect.stringMatching(/^The server’s clock is 100 days ahead of .+\. Correct it\./) },
    ])
})

test('months closed at a time after now cannot be kept, which the plan says already; opened ones are counted', async () => {
  closeLater('2019-11')
  closeLater('2019-12')
  for (const how of ['--dry-run', '--yes'])
    expect([how, await folder.local(`mrr reopen --keep ${how}`)]).toEqual([
      how,
      {
        code: 1,
        out: '',
        err: expect.stringMatching(
          /^2019-11, 2019-12 can’t stay closed: .+ correct the clock\. If not, leave out --keep\.\n$/,
        ),
      },
    ])
  expect(JSON.parse((await folder.local('mrr reopen --yes --json')).out)).toEqual({ opened: 2, kept: 0 })
  expect(JSON.parse((await folder.local('mrr reopen --yes --json')).out)).toEqual({ opened: 0, kept: 0 })
})

test('a month that is kept is counted as kept', async () => {
  const [month, closedAt, seenAt] = ['2019-11', '2019-12-01T00:10:00.000Z', '2019-11-28T14:00:00.000Z']
  run(`insert into revenue_months (month, figures, frozenAt) values (?, '{}', ?)`, month, closedAt)
  const early = JSON.stringify({ [month]: { frozenAt: closedAt, seenAt } })
  run(`insert into settings (key, value, updatedAt) values ('months_frozen_early', ?, ?)`, early, seenAt)
  expect(JSON.parse((await folder.local('mrr reopen --keep --yes --json')).out)).toEqual({ opened: 0, kept: 1 })
})

test('the month that runs is that of the billing clock, which the sandbox may have moved', {
  tags: ['full'],
}, async () => {
  const { world, local } = folder
  raiseBillingOffset(world.ctx, 31 * dayMs)
  world.addMember({ email: 'sam@alliance.test' })
  run(
    `insert into revenue_changes (id, customerId, subscriptionId, kind, tierSlug, beforeYearly, afterYearly, "at", month, createdAt)
     select 'one', customerId, id, 'new', 'standard', 0, 300000, ?, '2026-07', ? from subscriptions`,
    inDays(31),
    inDays(31),
  )
  expect((await local('mrr movements')).out).toContain('£250.00')
  expect(await local('commission export')).toEqual(await local('commission export --to 2026-07'))
  expect(await local('commission export')).not.toEqual(await local('commission export --to 2026-06'))
})
