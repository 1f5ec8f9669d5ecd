import { dayMs } from '#shared/rules/durations.ts'

/** What came from another app's share sheet, as its form: the worker stores it here, and the page that asks takes it. */
const cacheName = 'alliance-shared'

const addressOf = (id: string) => `/members/share/${id}`

/** One that came before stays: its page may still be at it. */
export async function storeShared(id: string, request: Request): Promise<void> {
  await forgetOldShared()
  const cache = await caches.open(cacheName)
  const headers = { 'content-type': request.headers.get('content-type') ?? '', date: new Date().toUTCString() }
  await cache.put(addressOf(id), new Response(await request.blob(), { headers }))
}

/** Of all that hasn't been taken yet, the first one first. */
export async function sharedIds(): Promise<string[]> {
  if (!('caches' in globalThis) || !(await caches.has(cacheName))) return []
  return (await (await caches.open(cacheName)).keys()).map(({ url }) => url.split('/').at(-1) ?? '')
}

export type Shared = { text: string; photos: File[] }

/** Null if there's none of this id, or it has been taken. It stays until `forgetShared`: the page may be gone before it has kept all. */
export async function readShared(id: string): Promise<Shared | null> {
  const stored = await (await caches.open(cacheName)).match(addressOf(id))
  if (stored === undefined) return null
  const form = await stored.formData()
  const lines = ['title', 'text', 'link'].map((name) => form.get(name)).filter((line) => typeof line === 'string')
  return {
    text: [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))].join('\n'),
    photos: form.getAll('photos').flatMap((photo) => (typeof photo === 'string' || photo.size === 0 ? [] : [photo])),
  }
}

/** Once its draft has it, or is sent or thrown away. */
export async function forgetShared(id: string): Promise<void> {
  if ('caches' in globalThis && (await caches.has(cacheName)))
    await (await caches.open(cacheName)).delete(addressOf(id))
}

/** What nobody has come back to in a day. */
export async function forgetOldShared(): Promise<void> {
  if (!(await caches.has(cacheName))) return
  const cache = await caches.open(cacheName)
  for (const shared of await cache.keys()) {
    const at = (await cache.match(shared))?.headers.get('date')
    if (!at || Date.now() - Date.parse(at) > dayMs) await cache.delete(shared)
  }
}

/** At a logout. */
export const forgetAllShared = (): Promise<boolean> => caches.delete(cacheName)
