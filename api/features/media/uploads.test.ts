import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addBoxes, officeFile, videoFileOf } from '#api/testing/media.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import type { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { chunkType, maxChunkBytes } from '#shared/contract/upload-piece.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-uploads-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder, MEDIA_QUOTA_GB: '1' } })
const boss = world.addOwner()
/** Logs in each time: an owner's login ends after hours, and days go by here. */
const owner: Call = (path, options) => world.signIn(boss)(path, options)
const uploads = '/api/admin/media/uploads'

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const begin = (content: Uint8Array, more: object = {}, call = owner) =>
  call(uploads, {
    body: { name: 'film.mp4', bytes: content.length, fingerprint: digest(content), isPublic: false, ...more },
  })

const send = (id: string, content: Uint8Array, offset: number, length: number, { cookie } = world.signIn(boss)) =>
  world.handle(
    new Request(`http://localhost${uploads}/${id}`, {
      method: 'PATCH',
      headers: { cookie, 'content-type': chunkType, 'upload-offset': String(offset) },
      body: content.slice(offset, offset + length),
    }),
  )

const finish = (id: string) => owner(`${uploads}/${id}/finish`, { method: 'POST' })

async function upload(content: Uint8Array, more: object = {}, piece = 100_000): Promise<Response> {
  const begun = await begin(content, more)
  if (begun.status !== 200) return begun
  const { id, offset }: MediaUpload = await begun.json()
  for (let at = offset; at < content.length; at += piece) {
    const response = await send(id, content, at, piece)
    if (response.status !== 200) return response
  }
  return finish(id)
}

const storedFile = ({ sha256 }: { sha256: string }) => join(folder, 'media', sha256.slice(0, 2), sha256)
const rowOf = (id: string) =>
  world.ctx.sqlite
    .prepare<[string], { sha256: string; name: string }>('select sha256, name from media where id = ?')
    .get(id)
const unfinished = async (): Promise<MediaUpload[]> => (await owner(uploads)).json()

test('an upload cut at every tenth, each time within a piece, goes on to the same bytes', {
  tags: ['full'],
}, async () => {
  const content = videoFileOf(1_000_000, 1)
  const server = Bun.serve({ port: 0, development: false, fetch: (request) => world.handle(request) })
  const cut = async (id: string, offset: number, sent: number) => {
    const socket = connect(server.port ?? 0, 'localhost')
    const piece = content.slice(offset, offset + 200_000)
    const head = [
      `PATCH ${uploads}/${id} HTTP/1.1`,
      'Host: localhost',
      `Cookie: ${world.signIn(boss).cookie}`,
      `Content-Type: ${chunkType}`,
      `Upload-Offset: ${offset}`,
      `Content-Length: ${piece.length}`,
    ]
    await new Promise<void>((done) => {
      socket.on('close', () => done()).on('error', () => done())
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(piece.slice(0, sent), () => socket.destroy())
    })
  }
  try {
    const { id }: MediaUpload = await (await begin(content)).json()
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await cut(id, tenth * 100_000, 50_000)
      // The same file is chosen again, and the server says how much has arrived.
      const again: MediaUpload = await (await begin(content)).json()
      expect([again.id, again.offset]).toEqual([id, tenth * 100_000])
      expect((await send(id, content, again.offset, 100_000)).status).toBe(200)
      // The response was lost, so it's sent once more.
      const late = await readError(await send(id, content, again.offset, 100_000))
      expect([late.status, late.message]).toEqual([
        409,
        `${(tenth + 1) * 100_000} bytes have arrived, so the next part starts there.`,
      ])
    }
    const file: MediaFile = await (await finish(id)).json()
    const row = rowOf(file.id)
    expect(row?.sha256).toBe(digest(content))
    expect(readFileSync(storedFile({ sha256: row?.sha256 ?? '' })).equals(content)).toBe(true)
    // The last response was lost too.
    expect(await (await finish(id)).json()).toEqual(file)
    expect(await unfinished()).toEqual([])
    const actions = world.ctx.sqlite
      .prepare(`select action from audit_entries where action like 'media.%'`)
      .pluck()
      .all()
    expect(actions).toEqual(['media.upload_begun', 'media.added'])
    expect(world.logged.filter((line) => line.includes('unexpected failure'))).toEqual([])
  } finally {
    await server.stop(true)
  }
})

