/**
 * `bun uploader.ts URL COOKIE COUNT BYTES SEED`: so many browsers, each uploading its own video like the owners' page: piece by
 * piece, retrying when told to wait. Prints the number of retries, and exits when all have arrived.
 */
import { filmOf } from '#api/testing/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'

const [, , url = '', cookie = '', ...numbers] = process.argv
const [count = 0, bytes = 0, seed = 0] = numbers.map(Number)
const firstPiece = 256 * 1024

const base = filmOf(bytes, seed)
let toldToWait = 0

function filmNo(index: number): Uint8Array {
  const film = Uint8Array.from(base)
  new DataView(film.buffer).setUint32(bytes - 4, seed * count + index)
  return film
}

async function request(path: string, init: RequestInit): Promise<{ id: string; offset: number; bytes: number }> {
  for (;;) {
    const response = await fetch(`${url}/api/admin/media/uploads${path}`, {
      ...init,
      headers: { ...init.headers, cookie },
    })
    const body = await response.json()
    if (response.ok) return body
    if (response.status !== 503) throw new Error(`${path} responded with ${response.status}.`)
    toldToWait += 1
    await Bun.sleep(1000 * Number(response.headers.get('retry-after')) * (0.5 + Math.random()))
  }
}

async function upload(index: number): Promise<void> {
  const film = filmNo(index)
  const fingerprint = new Bun.CryptoHasher('sha256').update(film).digest('hex')
  const wish = { name: `film-${seed}-${index}.mp4`, bytes, fingerprint, isPublic: false, replaces: null }
  const headers = { 'content-type': 'application/json' }
  const { id } = await request('', { method: 'POST', headers, body: JSON.stringify(wish) })
  let [at, size] = [0, firstPiece]
  while (at < bytes) {
    const sent = { 'content-type': chunkType, [offsetHeader]: String(at) }
    const { offset } = await request(`/${id}`, { method: 'PATCH', headers: sent, body: film.slice(at, at + size) })
    ;[at, size] = [offset, Math.min(maxChunkBytes, size * 2)]
  }
  const stored = await request(`/${id}/finish`, { method: 'POST' })
  if (stored.bytes !== bytes) throw new Error(`${stored.bytes} of ${bytes} bytes were stored.`)
}

await Promise.all(Array.from({ length: count }, (_, index) => upload(index)))
console.log(toldToWait)
