/// <reference lib="webworker" />

/** Set by the build: its id. */
declare const __BUILD__: string

const prefix = 'app-files-'
const cacheName = prefix + __BUILD__

const listPath = `/assets/app-files-${__BUILD__}.json`

/** Whether this device has opened such a screen before, under this version or the last. */
export const hasAppFiles = async () => (await caches.keys()).some((name) => name.startsWith(prefix))

/** Caches them all, so that those screens open without signal. Visitors of public pages never load them. */
export async function cacheAppFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  if (await cache.match(listPath)) return
  const list = await fetch(listPath)
  if (!list.ok) throw new Error(`${listPath}: ${list.status}`)
  await cache.addAll(await list.clone().json())
  // Stored last, to mark that all the others are there.
  await cache.put(listPath, list)
}

/** A built file outside the precache list. Its name changes with its content. */
export const respondWithAsset = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName })) ?? fetch(request)

export async function deleteOldAppFiles(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}
