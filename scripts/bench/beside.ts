/** Work beside what's measured, in a process of its own so that neither waits for the other's turn. */
import { createConnection } from 'node:net'
import { videoFileOf } from '#api/testing/media.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import { benchFile, startProgram } from './programs.ts'

/** Asks for an address every 10 ms until it's told to end. Then it prints how long the slowest answer took, in ms. */
async function askOften({ url }: { url: string }): Promise<void> {
  let [slowest, isOver] = [0, false]
  process.on('SIGTERM', () => {
    isOver = true
  })
  // The first builds what later ones use.
  await fetch(url)
  while (!isOver) {
    const from = performance.now()
    const response = await fetch(url)
    await response.arrayBuffer()
    if (response.status >= 500) throw new Error(`${url} responded with ${response.status}.`)
    slowest = Math.max(slowest, performance.now() - from)
    await Bun.sleep(10)
  }
  console.log(slowest)
}

type Download = { address: string; cookie: string; phones: number; bytesPerSecond: number; bytes: number }

/** Phones that each fetch a video in pieces, over and over. Prints a line once all have begun, and goes on until it's killed. */
async function download({ address, cookie, phones, bytesPerSecond, bytes }: Download): Promise<void> {
  const pieceBytes = 4 * 1024 ** 2
  let begun = 0
  const fetchPiece = async (first: number) => {
    const last = Math.min(first + pieceBytes, bytes) - 1
    const response = await fetch(address, { headers: { cookie, range: `bytes=${first}-${last}` } })
    if (response.status !== 206 || response.body === null) throw new Error(`A piece was answered ${response.status}.`)
    const start = performance.now()
    let read = 0
    for await (const chunk of response.body) {
      read += chunk.length
      await Bun.sleep(Math.max(0, (1000 * read) / bytesPerSecond - (performance.now() - start)))
    }
    if (read !== last - first + 1) throw new Error('A piece was cut.')
  }
  const phone = async (_none: unknown, index: number) => {
    for (let piece = index; ; piece += 1) {
      await fetchPiece((piece * pieceBytes) % bytes)
      begun += 1
      if (begun === phones) console.log('begun')
    }
  }
  await Promise.all(Array.from({ length: phones }, phone))
}

/** `senders` upload at the same time, one video after the other. */
type Uploads = { url: string; cookie: string; senders: number; count: number; bytes: number; seed: number }

/** Browsers that upload videos like the owners' page. Prints how often they were told to wait. */
async function upload({ url, cookie, senders, count, bytes, seed }: Uploads): Promise<void> {
  const base = videoFileOf(bytes, seed)
  let toldToWait = 0
  const request = async (path: string, init: RequestInit): Promise<{ id: string; offset: number; bytes: number }> => {
    for (;;) {
      const headers = { ...init.headers, cookie }
      const response = await fetch(`${url}/api/admin/media/uploads${path}`, { ...init, headers })
      const body = await response.json()
      if (response.ok) return body
      if (response.status !== 503) throw new Error(`${path} responded with ${response.status}.`)
      toldToWait += 1
      await Bun.sleep(1000 * Number(response.headers.get('retry-after')) * (0.5 + Math.random()))
    }
  }
  const uploadOne = async (index: number) => {
    const videoFile = new Uint8Array(base)
    new DataView(videoFile.buffer).setUint32(bytes - 4, seed * count + index)
    const fingerprint = new Bun.CryptoHasher('sha256').update(videoFile).digest('hex')
    const wish = { name: `film-${seed}-${index}.mp4`, bytes, fingerprint, isPublic: false, replaces: null }
    const headers = { 'content-type': 'application/json' }
    const { id } = await request('', { method: 'POST', headers, body: JSON.stringify(wish) })
    for (let [at, size] = [0, 256 * 1024]; at < bytes; size = Math.min(maxChunkBytes, size * 2)) {
      const sent = { 'content-type': chunkType, [offsetHeader]: String(at) }
      at = (await request(`/${id}`, { method: 'PATCH', headers: sent, body: videoFile.slice(at, at + size) })).offset
    }
    const stored = await request(`/${id}/finish`, { method: 'POST' })
    if (stored.bytes !== bytes) throw new Error(`${stored.bytes} of ${bytes} bytes were stored.`)
  }
  let begun = 0
  const sendInTurn = async () => {
    while (begun < count) await uploadOne(begun++)
  }
  await Promise.all(Array.from({ length: senders }, sendInTurn))
  console.log(toldToWait)
}

/** Each connection has an address of its own, or all of them share the first. */
export type Flood = { port: number; path: string; connections: number; addresses: number; seconds: number }

/**
 * Sends as many small requests as one core can, each on a connection of its own, as a proxy without kept connections does. Prints
 * how often each status came back; `lost` where the connection ended without one.
 */
async function flood({ port, path, connections, addresses, seconds }: Flood): Promise<void> {
  const until = performance.now() + seconds * 1000
  const counts: Record<string, number> = {}
  const request = (connection: number, index: number) => {
    const body = JSON.stringify({ email: `nobody-${connection}-${index}@example.com`, password: 'wrong-wrong-42' })
    const address = connection % addresses
    const head = [
      `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\ncontent-type: application/json`,
      `x-forwarded-for: 10.66.${address >> 8}.${address & 255}\r\ncontent-length: ${Buffer.byteLength(body)}`,
    ]
    let received = ''
    return new Promise<string>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () =>
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`),
      )
      socket.setEncoding('latin1')
      socket.on('data', (text) => {
        received += text
      })
      socket.on('error', () => resolve('lost'))
      socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'lost'))
    })
  }
  const keepSending = async (_none: unknown, connection: number) => {
    for (let index = 0; performance.now() < until; index += 1) {
      const status = await request(connection, index)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, keepSending))
  console.log(JSON.stringify(counts))
}

const works = { askOften, download, upload, flood }
type Works = typeof works

export function startBeside<Name extends keyof Works>(name: Name, options: Parameters<Works[Name]>[0]) {
  return startProgram([benchFile('beside.ts'), name, JSON.stringify(options)])
}

if (import.meta.main) {
  const [name = '', options = '{}'] = process.argv.slice(2)
  const work = Object.entries(works).find(([known]) => known === name)?.[1]
  await work?.(JSON.parse(options))
}
