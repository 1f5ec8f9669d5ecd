import { spawnSync } from 'node:child_process'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { countRows } from '#api/testing/joining.ts'
import { announcementOf, mp4Of, photoOf, webmOf } from '#api/testing/question-files.ts'
import { asker, newQuestion, sendFile, sendPiece } from '#api/testing/questions.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { maxPhotoBytes, questionPieceBytes } from '#shared/contract/questions.ts'
import { dayMs } from '#shared/rules/durations.ts'

let world: World
let danny: ReturnType<typeof asker>
beforeEach(() => {
  world = startWorld()
  danny = asker(world, world.addMember())
})

async function announced(kind: 'photo' | 'voice', bytes: Uint8Array) {
  const file = announcementOf(world.ctx.newId(), kind, bytes)
  await danny.ask({ files: [file] })
  return file
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s is drawn again: upright, without where it was taken',
  async (format) => {
    const photo = await photoOf(1200, 900, format)
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const file = await danny.send('photo', photo)
    expect(file).toMatchObject({ state: 'ready', type: 'image/jpeg', refusal: null, width: 900, height: 1200 })
    const response = await danny.file(file)
    const headers = ['content-type', 'cache-control', 'x-content-type-options'].map((name) =>
      response.headers.get(name),
    )
    expect(headers).toEqual(['image/jpeg', 'private, no-store', 'nosniff'])
    const { exif, iptc, xmp, width, height } = await sharp(await bytesOf(response)).metadata()
    expect({ exif, iptc, xmp, width, height }).toEqual({
      exif: undefined,
      iptc: undefined,
      xmp: undefined,
      width: 900,
      height: 1200,
    })
    expect([countRows(world, 'question_file_pieces'), countRows(world, 'question_file_contents')]).toEqual([0, 1])
  },
)

test('a photo larger than 1,600 pixels, of 48 megapixels or in CMYK becomes one that every phone shows', async () => {
  const cmyk = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#aa2211' } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer()
  expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
  const large = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#aa2211' } })
    .jpeg({ quality: 30 })
    .toBuffer()
  expect(large.length).toBeLessThan(maxPhotoBytes)
  expect(await danny.send('photo', large)).toMatchObject({ state: 'ready', width: 1600, height: 1200 })
  const file = await danny.send('photo', cmyk)
  expect(file).toMatchObject({ state: 'ready', width: 300, height: 200 })
  expect((await sharp(await bytesOf(await danny.file(file))).metadata()).space).toBe('srgb')
})

const bomb = () =>
  sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#ffffff' }, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer()

test.each([
  ['of more than 50 megapixels', bomb, 'This photo has more than 50 million pixels.'],
  [
    'that’s HEIC',
    () => Buffer.from('\0\0\0\x20ftypheic\0\0\0\0mif1heic', 'latin1'),
    'go to Settings, Camera, Formats and choose Most Compatible',
  ],
  ['that’s a GIF', () => photoOf(20, 20, 'gif'), 'This isn’t a photo we can read.'],
  [
    'that’s a drawing',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'This isn’t a photo we can read.',
  ],
  ['that’s a page', () => Buffer.from('<script>alert(1)</script>'), 'This isn’t a photo we can read.'],
  ['that’s cut', async () => (await photoOf()).subarray(0, 900), 'part of it is missing or damaged'],
])('a photo %s is refused with what to do', async (_name, make, sentence) => {
  const file = await danny.send('photo', await make())
  expect(file).toMatchObject({ state: 'refused', type: null, refusal: expect.stringContaining(sentence) })
  expect([countRows(world, 'question_file_pieces'), countRows(world, 'question_file_contents')]).toEqual([0, 0])
  expect((await danny.file(file)).status).toBe(404)
})

test.each([
  ['Opus in WebM', webmOf, 'audio/webm; codecs=opus'],
  ['AAC in MP4', mp4Of, 'audio/mp4'],
])('a voice note of %s is served as it came, with its length', async (_name, make, type) => {
  const voice = make(12)
  const file = await danny.send('voice', voice)
  expect(file).toMatchObject({ state: 'ready', type, hasAac: false })
  expect(Math.abs((file.durationMs ?? 0) - 12_000)).toBeLessThan(25)
  const response = await danny.file(file)
  expect(response.headers.get('content-type')).toBe(type)
  expect((await bytesOf(response)).equals(voice)).toBe(true)
})

