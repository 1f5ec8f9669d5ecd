import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { ReportResponse } from '#shared/contract/report.ts'

const hour = 3_600_000

test.each([
  ['back', '2026-10-24T00:30:00.000Z', ['2026-10-23', '2026-10-24', '2026-10-25']],
  ['forward', '2026-03-28T00:30:00.000Z', ['2026-03-27', '2026-03-28', '2026-03-29']],
])(
  'an hourly report over the night when the clocks go %s brings each day once',
  { tags: ['full'] },
  async (_way, from, days) => {
    const world = startWorld({ startsAt: new Date(from), localActor: 'local:cron' })
    world.addMember()
    const reported: string[] = []
    for (let run = 0; run < 60; run += 1) {
      // Every hour something else needs doing, so that each day has news.
      world.ctx.sqlite.exec(
        `update settings set value = json_set(value, '$.fingerprint', 'other') where key = 'report.daily'`,
      )
      const response = await world.call('/api/admin/reports/daily', { body: {} })
      const { report, isDue, claim } = v.parse(ReportResponse, await response.json())
      if (isDue) {
        reported.push(report.from)
        await world.call('/api/admin/reports/daily/done', { body: { claim } })
      }
      world.forward(hour)
    }
    expect(reported).toEqual(days)
  },
)

test('a claim that is another’s, or was ended, changes nothing', async () => {
  const world = startWorld({ localActor: 'local:cron' })
  world.addMember()
  const take = async () =>
    v.parse(ReportResponse, await (await world.call('/api/admin/reports/weekly', { body: {} })).json())
  const end = (claim: string | null) => world.call('/api/admin/reports/weekly/done', { body: { claim } })
  const first = await take()
  expect(first.isDue).toBe(true)
  await end('another')
  world.forward(61_000)
  const second = await take()
  expect(second.isDue).toBe(true)
  await end(first.claim)
  world.forward(61_000)
  expect((await take()).isDue).toBe(true)
})

describe('a clock that was wrong', () => {
  const day = 24 * hour
  const worldWithReport = (kind: string) => {
    const world = startWorld({ localActor: 'local:cron' })
    world.addMember()
    const path = `/api/admin/reports/${kind}`
    const bring = async () => {
      const response = await world.call(path, { body: { watch: true } })
      const { report, isDue, claim } = v.parse(ReportResponse, await response.json())
      if (isDue) await world.call(`${path}/done`, { body: { claim } })
      return isDue ? report.to : null
    }
    const reopen = () => world.call('/api/admin/revenue-months/reopen', { body: { months: [] } })
    return { world, bring, reopen }
  }

  test.each([
    ['daily', 3653 * day, ['2026-06-11', '2026-06-12', '2026-06-13']],
    ['daily', day, ['2026-06-11', '2026-06-12', '2026-06-13']],
    ['weekly', 3653 * day, ['2026-06-07', null, null]],
    ['monthly', 3653 * day, ['2026-05-31', null, null]],
  ])('what is due is reported once all the same: %s, %d ms ahead', { tags: ['full'] }, async (kind, ahead, due) => {
    const { world, bring, reopen } = worldWithReport(kind)
    world.forward(ahead)
    expect(await bring()).not.toBeNull()
    world.forward(-ahead)
    if (ahead > day) {
      // Only an owner knows which of the two times is right. An explicit request gets the report but records nothing.
      expect(await bring()).toBeNull()
      const asked = await world.call(`/api/admin/reports/${kind}`, { body: { always: true } })
      expect(await asked.json()).toMatchObject({ isDue: true, claim: null, report: { to: due[0] } })
      expect((await reopen()).status).toBe(200)
    }
    for (const to of due) {
      world.ctx.sqlite.exec(
        `update settings set value = json_set(value, '$.fingerprint', 'other') where key = 'report.${kind}'`,
      )
      expect([await bring(), await bring()]).toEqual([to, null])
      world.forward(day)
    }
  })

  test('a clock that is set back by seconds over midnight brings no report twice', async () => {
    const { world, bring } = worldWithReport('daily')
    // Five seconds past midnight in London.
    world.forward(Date.parse('2026-06-12T23:00:05.000Z') - world.ctx.now().getTime())
    expect(await bring()).toBe('2026-06-12')
    world.ctx.sqlite.exec(
      `update settings set value = json_set(value, '$.fingerprint', 'other') where key = 'report.daily'`,
    )
    world.forward(-10_000)
    expect(await bring()).toBeNull()
    world.forward(20_000)
    expect(await bring()).toBeNull()
  })

  test('a run in the future does not say that cron lives now', async () => {
    const { world, bring } = worldWithReport('daily')
    const reports = async () => (await (await world.call('/api/health')).json()).services.reports
    world.forward(3653 * day)
    await bring()
    world.forward(-3653 * day)
    expect(await reports()).toBe('missing')
    await bring()
    expect(await reports()).toBe('alive')
  })

  test('one that is behind reports nothing, and what was reported is not brought again when it is right', async () => {
    const { world, bring } = worldWithReport('daily')
    const bringNews = () => {
      world.ctx.sqlite.exec(
        `update settings set value = json_set(value, '$.fingerprint', 'other') where key = 'report.daily'`,
      )
      return bring()
    }
    expect(await bring()).toBe('2026-06-11')
    world.forward(-1096 * day)
    expect(await bringNews()).toBeNull()
    const asked = await world.call('/api/admin/reports/daily', { body: { always: true } })
    expect((await asked.json()).claim).toBeNull()
    world.forward(1096 * day)
    expect(await bringNews()).toBeNull()
    world.forward(day)
    expect(await bringNews()).toBe('2026-06-12')
  })
})
