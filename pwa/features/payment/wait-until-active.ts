import type { SubscriptionStatus } from '#shared/contract/billing.ts'

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
  for (let check = 1; check <= maxChecks; check++) {
    await wait(check === 1 ? firstCheckMs : checkEveryMs)
    if ((await statusOrNone(askStatus)) === 'active') return 'active'
  }
  return 'slow'
}

async function statusOrNone(askStatus: Surroundings['askStatus']): Promise<SubscriptionStatus> {
  try {
    return await askStatus()
  } catch {
    return 'none'
  }
}
