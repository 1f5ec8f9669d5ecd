import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import type { Query, QueryClient } from '@tanstack/react-query'
import { dayMs } from '#shared/rules/durations.ts'
import { cachedResponsesKey, isPublicKey } from './query-client.ts'
import { deviceStorage } from './storage.ts'

const maxAge = 30 * dayMs

/** An unreadable cache counts as empty. */
function deserialize(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse('{}')
  }
}

/** Each response has its own age. We don't cache an empty one (a missing post, no tiers on sale). */
const isCacheable = ({ queryKey, state }: Query) =>
  state.status === 'success' &&
  isPublicKey(queryKey) &&
  state.data !== null &&
  !(Array.isArray(state.data) && state.data.length === 0) &&
  Date.now() - state.dataUpdatedAt < maxAge

/**
 * Restores the last visit's public responses and caches this one's; returns a function that stops it. Public pages carry their own
 * data, so only screens the browser renders load this.
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
