import { backOffMs, queueBackOff } from '#pwa/sync/back-off.ts'
import { syncBatchLimit } from '#shared/contract/progress.ts'
import { mergeAnswer } from './merge.ts'
import { claimBatch, refuse, shrinkBatch } from './outbox.ts'
import type { PhoneClock } from './phone-clock.ts'
import { changeFlush, type OutboxEntry, readFlush } from './store.ts'
import { type Sender, type SendResult, sendBatch } from './transport.ts'

/** How a drain ended: nothing left to send, to be tried again later, or stopped until a person acts. */
export type Drained = 'done' | 'later' | 'paused'

export type DrainOptions = {
  clock: PhoneClock
  /** Ask for the server's rows even where nothing waits. */
  mustPull: boolean
  /** Called before each request; false ends the drain (another tab has taken over). */
  mayGoOn(): Promise<boolean>
}

/**
 * Sends the queue batch by batch until it is empty. Holds no transaction while it waits for the network: each step
 * leaves the store whole, so that a tab may be killed between any two of them.
 */
export async function drain(sender: Sender, options: DrainOptions): Promise<Drained> {
  const { store, signal } = sender
  let limit = syncBatchLimit
  let mustPull = options.mustPull
  while (!signal.aborted && (await options.mayGoOn())) {
    const claim = await claimBatch(store, limit, mustPull)
    if (claim === null) return 'done'
    const { batch, deviceId } = claim
    const result = await sendBatch(sender, deviceId, batch)
    if (signal.aborted) break
    if (result.kind === 'answer') {
      await mergeAnswer(store, batch, result.answer, options.clock.learn(Date.parse(result.answer.serverTime)))
      mustPull = false
      limit = Math.min(syncBatchLimit, limit * 2)
    } else {
      const next = await react(sender, batch, result)
      if (typeof next === 'string') return next
      limit = next.limit
    }
  }
  return 'later'
}

type Failure = Exclude<SendResult, { kind: 'answer' }>

/** What follows from an answer that took nothing: a smaller batch, or the end of this drain. */
async function react(
  sender: Sender,
  batch: readonly OutboxEntry[],
  result: Failure,
): Promise<Drained | { limit: number }> {
  const { store } = sender
  const [first] = batch
  if (result.kind === 'paused') {
    await changeFlush(store, { isSending: false, paused: result.paused, attempts: 0, retryAt: null })
    return 'paused'
  }
  if (result.kind === 'smaller' && batch.length > 1) {
    const limit = Math.ceil(batch.length / 2)
    await shrinkBatch(store, limit)
    return { limit }
  }
  if (result.kind === 'smaller' && result.refusal !== null && first !== undefined) {
    await refuse(store, first, result.refusal)
    return { limit: 1 }
  }
  await postpone(sender, result.kind === 'later' ? result : { askedWaitMs: null, isUnreachable: false })
  return 'later'
}

type Wait = { askedWaitMs: number | null; isUnreachable: boolean }

async function postpone({ store, platform }: Sender, { askedWaitMs, isUnreachable }: Wait): Promise<void> {
  const attempts = (await readFlush(store)).attempts + 1
  const ownWait = backOffMs(queueBackOff, attempts, platform.random())
  await changeFlush(store, {
    isSending: false,
    attempts,
    retryAt: platform.wall() + Math.max(ownWait, askedWaitMs ?? 0),
    isWaitAsked: askedWaitMs !== null,
    isUnreachable,
  })
}
