import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import type { Query, QueryClient } from '@tanstack/react-query'
import { cachedResponsesKey, isPublicKey } from './query-client.ts'
import { deviceStorage } from './storage.ts'

const maxAge = 30 * 24 * 60 * 60 * 1000

/** What cannot be read counts as an empty cache. */
function deserialize(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse('{}')
  }
}

/** Each response ages by itself; that there is none (a post that was not found, no tiers on sale) is not cached. */
const isCacheable = ({ queryKey, state }: Query) =>
  state.status === 'success' &&
  isPublicKey(queryKey) &&
  state.data !== null &&
  !(Array.isArray(state.data) && state.data.length === 0) &&
  Date.now() - state.dataUpdatedAt < maxAge

/**
 * Restores the public responses of the last visit, and caches this one's; returns a function that stops it. Public pages
 * carry their data with them, so only the screens that the browser renders by itself load this.
 */
export async function persistPublicResponses(queryClient: QueryClient): Promise<() => void> {
  const persister = createSyncStoragePersister({
    storage: deviceStorage,
    key: cachedResponsesKey,
    throttleTime: 0,
    deserialize,
  })
  const options = { queryClient, persister, maxAge, dehydrateOptions: { shouldDehydrateQuery: isCacheable } }
  await persistQueryClientRestore(options)
  return persistQueryClientSubscribe(options)
}
