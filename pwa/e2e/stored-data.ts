import { expect, type Page } from '@playwright/test'

const readDatabases = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const settle = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const blobs: Blob[] = []
    const spell = (_key: string, value: unknown) => {
      if (value instanceof Blob) blobs.push(value)
      const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value
      return bytes instanceof Uint8Array ? String.fromCharCode(...bytes) : bytes
    }
    const rowsOf = async (name: string) => {
      const database = await settle(indexedDB.open(name))
      const rows = [...database.objectStoreNames].flatMap((table): Promise<unknown>[] => {
        const store = database.transaction(table).objectStore(table)
        return [settle(store.getAll()), settle(store.getAllKeys())]
      })
      const all = await Promise.all(rows)
      database.close()
      return `${name} ${JSON.stringify(all, spell)}`
    }
    // Taken away where the browser is an old one.
    const list: () => Promise<IDBDatabaseInfo[]> = Reflect.get(globalThis, Symbol.for('databases'))
    const infos = await (list ?? (() => indexedDB.databases()))()
    const databases = await Promise.all(infos.map(({ name = '' }) => rowsOf(name)))
    return [...databases, ...(await Promise.all(blobs.map((blob) => blob.text())))].join('\n')
  })

const readCaches = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const cached: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        cached.push(name, request.url, JSON.stringify([...(response?.headers ?? [])]), (await response?.text()) ?? '')
      }
    }
    return cached.join('\n')
  })

/** Local and session storage, the tab's history, and the whole document, including field values and hidden text. */
const readPage = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const history = window.navigation?.entries().map((entry) => [entry.url, entry.getState()]) ?? []
    const storages = [{ ...localStorage }, { ...sessionStorage }, document.cookie, window.name, window.history.state]
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(({ value }) => value)
    const { outerHTML } = document.documentElement
    // The text content too: in the markup, tags split words and escaping respells them.
    return [JSON.stringify([storages, history]), location.href, ...fields, outerHTML, document.body.textContent].join(
      '\n',
    )
  })

async function readEverythingStored(page: Page): Promise<string> {
  const parts = await Promise.all([readDatabases(page), readCaches(page), readPage(page)])
  return parts.join('\n').toLowerCase()
}

export async function findStoredWords(page: Page, words: readonly string[]): Promise<string[]> {
  const stored = await readEverythingStored(page)
  return words.filter((word) => stored.includes(word.toLowerCase()))
}

/** Nothing about a person is left on this device: no storage, database, cache, address or screen has it. */
export async function expectNothingStoredOf(page: Page, words: readonly string[]): Promise<void> {
  await expect.poll(() => findStoredWords(page, words)).toEqual([])
}
