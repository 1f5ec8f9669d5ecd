import fc from 'fast-check'
import { test } from 'vitest'
import { expectAgreement } from '#api/testing/histories/agree.ts'
import { live } from '#api/testing/histories/live.ts'
import { collectNews } from '#api/testing/histories/news.ts'
import { history } from '#api/testing/histories/steps.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'

const isFull = Boolean(process.env.FULL)
/** HISTORY_SEED=… HISTORY_PATH=… repeats what a failure printed. */
const runs = Number(process.env.HISTORIES ?? (isFull ? 2_000 : 8))
const seed = process.env.HISTORY_SEED

test(
  'whatever order, number of times or lateness the news arrives in, our rows end as the provider’s objects',
  async () => {
    const details = await fc.check(
      fc.asyncProperty(history, async (drawn) => {
        const news = collectNews()
        const world = await startPaymentWorld({ onWebhook: news.take })
        try {
          await live(world, news, drawn)
          await expectAgreement(world)
        } finally {
          await world.stop()
        }
      }),
      {
        numRuns: runs,
        endOnFailure: !isFull,
        ...(seed === undefined ? {} : { seed: Number(seed), path: process.env.HISTORY_PATH ?? '' }),
      },
    )
    console.info(`${details.numRuns} histories, seed ${details.seed}`)
    if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? '', { cause: details.errorInstance })
  },
  Math.max(120_000, runs * 5_000),
)
