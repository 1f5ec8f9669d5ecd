import { expect, type Page } from '@playwright/test'

/** Everything that this browser stores for the site and shows of it, as one text. Bytes are read as letters. */
async function readEverythingStored(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => {
    const settle = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const spell = (_key: string, value: unknown) => {
      const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value
      return bytes instanceof Uint8Array ? String.fromCharCode(...bytes) : bytes
    }
    const rowsOf = async (name: string) => {
      const database = await settle(indexedDB.open(name))
      const tables = [...database.objectStoreNames]
      const rows = tables.map((table) => settle(database.transaction(table).objectStore(table).getAll()))
      const all = await Promise.all(rows)
      database.close()
      return `${name} ${JSON.stringify(all, spell)}`
    }
    const databases = await Promise.all((await indexedDB.databases()).map(({ name = '' }) => rowsOf(name)))
    const cached: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys())
        cached.push(request.url, (await (await cache.match(request))?.text()) ?? '')
    }
    const storages = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])
    return [storages, ...databases, ...cached, location.href, document.title, document.body.textContent].join('\n')
  })
  return stored.toLowerCase()
}

/** Those of the words that this device still holds. */
export async function findStoredWords(page: Page, words: readonly string[]): Promise<string[]> {
  const stored = await readEverythingStored(page)
  return words.filter((word) => stored.includes(word.toLowerCase()))
}

/** Nothing of a person is left on this device: not in a storage, a database, a cache, the address, or on the screen. */
export async function expectNothingStoredOf(page: Page, words: readonly string[]): Promise<void> {
  await expect.poll(() => findStoredWords(page, words)).toEqual([])
}
