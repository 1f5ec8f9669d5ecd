import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { startWorld } from '#api/testing/world.ts'

test.each([
  { monthlyNet: 25_000, chargeTotal: null, chargeMonths: 1, rate: 20 },
  { monthlyNet: 20_833, chargeTotal: 25_000, chargeMonths: 1, rate: 20 },
  { monthlyNet: 25_000, chargeTotal: 26_250, chargeMonths: 1, rate: 5 },
  { monthlyNet: 8_333, chargeTotal: 105_000, chargeMonths: 12, rate: 5 },
  { monthlyNet: 8_333, chargeTotal: 100_000, chargeMonths: 12, rate: 0 },
  { monthlyNet: 1_000, chargeTotal: 1_125, chargeMonths: 1, rate: 12.5 },
  { monthlyNet: 433_333, chargeTotal: 105_000, chargeMonths: 1, rate: 20 },
])(
  'a price from before its rate was kept reads as it did: $chargeTotal at $rate%',
  ({ rate, monthlyNet, ...subscription }) => {
    const world = startWorld()
    world.addMember({ subscription: { yearlyNet: monthlyNet, ...subscription } })
    world.ctx.sqlite.exec('alter table subscriptions rename column yearlyNet to monthlyNet')
    const migration = readFileSync(join(projectFolder, 'data/migrations/0079_rates_and_weeks.sql'), 'utf8')
    world.ctx.sqlite.exec(migration.split('--> statement-breakpoint').at(-1) ?? '')
    expect(world.ctx.sqlite.prepare('select chargeVatRate from subscriptions').pluck().get()).toBe(rate)
  },
)
