// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import { ownPhotoPath, photoType } from '#shared/contract/photo.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-photographs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const owner = world.signIn(world.addOwner())

/** Someone in a red coat, in a sideways picture that contains its location. */
const photograph = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#aa2211' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitude: '53/1 47/1 0/1', GPSLatitudeRef: 'N' } })
    .toBuffer()

const add = async (content: Buffer | string, name = 'dave.jpg') =>
  owner('/api/admin/media', { body: { name, content: Buffer.from(content).toString('base64') } })

async function metadataAt(path: string) {
  const response = await world.call(path)
  return { status: response.status, ...(await sharp(await response.arrayBuffer()).metadata()) }
}

test('a photograph is stored upright, without where it was taken, and served in the sizes of its places', async () => {
  const original = await photograph()
  expect((await sharp(original).metadata()).exif).toBeDefined()
  const { address, id } = await (await add(original)).json()
  expect(await metadataAt(address)).toMatchObject({ status: 200, format: 'jpeg', width: 480, height: 640 })
  expect((await metadataAt(address)).exif).toBeUndefined()
  for (const [format, found] of [
    ['avif', 'heif'],
    ['webp', 'webp'],
  ]) {
    const sized = await metadataAt(`/photographs/${id}-480x360.${format}`)
    expect(sized).toMatchObject({ status: 200, format: found, width: 480, height: 360 })
  }
  for (const odd of ['481x360', '480x361', '99999x99999']) {
    expect((await world.call(`/photographs/${id}-${odd}.avif`)).status).toBe(404)
  }
  const [recorded] = world.ctx.sqlite.prepare('select action from audit_entries order by id desc').pluck().all()
  expect(recorded).toBe('media.added')
})

test('a picture of many megabytes is taken as a small one is, and one that is no base64 is refused at any size', async () => {
  const large = Buffer.concat([await photograph(), Buffer.alloc(12_000_000)])
  expect(await (await add(large)).json()).toMatchObject({ format: 'jpg' })
  for (const content of ['QUJ', 'QQ==QQ==', 'QUJD!!!!', `${'QUJD'.repeat(3_000_000)}!!!!`, 'QUJD\n']) {
    const refused = await readError(await owner('/api/admin/media', { body: { name: 'a.jpg', content } }))
    expect(refused).toMatchObject({ code: 'invalid', fields: { content: 'This must be base64.' } })
  }
})

test('a logo drawn as SVG is stored as pixels; what is no picture is refused', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40H0z"/></svg>'
  const { format } = await (await add(svg, 'logo.svg')).json()
  expect(format).toBe('png')
  expect((await readError(await add('<script>alert(1)</script>'))).code).toBe('unsupported_media_type')
})

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1500">${inside}</svg>`

/** Takes minutes of a core, in some two hundred bytes. */
const slow = `<filter id="a"><feTurbulence baseFrequency=".1" numOctaves="9"/><feMorphology operator="dilate" radius="90"/>
  <feGaussianBlur stdDeviation="90"/></filter><path filter="url(#a)" d="M0 0h1500v1500H0z"/>`

test('a member’s photo waits for one picture of somebody else’s at most, and what its sender has left isn’t drawn', async () => {
  const server = Bun.serve({ port: 0, fetch: world.handle })
  const send = (cookie: string, path: string, init: RequestInit) =>
    fetch(new URL(path, server.url), { ...init, headers: { cookie, ...init.headers } })
  const sendSlow = (signal: AbortSignal) =>
    Array.from({ length: 10 }, (_, at) => {
      const body = JSON.stringify({ name: 'slow.svg', content: Buffer.from(svg(slow + at)).toString('base64') })
      return send(owner.cookie, '/api/admin/media', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal,
      }).then(({ status }) => refused.push(status))
    })
  const refused: number[] = []
  const photo = new Uint8Array(await photograph())
  const sendPhoto = async (cookie: string) =>
    (await send(cookie, ownPhotoPath, { method: 'PUT', headers: { 'content-type': photoType }, body: photo })).status
  try {
    const tab = new AbortController()
    const sent = Promise.allSettled(sendSlow(tab.signal))
    // The first is refused once it has had its five seconds. By then all of them wait.
    await expect.poll(() => refused, { timeout: 60_000 }).toEqual([413])
    expect(await sendPhoto(world.signIn(world.addMember()).cookie)).toBe(200)
    expect(refused.length).toBeLessThanOrEqual(2)
    tab.abort()
    await sent
    // The owner's own photo stands in the owner's line, behind what's no longer wanted.
    const began = performance.now()
    expect(await sendPhoto(owner.cookie)).toBe(200)
    expect(performance.now() - began).toBeLessThan(20_000)
  } finally {
    await server.stop(true)
  }
})

