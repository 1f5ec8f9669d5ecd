import type { Locks } from '#pwa/sync/platform.ts'

// Small, because every page that can log out carries it. What writes and reads is in piece-files.ts.

/** The folder, bucket and cache of kept videos. */
export const shelfName = 'shelf'

/** Chromium's: storage that's evicted apart from the rest. TypeScript has no type for it. */
export type Buckets = {
  open(name: string): Promise<{ getDirectory(): Promise<FileSystemDirectoryHandle> }>
  delete(name: string): Promise<void>
}

const hasBuckets = (browser: object): browser is { storageBuckets: Buckets } => 'storageBuckets' in browser

export const storageBuckets = (): Buckets | null => (hasBuckets(navigator) ? navigator.storageBuckets : null)

/** Deletes every kept byte on this device, of any member. */
export async function wipeKeptFiles(): Promise<void> {
  await storageBuckets()?.delete(shelfName)
  const folder = await navigator.storage?.getDirectory?.().catch(() => null)
  await folder?.removeEntry(shelfName, { recursive: true }).catch(ignoreMissing)
  if ('caches' in globalThis) await caches.delete(shelfName)
}

export function ignoreMissing(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error
}

const lockName = 'alliance-shelf-files'
const longestWaitMs = 3_000

/**
 * One at a time across tabs. What writes a piece looks in here whether it's still wanted, so that nothing is written after a logout.
 * A tab that the browser froze in between delays a logout by three seconds at most.
 */
export async function withKeptFiles(locks: Locks, work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  const patience = signal ?? AbortSignal.timeout(longestWaitMs)
  try {
    await locks.request(lockName, { signal: patience }, work)
  } catch (error) {
    if (signal || !patience.aborted) throw error
    await work()
  }
}
