import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { documentRows } from '#pwa/features/billing/invoices/invoice-texts.ts'
import { readTagged, requestIfChanged, saveResponse } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { personalCacheName } from '#pwa/sync/session/wipe.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import { InvoiceList } from '#shared/contract/billing.ts'

/** Two years of monthly invoices: some 40 kB each. */
const mostCopies = 24

const cacheOfCopies = () => caches.open(personalCacheName)

/** Brings the list up to date, and fetches the PDFs this phone doesn't have yet. `isShown`: the list doesn't wait for them. */
export async function keepInvoices(store: MemberStore, { api }: AuthSession, { isShown = false } = {}): Promise<void> {
  const known = await readTagged(store, 'invoices', InvoiceList)
  const asked = await requestIfChanged(InvoiceList, known, (options) => api.api.billing.invoices.get(options))
  const save = (savedAt: number) => saveResponse(store, 'invoices', { ...asked, savedAt })
  if (isShown) await save(0)
  const wanted = documentRows(asked.value).flatMap(({ pdf }) => pdf ?? [])
  // A line that's cut before the last one has the next opening try again.
  let savedAt = 0
  try {
    await keepCopies(store, wanted.slice(0, mostCopies))
    savedAt = Date.now()
  } finally {
    await save(savedAt)
  }
}

async function keepCopies(store: MemberStore, wanted: readonly string[]): Promise<void> {
  const cache = await cacheOfCopies()
  for (const path of wanted) {
    if (await cache.match(path)) continue
    const response = await fetch(path, { credentials: 'include', cache: 'no-store', redirect: 'error' })
    if (!response.ok || response.headers.get('content-type') !== 'application/pdf') continue
    await cache.put(path, response)
    // A logout may have emptied the cache while this one was on its way. It ends the member's database first.
    if (hasEnded(store.dexie)) return void (await caches.delete(personalCacheName))
  }
}

/** The PDF as this phone has it; null if it doesn't. */
export async function readCopy(path: string): Promise<Blob | null> {
  const response = await (await cacheOfCopies()).match(path)
  return (await response?.blob()) ?? null
}
