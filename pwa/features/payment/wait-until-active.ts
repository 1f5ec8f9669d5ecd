import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { lookUntil } from './look-until.ts'

/** How often a new subscription is looked at after its payment. */
export const firstCheckMs = 2_000
export const checkEveryMs = 1_000
export const maxChecks = 30

type Surroundings = {
  askStatus: () => Promise<SubscriptionStatus>
  /** Rejects when nobody waits any more, which ends the waiting. */
  wait: (ms: number) => Promise<void>
}

/** `active`, or `slow` after 30 looks without it. A look that fails counts as one. */
export async function waitUntilActive({ askStatus, wait }: Surroundings): Promise<'active' | 'slow'> {
  const status = await lookUntil({
    look: () => statusOrNone(askStatus),
    isEnough: (found) => found === 'active',
    waits: [firstCheckMs, ...Array<number>(maxChecks - 1).fill(checkEveryMs)],
    wait,
  })
  return status === 'active' ? 'active' : 'slow'
}

async function statusOrNone(askStatus: Surroundings['askStatus']): Promise<SubscriptionStatus> {
  try {
    return await askStatus()
  } catch {
    return 'none'
  }
}
