// @module-tag full
import { expect, test } from 'vitest'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Draw, drawsFrom } from '#api/testing/random.ts'
import { monthOf, readBooks } from '#api/testing/year/books.ts'
import { expectClosed, expectRevenueNow } from '#api/testing/year/compare.ts'
import { simulateDay } from '#api/testing/year/day.ts'
import { expectEarned } from '#api/testing/year/earned.ts'
import { startSimulation } from '#api/testing/year/simulation.ts'
import { expectRenewed } from '#api/testing/year/tiers.ts'
import { londonInstant, nextMonth } from '#shared/rules/london.ts'

const isFull = Boolean(process.env.FULL)
const people = Number(process.env.YEAR_PEOPLE ?? 6)
const months = Number(process.env.YEAR_MONTHS ?? (isFull ? 14 : 3))
/** YEAR_SEED=… repeats what a failure printed. */
const seed = Number(process.env.YEAR_SEED ?? Math.floor(Math.random() * 2 ** 31))
const dayMs = 86_400_000

test(
  `a year of ${people} members over ${months} months, to the penny (YEAR_SEED=${seed})`,
  async () => {
    console.info(`${people} people, ${months} months, seed ${seed}`)
    const draw = drawsFrom(seed)
    const startsAt = new Date(Date.parse('2026-01-01T00:00:00Z') + draw(4 * 365 * 24 * 60) * 60_000)
    const world = await startPaymentWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' }, startsAt })
    try {
      await simulate(world, draw)
    } finally {
      await world.stop()
    }
  },
  Math.max(3_600_000, people * months * 5_000),
)

async function simulate(world: PaymentWorld, draw: Draw): Promise<void> {
  const simulation = startSimulation(world, people, draw)
  for (let count = 0; count < months; count += 1) {
    const month = monthOf(world.ctx.billingNow().getTime() / 1000)
    const end = londonInstant(`${nextMonth(month)}-01`, '00:00')
    for (let day = 1; world.ctx.billingNow().getTime() + dayMs < end.getTime(); day += 1) {
      await simulateDay(simulation)
      await world.advance(1)
      await dailyJobs(world, day)
    }
    // Anything due at midnight belongs to the next month.
    await world.sandbox.advance(new Date(end.getTime() - 1000))
    const books = await readBooks(world)
    await expectRevenueNow(simulation, books)
    await world.sandbox.advance(end)
    await dailyJobs(world, 0)
    await expectClosed(simulation, month, books)
  }
  console.info([...simulation.counts].map(([name, times]) => `${name} ${times}`).join(', '))
  expect(world.logged.filter((line) => line.includes('webhook'))).toEqual([])
  const books = await readBooks(world)
  expect(books.paid.length).toBeGreaterThan(people / 4)
  await expectEarned(world, simulation.asOwner, books)
  if (months > 13) await expectRenewed(simulation)
}

/** The day's timer jobs. Every tenth day syncs all customers. */
async function dailyJobs({ ctx }: PaymentWorld, day: number): Promise<void> {
  const left = day % 10 === 0 ? [] : ['reconcile']
  for (const { name } of jobs.filter((job) => !left.includes(job.name))) await runJob(ctx, name)
}
