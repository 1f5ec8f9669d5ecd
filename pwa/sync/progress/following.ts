import type { WakeReason } from '#pwa/sync/platform.ts'
import type { ServerClock } from './outbox.ts'
import type { MemberStore } from './store.ts'
import type { SendOutcome, TickSender } from './transport.ts'

export type QueueRun = TickSender & { clock: ServerClock; reason: WakeReason; lost: AbortSignal }

/**
 * Another of a member's queues. The engine lets it send once no tick waits, under the same lock, one queue after the other:
 * `pwa/sync/queues.ts` has the order.
 */
export type FollowingQueue = {
  /** `again`: there's more to send, after whatever goes before it and has come up meanwhile. */
  send(run: QueueRun): Promise<SendOutcome | 'again'>
  /** Ms until what waits may be sent; null if nothing does. */
  waitMs(store: MemberStore, wall: number): Promise<number | null>
}