test('a drawing that takes too long or too much memory is refused at its field, and logins go on meanwhile', async () => {
  const email = 'pat@example.com'
  world.addMember({ email })
  let isRefused = false
  const refusal = add(svg(slow), 'slow.svg').then(async (response) => {
    isRefused = true
    return readError(response)
  })
  const login = await world.call('/api/auth/login', { body: { email, password: 'wrong-password' } })
  expect([login.status, isRefused]).toEqual([401, false])
  const tooSlow = expect.stringContaining('We couldn’t draw that picture in 5 seconds.')
  expect(await refusal).toMatchObject({ status: 413, message: tooSlow, fields: { content: tooSlow } })

  // Sixty full surfaces, all in memory until they're merged.
  const parts = Array.from({ length: 60 }, (_, at) => `f${at}`)
  const large = `<filter id="a">${parts.map((name) => `<feFlood result="${name}"/>`).join('')}<feMerge>
    ${parts.map((name) => `<feMergeNode in="${name}"/>`).join('')}</feMerge></filter><path filter="url(#a)" d="M0 0h1500v1500H0z"/>`
  const tooLarge = expect.stringContaining('We couldn’t draw that picture with 512 MB of memory.')
  expect(await readError(await add(svg(large), 'large.svg'))).toMatchObject({
    status: 413,
    fields: { content: tooLarge },
  })
})

test('a logo with the shadows that design tools draw is taken', async () => {
  const shadow = `<filter id="a"><feDropShadow dx="8" dy="8" stdDeviation="12"/></filter>
    <filter id="b"><feGaussianBlur stdDeviation="40"/></filter>
    <circle cx="750" cy="750" r="600" filter="url(#a)"/><circle cx="750" cy="750" r="300" fill="red" filter="url(#b)"/>`
  const { address, format } = await (await add(svg(shadow), 'logo.svg')).json()
  expect(format).toBe('png')
  expect(await metadataAt(address)).toMatchObject({ width: 1600, height: 1600 })
})

/** The header of a 900-megapixel TIFF, with its tags and their values. */
function hugeTiff(): Buffer {
  const [side, tags] = [30_000, Buffer.alloc(2 + 9 * 12 + 4)]
  tags.writeUInt16LE(9, 0)
  const values = { 256: side, 257: side, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: side, 279: side * side }
  Object.entries(values).forEach(([tag, value], at) => {
    tags.writeUInt16LE(Number(tag), 2 + at * 12)
    tags.writeUInt16LE(4, 4 + at * 12)
    tags.writeUInt32LE(1, 6 + at * 12)
    tags.writeUInt32LE(value, 10 + at * 12)
  })
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), tags])
}

test('a picture of a kind that is not stored is not even opened to see how large it is', async () => {
  await expect(sharp(hugeTiff(), { limitInputPixels: 50_000_000 }).metadata()).rejects.toThrow('exceeds pixel limit')
  expect((await readError(await add(hugeTiff(), 'huge.tiff'))).code).toBe('unsupported_media_type')
})

test('a coach’s photograph stands in the content with its alt text, and cannot be removed while it does', async () => {
  const { address, id } = await (
    await add(
      await sharp(await photograph())
        .png()
        .toBuffer(),
      'dave.png',
    )
  ).json()
  const { value, version } = await (await owner('/api/admin/content/site')).json()
  const [first, ...others] = value.coaches
  const put = (coach: object) =>
    owner('/api/admin/content/site', { method: 'PUT', body: { version, entry: 'coaches', value: [coach, ...others] } })
  const refused = await readError(
    await put({ ...first, photograph: { image: 'https://elsewhere.example/a.jpg', alt: '' } }),
  )
  expect(refused.fields).toMatchObject({
    'coaches.0.photograph.image': expect.stringContaining('alliance media add'),
    'coaches.0.photograph.alt': 'must not be empty',
  })
  expect((await put({ ...first, photograph: { image: address, alt: 'Dave beside his van' } })).status).toBe(200)
  expect(contentOf(world.ctx).read().site.coaches[0]?.photograph?.alt).toBe('Dave beside his van')
  const removal = await readError(await owner(`/api/admin/media/${id}`, { method: 'DELETE' }))
  expect(removal.message).toMatch(/^This file is used in the whole site’s content/)
})

test('an owners’ logo is in the icons and has no shape of its own there; at the top of the pages it keeps its shape', async () => {
  const logo = await sharp({ create: { width: 60, height: 30, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer()
  const { address } = await (await add(logo, 'logo.png')).json()
  const { version } = await (await owner('/api/admin/content/site')).json()
  const body = { version, entry: 'brand.logo', value: address }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
  const icon = sharp(await (await world.call('/icons/icon-192.png')).arrayBuffer())
  const { data } = await icon
    .extract({ left: 96, top: 96, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([...data.subarray(0, 3)]).toEqual([0, 0, 255])
  const top = await (await world.call('/icons/logo.svg')).arrayBuffer()
  expect(await sharp(top).metadata()).toMatchObject({ width: 320, height: 160 })
  const manifest = await (await world.call('/manifest.webmanifest')).text()
  expect(manifest).not.toContain('monochrome')
})

test('photographs for visitors do not wait for the photos that members send', async () => {
  const { id } = await (await add(await photograph())).json()
  const made = `/photographs/${id}-960x720.webp`
  expect((await world.call(made)).status).toBe(200)
  const content = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: '#aa2211' } })
    .png()
    .toBuffer()
  let waiting = 8
  const sent = Array.from({ length: waiting }, async () => {
    const headers = { cookie: world.signIn(world.addMember()).cookie, 'content-type': photoType }
    const body = new Uint8Array(content)
    const { status } = await world.handle(
      new Request(`http://localhost${ownPhotoPath}`, { method: 'PUT', headers, body }),
    )
    waiting -= 1
    return status
  })
  await Promise.race(sent)
  for (const path of [made, `/photographs/${id}-480x360.webp`])
    expect([path, (await world.call(path)).status, waiting > 0]).toEqual([path, 200, true])
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
})
