import { persistQueryClientRestore, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import type { Query, QueryClient } from '@tanstack/react-query'
import { isPublicKey, keptAnswersKey } from './query-client.ts'
import { deviceStorage } from './storage.ts'

const maxAge = 30 * 24 * 60 * 60 * 1000

/** What cannot be read counts as nothing kept. */
const deserialize = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse('{}')
  }
}

/** Each answer ages by itself; that there is none (a post that was not there) is not kept. */
const isKept = ({ queryKey, state }: Query) =>
  state.status === 'success' &&
  isPublicKey(queryKey) &&
  state.data !== null &&
  Date.now() - state.dataUpdatedAt < maxAge

/**
 * Brings back the public answers of the last visit, and keeps this one's; returns how to stop. Public pages carry their
 * data with them, so only the screens that the browser renders by itself load this.
 */
export const keepPublicAnswers = async (queryClient: QueryClient) => {
  const persister = createSyncStoragePersister({
    storage: deviceStorage,
    key: keptAnswersKey,
    throttleTime: 0,
    deserialize,
  })
  const options = { queryClient, persister, maxAge, dehydrateOptions: { shouldDehydrateQuery: isKept } }
  await persistQueryClientRestore(options)
  return persistQueryClientSubscribe(options)
}
