import { IDBKeyRange } from 'fake-indexeddb'
import type { Platform } from '#pwa/sync/platform.ts'

export type Killable = {
  platform: Platform
  gone: Promise<void>
  kill(): void
  /** Kills at the `count`th moment from now: a transaction started or committed, or a request sent, arrived or responded to. */
  killAfter(count: number): void
}

export function createKillable(platform: Platform, idb: IDBFactory): Killable {
  const open = new Set<IDBTransaction>()
  let isDead = false
  let left = Number.POSITIVE_INFINITY
  const died = Promise.withResolvers<void>()
  const kill = () => {
    isDead = true
    died.resolve()
    for (const transaction of open) abort(transaction)
    open.clear()
  }
  const moment = () => {
    left -= 1
    if (left === 0) kill()
  }
  const watch = (transaction: IDBTransaction) => {
    open.add(transaction)
    transaction.addEventListener('complete', () => {
      open.delete(transaction)
      moment()
    })
    transaction.addEventListener('abort', () => open.delete(transaction))
    moment()
  }
  const never = new Promise<never>(() => {})
  return {
    gone: died.promise,
    kill,
    killAfter: (count) => {
      left = count
    },
    platform: {
      ...platform,
      fetch: async (path, init) => {
        moment()
        if (isDead) return never
        const response = await platform.fetch(path, init)
        moment()
        return isDead ? never : response
      },
      after: (ms, run) => platform.after(ms, () => (isDead ? undefined : run())),
      report: (error) => (isDead ? undefined : platform.report(error)),
      database: { indexedDB: watched(idb, watch, () => isDead), IDBKeyRange },
    },
  }
}

/** A factory whose databases report every transaction, and start none once the tab is killed. */
function watched(idb: IDBFactory, watch: (transaction: IDBTransaction) => void, isDead: () => boolean) {
  const open = (name: string, version?: number) => {
    const request = idb.open(name, version)
    request.addEventListener('success', () => {
      const database = request.result
      const begin = database.transaction.bind(database)
      database.transaction = (...args: Parameters<typeof begin>) => {
        const transaction = begin(...args)
        if (isDead()) abort(transaction)
        else watch(transaction)
        return transaction
      }
    })
    return request
  }
  return {
    open,
    deleteDatabase: (name: string) => {
      if (isDead()) throw new DOMException('This tab is gone.', 'AbortError')
      return idb.deleteDatabase(name)
    },
    databases: () => idb.databases(),
    cmp: (one: unknown, other: unknown) => idb.cmp(one, other),
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It had just been committed, so it counts.
  }
}
