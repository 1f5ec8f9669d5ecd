import { useCallback } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { useEngine, useSnapshot } from '#pwa/sync/hooks.ts'
import { saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { useRefresh } from './use-refresh.ts'

/** The subscription as this device keeps it, renewed behind; `billing` is undefined until the device has answered. */
export function useBilling(session: AuthSession) {
  const { store } = useEngine()
  const billing = useSnapshot('billing', BillingSubscription)
  const renew = useCallback(async () => {
    const requestedAt = Date.now()
    const value = await parseResponse(BillingSubscription, session.api.api.billing.subscription.get())
    // Something may have been done in the meantime: its answer is the newer one.
    await saveSnapshot(store, 'billing', { value, savedAt: Date.now(), requestedAt })
  }, [store, session])
  return { billing, refresh: useRefresh(renew) }
}