test.each([
  ['of nothing', () => webmOf(0), 'There’s nothing to hear'],
  ['of three hours', () => mp4Of(3 * 3600, { timescale: 8_000 }), 'That voice note’s too long.'],
  ['that’s a film', () => webmOf(2, { codec: 'V_VP8', type: 1 }), 'This is a video'],
  ['that’s cut', () => mp4Of(9).subarray(0, 400), 'part of it is missing or damaged'],
  ['that’s a photo', () => photoOf(), 'This isn’t a voice note'],
])('a voice note %s is refused with what to do', async (_name, make, sentence) => {
  expect(await danny.send('voice', await make())).toMatchObject({
    state: 'refused',
    refusal: expect.stringContaining(sentence),
  })
})

test('more than three photos, two voice notes, a file of nothing or a large one aren’t announced', async () => {
  const bytes = Buffer.from('bytes')
  const fileOf = (kind: 'photo' | 'voice') => announcementOf(world.ctx.newId(), kind, bytes)
  const times = (count: number, kind: 'photo' | 'voice') => Array.from({ length: count }, () => fileOf(kind))
  const tries = [
    times(4, 'photo'),
    times(20, 'photo'),
    times(2, 'voice'),
    [{ ...fileOf('photo'), bytes: 0 }],
    [{ ...fileOf('photo'), bytes: maxPhotoBytes + 1 }],
    [{ ...fileOf('voice'), bytes: 2 * 1024 ** 2 + 1 }],
  ]
  for (const files of tries) expect((await danny.post('', newQuestion(world, { files }))).status).toBe(422)
  expect(countRows(world, 'questions')).toBe(0)
})

test('pieces are kept once, in order, however often they come; the answer says how far the file is', async () => {
  const voice = webmOf(115)
  expect(voice.length).toBeGreaterThan(questionPieceBytes)
  const { id } = await announced('voice', voice)
  const first = voice.subarray(0, questionPieceBytes)
  for (const _ of ['once', 'twice'])
    expect((await (await danny.piece(id, 0, first)).json()).file).toMatchObject({
      state: 'coming',
      received: first.length,
    })
  const gap = await danny.piece(id, first.length + 1, voice.subarray(first.length + 1, first.length + 9))
  expect(gap.status).toBe(409)
  expect((await gap.json()).error).toMatchObject({
    code: 'conflict',
    versions: { current: { received: first.length } },
  })
  expect((await danny.piece(id, 0, first.subarray(0, 10))).status).toBe(200)
  const state = await (await danny.call(`/api/members/question-files/${id}`)).json()
  expect(state.file).toMatchObject({ received: first.length, bytes: voice.length })
  for (let offset = first.length; offset < voice.length; offset += 40_000)
    expect((await danny.piece(id, offset, voice.subarray(offset, offset + 40_000))).status).toBe(200)
  expect((await (await danny.piece(id, 0, first)).json()).file).toMatchObject({
    state: 'ready',
    received: voice.length,
  })
  expect((await bytesOf(await danny.file({ id }))).equals(voice)).toBe(true)
})

test('a piece is bytes, of 64 kB at most, of a file that was announced, and no more than was announced', async () => {
  const { id } = await announced('photo', Buffer.alloc(1000, 1))
  expect(await readError(await danny.piece(id, 0, new Uint8Array(questionPieceBytes + 1)))).toMatchObject({
    status: 413,
    code: 'too_large',
  })
  expect(await readError(await danny.piece(id, 990, Buffer.alloc(11)))).toMatchObject({ status: 422, code: 'invalid' })
  expect(await readError(await danny.piece(id, 0, new Uint8Array(0)))).toMatchObject({ status: 422, code: 'invalid' })
  expect((await danny.piece(world.ctx.newId(), 0, Buffer.alloc(1))).status).toBe(404)
  const asJson = await danny.call(`/api/members/question-files/${id}`, {
    method: 'PATCH',
    body: {},
    headers: { 'upload-offset': '0' },
  })
  expect(asJson.status).toBe(415)
  const asOther = await danny.call(`/api/members/question-files/${id}`, {
    method: 'PATCH',
    body: Buffer.alloc(1),
    headers: { 'content-type': 'image/jpeg', 'upload-offset': '0' },
  })
  expect(await readError(asOther)).toMatchObject({ status: 415, message: expect.stringContaining('64 kB') })
  expect((await danny.piece(id, 0, Buffer.alloc(10))).status).toBe(200)
})

