/** What came from another app's share sheet, as its form: the worker stores it here, and the page that asks takes it. */
const cacheName = 'alliance-shared'

const addressOf = (id: string) => `/members/share/${id}`

/** Only the last one: nobody comes back to an older. */
export async function storeShared(id: string, request: Request): Promise<void> {
  await forgetShared()
  const type = request.headers.get('content-type') ?? ''
  const stored = new Response(await request.blob(), { headers: { 'content-type': type } })
  await (await caches.open(cacheName)).put(addressOf(id), stored)
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
    photos: form.getAll('photos').flatMap((photo) => (photo instanceof File && photo.size > 0 ? [photo] : [])),
  }
}

/** Once the draft has it. A logout deletes it too. */
export const forgetShared = (): Promise<boolean> => caches.delete(cacheName)
