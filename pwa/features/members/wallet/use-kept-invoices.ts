import { useEffect } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useEngine, useIsReadOnly } from '#pwa/sync/hooks.ts'

const renewalMs = 20 * 3_600_000

type Kept = { invoicesSavedAt: number | null }

/** Once a day the phone gets the invoices it doesn't have, so that they're there before anybody needs them without signal. */
export function useKeptInvoices(session: AuthSession, isIdle: boolean, { invoicesSavedAt }: Kept): void {
  const isWanted = isIdle && Date.now() - (invoicesSavedAt ?? 0) >= renewalMs
  const { store } = useEngine()
  const isReadOnly = useIsReadOnly()
  useEffect(() => {
    if (!isWanted || isReadOnly || !('caches' in globalThis)) return
    const keep = async () => {
      const { keepInvoices } = await loadFile(() => import('#pwa/features/billing/invoices/invoice-storage.ts'))
      await keepInvoices(store, session)
    }
    // Next time will do.
    keep().catch(() => {})
  }, [store, session, isWanted, isReadOnly])
}
