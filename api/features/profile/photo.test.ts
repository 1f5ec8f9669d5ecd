import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { maxPhotoBytes, ownPhotoPath, photoType } from '#shared/contract/photo.ts'

let world: World
let danny: TestPerson
let call: Call
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world)
  call = world.signIn(danny)
})

/** A sideways picture that contains its location. */
const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg', colour = '#aa2211') =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: colour } })
    .toFormat(format)
    .withExifMerge({ IFD0: { Artist: 'Danny' }, IFD3: { GPSLatitude: '53/1 47/1 0/1', GPSLatitudeRef: 'N' } })
    .toBuffer()

const put = (body: Uint8Array, cookie = world.signIn(danny).cookie) =>
  world.handle(
    new Request(`http://localhost${ownPhotoPath}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': photoType },
      body: new Uint8Array(body),
    }),
  )
const add = async (body?: Uint8Array): Promise<string> =>
  (await (await put(body ?? (await picture()))).json()).profileImageUrl
const userOf = async (by: Call) => (await by('/api/auth/user')).json()

test.for(['jpeg', 'png', 'webp'] as const)(
  'a %s becomes a small square, without where it was taken',
  async (format) => {
    const original = await picture(format)
    expect((await sharp(original).metadata()).exif).toBeDefined()
    const address = await add(original)
    const response = await call(address)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const stored = Buffer.from(await response.arrayBuffer())
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect([(await sharp(stored).metadata()).exif, stored.length < 20_000]).toEqual([undefined, true])
    expect(await userOf(call)).toMatchObject({ profileImageUrl: address })
  },
)

test('what is none of the three kinds is not even opened to see how large it is', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><path d="M0 0h9v9H0z"/></svg>'
  expect(await readError(await put(Buffer.from(drawing)))).toMatchObject({ code: 'unsupported_media_type' })
})

test('only the member and owners see a photo; owners find it beside the name and the call', async () => {
  const address = await add()
  const other = world.signIn(world.addMember())
  const owner = world.signIn(world.addOwner())
  expect([(await world.call(address)).status, (await other(address)).status]).toEqual([401, 404])
  const { photo } = await (await owner(`/api/admin/member/${danny.id}`)).json()
  expect([photo, (await owner(photo)).status]).toEqual([address.replace('/api/', '/api/admin/'), 200])
  expect((await other(photo)).status).toBe(403)
  expect(await (await owner(`/api/admin/member/${(await userOf(other)).id}`)).json()).toMatchObject({ photo: null })
})

test('another photo has another address, and the one before is gone; each change is recorded', async () => {
  const first = await add()
  const second = await add(await picture('png', '#00ff00'))
  expect([first === second, (await call(first)).status, countRows(world, 'member_photos')]).toEqual([false, 404, 1])
  const remove = () => call('/api/user/photo', { method: 'DELETE' })
  expect(await (await remove()).json()).toEqual({ profileImageUrl: null })
  expect(await (await remove()).json()).toEqual({ profileImageUrl: null })
  expect([(await call(second)).status, (await userOf(call)).profileImageUrl]).toEqual([404, null])
  const recorded = world.ctx.sqlite
    .prepare(`select detail from audit_entries where action = 'member.profile_changed'`)
    .pluck()
    .all()
  expect(recorded).toEqual(Array(3).fill(JSON.stringify({ fields: ['photo'] })))
})

test('an owner takes away the photo that they have seen, and no other; the member reads who did it', async () => {
  const other = world.signIn(world.addMember())
  const owner = world.signIn(world.addOwner())
  const idOf = (address: string) => address.split('/').at(-1)
  const first = await add()
  const remove = (by: Call, address: string, member = danny.id) =>
    by(`/api/admin/members/${member}/photos/${idOf(address)}`, { method: 'DELETE' })
  expect([(await remove(call, first)).status, (await remove(owner, first, 'nobody')).status]).toEqual([403, 404])
  const second = await add(await picture('png', '#00ff00'))
  const seen = { profileImageUrl: second.replace('/api/', '/api/admin/') }
  expect(await (await remove(owner, first)).json()).toEqual(seen)
  const { id: stranger } = await userOf(other)
  expect(await (await remove(owner, second, stranger)).json()).toEqual({ profileImageUrl: null })
  expect((await call(second)).status).toBe(200)
  for (const _ of ['once', 'twice'])
    expect(await (await remove(owner, second)).json()).toEqual({ profileImageUrl: null })
  expect([(await call(second)).status, (await userOf(call)).profileImageUrl]).toEqual([404, null])
  const told = (await (await call('/api/user/activity')).json()).filter(
    ({ action }: { action: string }) => action === 'member.photo_removed',
  )
  expect(told).toEqual([expect.objectContaining({ by: 'owner', name: expect.stringMatching(/./) })])
})

test('what is no picture, too large or too often is refused, and says what to do; the photo before stays', async () => {
  const address = await add()
  const unreadable = 'We can’t read this picture. Use a JPEG, PNG or WebP.'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  for (const body of [
    Buffer.from('<script>'),
    Buffer.from(svg),
    await picture('gif'),
    (await picture()).subarray(0, 40),
  ])
    expect(await readError(await put(body))).toMatchObject({ status: 415, message: unreadable })
  const huge = await readError(await put(new Uint8Array(maxPhotoBytes + 1)))
  expect(huge).toMatchObject({ status: 413, message: 'A photo can have up to 2 MB.' })
  expect(await readError(await put(new Uint8Array(0)))).toMatchObject({ message: 'This file is empty.' })
  const asJson = await call('/api/user/photo', { method: 'PUT', body: { photo: 'x' } })
  expect((await readError(asJson)).message).toBe('This file is empty.')
  expect((await userOf(call)).profileImageUrl).toBe(address)
  const tries: number[] = []
  for (let at = 0; at < 40; at++) tries.push((await put(Buffer.from('<script>'))).status)
  expect([tries[0], tries.at(-1)]).toEqual([415, 429])
})

/** A picture of one colour: a few kilobytes, and as much work as any of its size. */
const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#aa2211' } })
    .png()
    .toBuffer()

test('a photo may have as many pixels as a good camera makes, and no more', { tags: ['full'] }, async () => {
  expect((await put(await flat(6048, 4024))).status).toBe(200)
  expect(await readError(await put(await flat(7000, 4000)))).toMatchObject({
    status: 413,
    code: 'too_large',
    message: 'This picture has more than 25 million pixels. Make it smaller and upload that.',
  })
})

test('one photo of a person is taken at a time, from its first byte on, and eight in all; others are told to come again', {
  tags: ['full'],
}, async () => {
  const content = await flat(4000, 3000)
  const statusesOf = async (asked: Promise<Response>[]) => (await Promise.all(asked)).map(({ status }) => status).sort()
  expect(await statusesOf([put(content), put(content), put(content)])).toEqual([200, 503, 503])
  const cookies = Array.from({ length: 10 }, () => world.signIn(world.addMember()).cookie)
  expect(await statusesOf(cookies.map((cookie) => put(content, cookie)))).toEqual([...Array(8).fill(200), 503, 503])

  const line = new TransformStream<Uint8Array, Uint8Array>()
  const writer = line.writable.getWriter()
  const init = {
    method: 'PUT',
    headers: { cookie: world.signIn(danny).cookie, 'content-type': photoType },
    body: line.readable,
    duplex: 'half',
  }
  const slow = world.handle(new Request(`http://localhost${ownPhotoPath}`, init))
  await writer.write(new Uint8Array(content.subarray(0, 9)))
  const refused = await put(content)
  expect(await readError(refused.clone())).toMatchObject({ status: 503, code: 'busy' })
  expect(refused.headers.get('retry-after')).toBe('5')
  // A slow sender blocks no one else.
  expect((await put(content, cookies[0])).status).toBe(200)
  await writer.write(new Uint8Array(content.subarray(9)))
  await writer.close()
  expect([(await slow).status, (await put(content)).status]).toEqual([200, 200])
})

test('V8 the photo is in everything about the member, and goes with the account', async () => {
  const address = await add()
  const archive = await call('/api/user/archive', { method: 'POST' })
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()))
  const stored = Buffer.from(await (await call(address)).arrayBuffer())
  expect(Buffer.from(files['photo.webp'] ?? []).equals(stored)).toBe(true)
  expect(JSON.parse(strFromU8(files['everything.json'] ?? new Uint8Array())).photo).toHaveLength(1)
  expect((await call('/api/user/account', { method: 'DELETE', body: { isSure: true } })).status).toBe(200)
  expect([countRows(world, 'member_photos'), countRows(world, 'users', `id = '${danny.id}'`)]).toEqual([0, 0])
})

test('an owner who views as the member sees the photo, and can change nothing of it', async () => {
  const address = await add()
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.id}`, { body: { reason: 'They rang' } })
  expect((await owner(address)).status).toBe(200)
  expect((await put(await picture(), owner.cookie)).status).toBe(403)
  expect((await owner('/api/user/photo', { method: 'DELETE' })).status).toBe(403)
  expect((await call(address)).status).toBe(200)
})