/** Sends a chunk whose last byte arrives only when `end` is called. `cut` drops the connection instead. */
function sendSlowly(id: string, content: Uint8Array) {
  const line = new TransformStream<Uint8Array, Uint8Array>()
  const writer = line.writable.getWriter()
  const response = world.handle(
    new Request(`http://localhost${uploads}/${id}`, {
      method: 'PATCH',
      headers: { cookie: world.signIn(boss).cookie, 'content-type': chunkType, 'upload-offset': '0' },
      body: line.readable,
      duplex: 'half',
    } as RequestInit),
  )
  const sent = writer.write(content.slice(0, -1)).catch(() => {})
  return {
    response,
    end: async () => {
      await sent
      await writer.write(content.slice(-1))
      await writer.close()
    },
    cut: () => writer.abort(new Error('The line broke.')),
  }
}

test('a ninth piece alongside is told straight away to come again, and its place is free when one is through or cut', async () => {
  const videoFiles = Array.from({ length: 10 }, (_, seed) => videoFileOf(3000, 100 + seed))
  const ids = await Promise.all(
    videoFiles.map(async (videoFile) => ((await (await begin(videoFile)).json()) as MediaUpload).id),
  )
  const eight = ids.slice(0, 8).map((id, index) => sendSlowly(id, videoFiles[index] ?? Buffer.alloc(0)))
  const [last = '', other = ''] = ids.slice(8)
  const sendLast = () => send(last, videoFiles[8] ?? Buffer.alloc(0), 0, 3000)
  const refused = await sendLast()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await readError(refused)).message).toBe('Other files are uploading. This one will carry on automatically.')
  expect((await world.call(`${uploads}/${last}`, { method: 'PATCH' })).status).toBe(401)
  const [first, second, ...rest] = eight
  await first?.end()
  expect((await first?.response)?.status).toBe(200)
  expect((await sendLast()).status).toBe(200)
  await second?.cut()
  expect((await second?.response)?.ok).toBe(false)
  expect((await send(other, videoFiles[9] ?? Buffer.alloc(0), 0, 3000)).status).toBe(200)
  for (const one of rest) {
    await one.end()
    expect((await one.response).status).toBe(200)
  }
  for (const id of ids) await owner(`${uploads}/${id}`, { method: 'DELETE' })
})

test('200 files at once arrive whole: what was told to wait comes again', { tags: ['full'] }, async () => {
  const signedIn = world.signIn(boss)
  const videoFiles = Array.from({ length: 200 }, (_, seed) => videoFileOf(6000, 1000 + seed))
  const begun = await Promise.all(
    videoFiles.map(async (videoFile): Promise<MediaUpload> => (await begin(videoFile, {}, signedIn)).json()),
  )
  const sendRest = async (index: number) => {
    const [{ id = '' } = {}, videoFile = Buffer.alloc(0)] = [begun[index], videoFiles[index]]
    const { offset }: MediaUpload = await (await signedIn(`${uploads}/${id}`)).json()
    return (await send(id, videoFile, offset, 6000, signedIn)).status
  }
  const tried = await Promise.all(videoFiles.map((_, index) => sendRest(index)))
  expect(new Set(tried)).toEqual(new Set([200, 503]))
  const waiting = tried.flatMap((status, index) => (status === 503 ? [index] : []))
  for (let at = 0; at < waiting.length; at += 8)
    expect(new Set(await Promise.all(waiting.slice(at, at + 8).map(sendRest)))).toEqual(new Set([200]))
  const stored = await Promise.all(
    begun.map(
      async ({ id }): Promise<MediaFile> => (await signedIn(`${uploads}/${id}/finish`, { method: 'POST' })).json(),
    ),
  )
  const digests = stored.map(({ id }) => digest(readFileSync(storedFile({ sha256: rowOf(id)?.sha256 ?? '' }))))
  expect(digests).toEqual(videoFiles.map(digest))
  expect([await unfinished(), readdirSync(join(folder, 'media/uploads'))]).toEqual([[], []])
})