test('bytes that aren’t those announced begin anew once, and are then refused', async () => {
  const photo = await photoOf()
  const { id } = await announced('photo', photo)
  const wrong = Buffer.from(photo).fill(0, 200, 300)
  const first = await danny.piece(id, 0, wrong)
  expect((await first.json()).error).toMatchObject({
    code: 'conflict',
    versions: { current: { received: 0, state: 'coming' } },
  })
  expect(await sendFile(danny.call, { id }, photo)).toMatchObject({ state: 'ready' })
  const other = await announced('photo', photo)
  await danny.piece(other.id, 0, wrong)
  expect((await (await danny.piece(other.id, 0, wrong)).json()).file).toMatchObject({ state: 'refused' })
})

test('only the member and the owners reach a file, and nobody else sends its pieces', async () => {
  const photo = await photoOf()
  const { id } = await announced('photo', photo)
  const other = world.signIn(world.addMember())
  expect((await sendPiece(other, { id, offset: 0, content: photo })).status).toBe(404)
  await sendFile(danny.call, { id }, photo)
  for (const path of [`/api/members/question-files/${id}`, `/api/members/question-files/${id}/content`]) {
    expect((await other(path)).status).toBe(404)
    expect((await world.call(path)).status).toBe(401)
  }
})

test('a file that ends in the middle of nothing is on its way for a week, then missing, and is still taken', async () => {
  const photo = await photoOf()
  const { id } = await announced('photo', photo)
  await danny.piece(id, 0, photo.subarray(0, 500))
  const state = async () => (await danny.list()).questions[0]?.messages[0]?.files[0]?.state
  expect(await state()).toBe('coming')
  world.forward(7 * dayMs + 3_600_000)
  danny = asker(world, danny.person)
  expect(await state()).toBe('missing')
  expect((await (await danny.piece(id, 500, photo.subarray(500))).json()).file.state).toBe('ready')
  expect(await state()).toBe('ready')
})

test('what a stopped server left unread is read by the job', async () => {
  const photo = await photoOf()
  const { id } = await announced('photo', photo)
  world.ctx.sqlite
    .prepare('insert into question_file_pieces (fileId, "offset", content) values (?, 0, ?)')
    .run(id, photo)
  world.ctx.sqlite.prepare('update question_files set received = bytes where id = ?').run(id)
  expect((await danny.list()).questions[0]?.messages[0]?.files[0]?.state).toBe('coming')
  await runJob(world.ctx, 'question-files')
  expect((await danny.list()).questions[0]?.messages[0]?.files[0]?.state).toBe('ready')
})

/** Ends this test's decoders as soon as they're there, until it's stopped. */
function endDecoders(): () => void {
  const timer = setInterval(() => {
    const running = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).stdout
    for (const line of running.split('\n'))
      if (line.includes('pictures/decoder')) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  }, 5)
  return () => clearInterval(timer)
}

test('a photo whose decoder was ended is read another time, and not refused', { tags: ['full'] }, async () => {
  const photo = await photoOf(6000, 4000, 'png')
  const stop = endDecoders()
  const file = await danny.send('photo', photo)
  stop()
  expect(file).toMatchObject({ state: 'coming', refusal: null, received: photo.length })
  await runJob(world.ctx, 'question-files')
  const state = await (await danny.call(`/api/members/question-files/${file.id}`)).json()
  expect(state.file).toMatchObject({ state: 'ready', refusal: null })
})

test('a part of a file is sent to who asks for it, and nothing to who has it', async () => {
  const voice = mp4Of(5)
  const file = await danny.send('voice', voice)
  const address = `/api/members/question-files/${file.id}/content`
  const part = await danny.call(address, { headers: { range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${voice.length}`])
  expect((await bytesOf(part)).equals(voice.subarray(10, 20))).toBe(true)
  expect((await danny.call(address, { headers: { range: `bytes=${voice.length}-` } })).status).toBe(416)
  const etag = (await danny.file(file)).headers.get('etag') ?? ''
  expect((await danny.call(address, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await danny.file(file, 'aac')).status).toBe(404)
})

test('a member’s files are bounded by the day, and a phone hears when to try again', async () => {
  const filesOf = () =>
    Array.from({ length: 3 }, () => announcementOf(world.ctx.newId(), 'photo', Buffer.from('photo')))
  const { id } = await danny.ask()
  for (let message = 0; message < 100; message += 1) await danny.add(id, { files: filesOf() })
  const message = { id: world.ctx.newId(), at: world.ctx.now().toISOString(), text: '', files: filesOf() }
  const refused = await danny.post(`/${id}/messages`, message)
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
})
