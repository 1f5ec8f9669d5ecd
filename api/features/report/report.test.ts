import * as v from 'valibot'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { ReportResponse } from '#shared/contract/report.ts'

const hour = 3_600_000

test.each([
  ['back', '2026-10-24T00:30:00.000Z', ['2026-10-23', '2026-10-24', '2026-10-25']],
  ['forward', '2026-03-28T00:30:00.000Z', ['2026-03-27', '2026-03-28', '2026-03-29']],
])('an hourly report over the night when the clocks go %s brings each day once', async (_way, from, days) => {
  const world = startWorld({ startsAt: new Date(from), localActor: 'local:cron' })
  world.addMember()
  const reported: string[] = []
  for (let run = 0; run < 60; run += 1) {
    // Each hour finds something else waiting, so that every day has news.
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
})

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
