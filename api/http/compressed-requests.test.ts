import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchTables } from '#api/testing/changed-tables.ts'
import { contactMessage } from '#api/testing/enquiries.ts'
import { videoFileOf } from '#api/testing/media.ts'
import { addWithPassword } from '#api/testing/passwords.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { photoType } from '#shared/contract/photo.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'

let world: World
let url: string
let cookie: string
beforeAll(() => {
  world = startWorld()
  const app = world.wholeApp()
  app.listen({ port: 0, hostname: '127.0.0.1', development: false })
  url = `http://127.0.0.1:${app.server?.port}`
  cookie = world.signIn(addWithPassword(world, { isAdmin: true })).cookie
})
afterAll(async () => void (await world.wholeApp().server?.stop(true)))

/** A valid body padded with 4 MB of spaces, compressed to a few kilobytes. Decompressed it would be too large, or accepted. */
const bomb = (body: object) => Buffer.from(`${JSON.stringify(body)}${' '.repeat(4 * 1024 ** 2)}`)
const packers: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gzipSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: deflateSync,
  zstd: zstdCompressSync,
}

const bodies: Record<string, object> = {
  'POST /api/contact': contactMessage,
  'POST /api/auth/login': { email: 'sam@example.com', password: 'tape-and-level-42' },
  'POST /api/stripe/webhook': { id: 'evt_1', type: 'invoice.paid' },
  'POST /api/video-progress/sync': { deviceId: 'phone', changes: [] },
  'POST /api/admin/media': { name: 'logo.png', content: 'iVBORw0KGgo=' },
  'PUT /api/admin/settings/SELLER_NAME': { version: 0, value: 'Level Ltd' },
}

function send(route: string, body: Buffer, headers: Record<string, string>): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  return fetch(`${url}${path}`, { method, body: new Uint8Array(body), headers: { cookie, ...headers } })
}

test.each(Object.keys(packers))(
  'nothing that is sent packed by %s is unpacked',
  { tags: ['full'] },
  async (encoding) => {
    const changed = watchTables(world.ctx.sqlite)
    for (const [route, body] of Object.entries(bodies)) {
      const packed = packers[encoding]?.(bomb(body)) ?? Buffer.alloc(0)
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
      const { status } = await send(route, packed, headers)
      // Left compressed, it's invalid JSON, or its signature doesn't match.
      expect([route, status]).toEqual([route, 400])
      expect([
        route,
        (await send(route, packed, { ...headers, 'content-encoding': `${encoding}, identity` })).status,
      ]).toEqual([route, 400])
    }
    expect(changed()).toEqual([])
  },
)

test('a piece of an upload and a photo are taken for the bytes that came', async () => {
  const packed = gzipSync(videoFileOf(1024 ** 2, 1))
  const begun = await fetch(`${url}/api/admin/media/uploads`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'film.mp4', bytes: 40 * 1024 ** 2, fingerprint: '0'.repeat(64), isPublic: false }),
  })
  const { id } = await begun.json()
  const headers = { 'content-encoding': 'gzip', 'content-type': chunkType, [offsetHeader]: '0' }
  const piece = await send(`PATCH /api/admin/media/uploads/${id}`, packed, headers)
  // Decompressed it would be a video.
  expect([piece.status, (await readError(piece)).message]).toEqual([415, expect.stringMatching(/^You can upload mp4/)])
  const photo = await send('PUT /api/user/photo', packed, { 'content-encoding': 'gzip', 'content-type': photoType })
  expect(photo.status).toBe(415)
})
