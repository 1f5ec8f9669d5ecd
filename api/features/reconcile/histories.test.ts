// @module-tag full
import fc from 'fast-check'
import { test } from 'vitest'
import { expectAgreement, expectBooks } from '#api/testing/histories/expect-agreement.ts'
import { runHistory } from '#api/testing/histories/run-history.ts'
import { history } from '#api/testing/histories/steps.ts'
import { createWebhookQueue } from '#api/testing/histories/webhook-queue.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { drawBatches } from '#api/testing/seeds.ts'

const isFull = Boolean(process.env.FULL)
/** HISTORY_SEED=… HISTORY_PATH=… repeats what a failure printed. */
const seed = process.env.HISTORY_SEED

test('in whatever order, however often and late webhooks arrive, our rows end as the provider’s objects', async () => {
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  await drawBatches(0.5, async () => {
    const details = await fc.check(
      fc.asyncProperty(history, async (drawn) => {
        const webhooks = createWebhookQueue()
        const world = await startPaymentWorld({ onWebhook: webhooks.add })
        try {
          await runHistory(world, webhooks, drawn, count)
          await expectAgreement(world)
          await expectBooks(world)
        } finally {
          await world.stop()
        }
      }),
      {
        numRuns: 8,
        endOnFailure: !isFull,
        ...(seed === undefined ? {} : { seed: Number(seed), path: process.env.HISTORY_PATH ?? '' }),
      },
    )
    console.info(`${details.numRuns} histories, seed ${details.seed}`)
    if (details.failed) throw new Error(fc.defaultReportMessage(details) ?? '', { cause: details.errorInstance })
  })
  console.info(
    [...counts]
      .map(([what, times]) => `${what} ${times}`)
      .sort()
      .join(', '),
  )
})