test('what is no video, picture or document is refused with the way out, at its first piece where that shows it', {
  tags: ['full'],
}, async () => {
  const avi = Buffer.concat([Buffer.from('RIFF\0\0\0\0AVI LIST'), Buffer.alloc(4000)])
  const { id }: MediaUpload = await (await begin(avi)).json()
  const early = await readError(await send(id, avi, 0, 1000))
  expect([early.status, early.message]).toEqual([415, 'This video is an AVI. Export it as MP4 and upload that.'])
  expect((await readError(await send(id, avi, 1000, 1000))).status).toBe(404)
  const refusals: [Uint8Array, RegExp][] = [
    [Buffer.from('<html><script>alert(1)</script>'), /^You can upload mp4/],
    [Buffer.concat([videoFileOf(2000, 1), officeFile('docx')]), /two kinds of file in one/],
    [
      addBoxes([
        ['ftyp', 'isom\0\0\0\0isom'],
        ['free', '<script >alert(1)</script>'],
        ['moov', 'x'],
      ]),
      /two kinds of file in one/,
    ],
    [Buffer.concat([addBoxes([['ftyp', 'isom\0\0\0\0isom']]), Buffer.from('%PDF-1.7')]), /two kinds of file in one/],
    [videoFileOf(20_000, 1).slice(0, 15_000), /cut short/],
    [
      addBoxes([
        ['ftyp', 'isom\0\0\0\0isom'],
        ['mdat', 'no index'],
      ]),
      /cut short/,
    ],
    [officeFile('docx', { bomb: true }), /unpacks to more than a phone can hold/],
    [officeFile('docm'), /has macros/],
    [
      Buffer.from('WEBVTT\n\n00:02.000 --> 00:01.000\nBack'),
      /^We can’t read these captions\. Line 3: this caption ends before it starts\.$/,
    ],
    [
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(60)]),
      /We can’t read this picture/,
    ],
  ]
  for (const [content, text] of refusals) expect((await readError(await upload(content))).message).toMatch(text)
  const wide = await sharp({
    create: { width: 9000, height: 9000, channels: 3, background: '#fff' },
    limitInputPixels: false,
  })
    .png()
    .toBuffer()
  expect((await readError(await upload(wide))).message).toMatch(/more than 50 million pixels/)
  expect([await unfinished(), readdirSync(join(folder, 'media/uploads'))]).toEqual([[], []])
})

