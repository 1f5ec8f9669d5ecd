import { commitmentQueue } from './commitments/queue.ts'
import type { FollowingQueue } from './progress/following.ts'

/** What a member's engine sends after the ticks, in this order. */
export const followingQueues: readonly FollowingQueue[] = [commitmentQueue]
