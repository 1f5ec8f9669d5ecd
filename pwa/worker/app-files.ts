/// <reference lib="webworker" />

/** Set by the build: which build this is. */
declare const __BUILD__: string

const prefix = 'app-files-'
const cacheName = prefix + __BUILD__

/** What the screens that the browser renders by itself need besides what public pages have. */
const listPath = `/assets/app-files-${__BUILD__}.json`

/** Whether this device has opened such a screen before, under this version or the last. */
export const hasAppFiles = async () => (await caches.keys()).some((name) => name.startsWith(prefix))

/** Brings them all here, so that those screens open without signal; a visitor of public pages never loads them. */
export const keepAppFiles = async () => {
  const cache = await caches.open(cacheName)
  if (await cache.match(listPath)) return
  const list = await fetch(listPath)
  if (!list.ok) throw new Error(`${listPath}: ${list.status}`)
  await cache.addAll(await list.clone().json())
  // Comes last: it says that all the others are there.
  await cache.put(listPath, list)
}

/** A built file that the list of first files does not hold. Its name changes with what is in it. */
export const answerAsset = async (request: Request): Promise<Response> =>
  (await caches.match(request, { cacheName })) ?? fetch(request)

export const forgetOldAppFiles = async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}