test('sound ones are stored as what they are: a document, captions, and a picture without what hid behind it', async () => {
  const stored = async (content: Uint8Array, more: object = {}): Promise<MediaFile> =>
    (await upload(content, more)).json()
  expect((await stored(officeFile('xlsx'), { name: 'prices.xlsx' })).format).toBe('xlsx')
  expect((await stored(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nOne'), { name: 'a.vtt' })).format).toBe('vtt')
  const plain = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#a21' } })
    .jpeg()
    .toBuffer()
  const hiding = Buffer.concat([plain, Buffer.from('<script>alert(1)</script>')])
  const picture = await stored(hiding, { name: 'dave.jpg', isPublic: true })
  expect(await (await world.call(picture.address)).text()).not.toContain('alert')
  const document = await owner((await stored(officeFile('pptx'), { name: 'talk.pptx' })).address)
  expect(document.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''talk.pptx`)
})

test('the same bytes once more put right what the disk has lost of a file, also at the address of another', async () => {
  const [videoFile, other] = [videoFileOf(200_000, 31), videoFileOf(200_000, 32)]
  const first: MediaFile = await (await upload(videoFile)).json()
  const path = storedFile({ sha256: digest(videoFile) })
  truncateSync(path, 1000)
  const again: MediaFile = await (await upload(videoFile)).json()
  expect(again.id).toBe(first.id)
  expect(digest(readFileSync(path))).toBe(digest(videoFile))
  await upload(other, { replaces: first.id })
  rmSync(path, { force: true })
  writeFileSync(path, 'half')
  await upload(videoFile, { isPublic: true })
  expect(digest(readFileSync(path))).toBe(digest(videoFile))
})

test('too large, too many, not all there, or beyond the library’s room: refused before or at the piece', async () => {
  const bytes = (size: number) => ({ bytes: size, fingerprint: '0'.repeat(64) })
  expect((await readError(await begin(new Uint8Array(1), bytes(3 * 1024 ** 3)))).fields?.bytes).toBe(
    'A file can have up to 2 GB.',
  )
  expect((await readError(await begin(new Uint8Array(1), bytes(1024 ** 3)))).message).toMatch(
    /^Your library is full \(1 GB\)/,
  )
  const content = videoFileOf(300_000, 2)
  const { id }: MediaUpload = await (await begin(content)).json()
  expect((await readError(await finish(id))).message).toMatch(/^0 of 300000 bytes have arrived/)
  expect((await send(id, videoFileOf(400_000, 2), 0, 400_000)).status).toBe(422)
  expect((await send(id, new Uint8Array(maxChunkBytes + 1), 0, maxChunkBytes + 1)).status).toBe(413)
  const asJson = await owner(`${uploads}/${id}`, { method: 'PATCH', body: {}, headers: { 'upload-offset': '0' } })
  const asPhoto = await world.handle(
    new Request(`http://localhost${uploads}/${id}`, {
      method: 'PATCH',
      headers: { cookie: world.signIn(boss).cookie, 'content-type': 'application/octet-stream', 'upload-offset': '0' },
      body: 'x',
    }),
  )
  for (const wrong of [asJson, asPhoto]) {
    const { status, message } = await readError(wrong)
    expect([status, message]).toEqual([
      415,
      'Send each part of an upload as bytes (Content-Type: application/offset+octet-stream), up to 4 MB.',
    ])
  }
  expect((await owner(`${uploads}/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(existsSync(join(folder, 'media/uploads', id))).toBe(false)
})

test('an upload that nobody goes on with for a week goes with the clean-up, and so does what has no row', async () => {
  const [old, young] = [videoFileOf(5000, 3), videoFileOf(5000, 4)]
  await begin(old)
  world.forward(6 * 86_400_000)
  const { id }: MediaUpload = await (await begin(young)).json()
  writeFileSync(join(folder, 'media/uploads/left-behind'), 'x')
  world.forward(1.5 * 86_400_000)
  await runJob(world.ctx, 'clean-up')
  expect([(await unfinished()).map((one) => one.id), readdirSync(join(folder, 'media/uploads'))]).toEqual([[id], [id]])
})

test('the bytes of an upload stay where its end fails: asked once more, it needs none of them again', {
  tags: ['full'],
}, async () => {
  const content = videoFileOf(300_000, 5)
  const { id }: MediaUpload = await (await begin(content)).json()
  for (let at = 0; at < content.length; at += 100_000) await send(id, content, at, 100_000)
  // The transaction's last write fails, as its commit may.
  world.ctx.sqlite.exec(`create trigger fails before update on media_uploads begin select raise(abort, 'no'); end`)
  expect((await finish(id)).status).toBe(500)
  world.ctx.sqlite.exec('drop trigger fails')
  expect(await unfinished()).toContainEqual(expect.objectContaining({ id, offset: content.length }))
  const finished = await finish(id)
  expect(finished.status).toBe(200)
  const row = rowOf((await finished.json()).id)
  expect(readFileSync(storedFile({ sha256: row?.sha256 ?? '' }))).toEqual(Buffer.from(content))
  expect(existsSync(join(folder, 'media/uploads', id))).toBe(false)
})
