import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { contentOf } from '#api/site/content.ts'
import { attacks } from '#api/testing/attacks.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { addBoxes } from '#api/testing/media.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminEpisode } from '#shared/contract/podcast.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-podcast-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Two MP3 frames. A file, because the server doesn't know the test window's own Blob. */
function mp3() {
  const path = join(folder, 'sound.mp3')
  writeFileSync(
    path,
    Uint8Array.from({ length: 834 }, (_, at) => [0xff, 0xfb, 0x90, 0x00][at % 417] ?? 0),
  )
  return Bun.file(path)
}

let world: World
let owner: Call
let sound: string
beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder, PUBLIC_URL: 'https://alliance.example' } })
  owner = world.signIn(world.addOwner())
  sound = (await storeMedia(world.ctx, mp3(), { name: 'pricing.mp3', isPublic: true })).id
})

const at = '/api/admin/podcast'
const pricing = { title: 'Charging <what> it costs', summary: 'Add up the van & the tools.', seconds: 1470 }
const add = async (more: object = {}): Promise<AdminEpisode> =>
  (await owner(at, { body: { ...pricing, mediaId: sound, ...more } })).json()
async function pageTitles() {
  const { episodes } = await (await world.call('/api/site-content?page=podcast')).json()
  return episodes.list.map(({ title, isSample }: { title: string; isSample?: boolean }) => [title, isSample ?? false])
}
async function feed() {
  const response = await world.call('/podcast.xml')
  const text = await response.text()
  return { response, text, document: new DOMParser().parseFromString(text, 'application/xml') }
}

describe('an episode', () => {
  test('is a draft until it is published; then it takes the place of the samples; sent twice it is one', async () => {
    const key = { 'idempotency-key': world.ctx.newId() }
    const sent = { body: { ...pricing, mediaId: sound }, headers: key }
    const [one, again] = [await (await owner(at, sent)).json(), await (await owner(at, sent)).json()]
    expect([again, one.isPublished, one.publishedAt, one.version]).toEqual([one, false, null, 1])
    expect((await pageTitles()).every(([, isSample]: [string, boolean]) => isSample)).toBe(true)
    const publish = { ...pricing, mediaId: sound, isPublished: true, notes: 'More at https://example.com', version: 1 }
    const changed = await owner(`${at}/${one.id}`, { method: 'PATCH', body: publish })
    expect(await changed.json()).toMatchObject({ publishedAt: '2026-06-12T07:40:00.000Z', version: 2 })
    expect(await pageTitles()).toEqual([[pricing.title, false]])
    expect(rowsOf(world, 'audit_entries').map(({ action }) => action)).toEqual(
      expect.arrayContaining(['episode.added', 'episode.changed']),
    )
  })

  test('goes out at its time, on the page and in the feed', async () => {
    await add({ isPublished: true, publishedAt: '2026-06-13T05:00:00.000Z' })
    expect([(await pageTitles())[0]?.[1], (await feed()).document.querySelectorAll('item').length]).toEqual([true, 0])
    world.forward(86_400_000)
    expect([await pageTitles(), (await feed()).document.querySelectorAll('item').length]).toEqual([
      [[pricing.title, false]],
      1,
    ])
  })

  test('is not overwritten or removed by who has not seen the newest; its sound cannot be taken from under it', async () => {
    const { id } = await add()
    const body = { ...pricing, mediaId: sound, title: 'Mine', version: 1 }
    expect((await owner(`${at}/${id}`, { method: 'PATCH', body })).status).toBe(200)
    expect((await owner(`${at}/${id}`, { method: 'PATCH', body })).status).toBe(200)
    const late = await owner(`${at}/${id}`, { method: 'PATCH', body: { ...body, title: 'Theirs' } })
    expect([late.status, (await owner(`${at}/${id}?version=1`, { method: 'DELETE', body: {} })).status]).toEqual([
      409, 409,
    ])
    expect((await owner(`/api/admin/media/${sound}`, { method: 'DELETE', body: {} })).status).toBe(409)
    expect((await owner(`${at}/${id}?version=2`, { method: 'DELETE', body: {} })).status).toBe(200)
    expect((await owner(`/api/admin/media/${sound}`, { method: 'DELETE', body: {} })).status).toBe(200)
  })

  test('needs public sound, and says what is missing', async () => {
    const secret = await storeMedia(world.ctx, mp3(), { name: 'private.mp3', isPublic: false })
    const refused = await owner(at, { body: { ...pricing, mediaId: secret.id } })
    expect(Object.keys((await readError(refused)).fields ?? {})).toEqual(['mediaId'])
    const empty = await owner(at, { body: { title: '', summary: '', mediaId: '', seconds: 0 } })
    expect(Object.keys((await readError(empty)).fields ?? {}).sort()).toEqual([
      'mediaId',
      'seconds',
      'summary',
      'title',
    ])
  })
})

async function picture(width: number, height = width, format: 'png' | 'webp' = 'png') {
  const made = sharp({ create: { width, height, channels: 3, background: '#aa2211' } })
  const path = join(folder, 'picture')
  writeFileSync(path, await made.toFormat(format).toBuffer())
  return (await storeMedia(world.ctx, Bun.file(path), { name: `${width}x${height}.${format}`, isPublic: true })).id
}

describe('a picture of its own', () => {
  test('is in the feed where an episode has one, and cannot be taken from under it', { tags: ['full'] }, async () => {
    const pictureId = await picture(1400)
    const { id } = await add({ isPublished: true, pictureId })
    await add({ isPublished: true, title: 'Without' })
    const items = [...(await feed()).document.querySelectorAll('item')]
    const images = items.map((item) => [
      item.querySelector('title')?.textContent,
      [...item.querySelectorAll('*')].find(({ tagName }) => tagName === 'itunes:image')?.getAttribute('href') ?? null,
    ])
    expect(Object.fromEntries(images)).toEqual({
      [pricing.title]: `https://alliance.example/media/${pictureId}.png`,
      Without: null,
    })
    const removed = await owner(`/api/admin/media/${pictureId}`, { method: 'DELETE', body: {} })
    expect([removed.status, (await readError(removed)).message]).toEqual([
      409,
      expect.stringContaining(`the episode “${pricing.title}”`),
    ])
    const without = { ...pricing, mediaId: sound, isPublished: true, pictureId: null, version: 1 }
    expect(await (await owner(`${at}/${id}`, { method: 'PATCH', body: without })).json()).toMatchObject({
      pictureId: null,
    })
  })

  test('is square, as large as directories ask, and a JPEG or PNG; what is not is said at its field', {
    tags: ['full'],
  }, async () => {
    const refusedFor = async (pictureId: string) => {
      const response = await owner(at, { body: { ...pricing, mediaId: sound, pictureId } })
      return (await readError(response)).fields
    }
    expect(await refusedFor(await picture(1400, 1399))).toEqual({
      pictureId: 'A podcast’s picture has to be square, 1,400 to 3,000 pixels a side. This one has 1400 × 1399.',
    })
    for (const side of [1399, 3001])
      expect((await refusedFor(await picture(side)))?.pictureId).toContain(`${side} × ${side}`)
    for (const other of [await picture(1400, 1400, 'webp'), sound, world.ctx.newId()])
      expect(await refusedFor(other)).toEqual({ pictureId: expect.stringContaining('JPEG or PNG') })
    expect(rowsOf(world, 'podcast_episodes')).toEqual([])
  })
})

describe('/podcast.xml', () => {
  const text = (root: ParentNode, name: string) =>
    [...root.querySelectorAll('*')].filter(({ tagName }) => tagName === name).map(({ textContent }) => textContent)
  const attribute = (root: ParentNode, name: string, attr: string) =>
    [...root.querySelectorAll('*')].find(({ tagName }) => tagName === name)?.getAttribute(attr)

  test('has what Apple requires of a show, and of Podcasting 2.0 guid, locked and medium; escaped, at full addresses', async () => {
    await add({ isPublished: true, number: 3, notes: 'First\n\nSee https://example.com/a?b=1&c.' })
    const { response, text: xml, document } = await feed()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    expect(document.querySelector('parsererror')).toBeNull()
    for (const namespace of ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'https://podcastindex.org/namespace/1.0'])
      expect(xml).toContain(`="${namespace}"`)
    const channel = document.querySelector('channel') ?? document
    for (const name of ['title', 'description', 'link', 'language', 'itunes:author', 'itunes:explicit', 'podcast:guid'])
      expect([name, text(channel, name)[0]]).toEqual([name, expect.stringMatching(/\S/)])
    // As an app lists it: the show's name, without the page and site.
    expect(text(channel, 'title')[0]).toBe(contentOf(world.ctx).read().pages.podcast.show.name)
    expect(attribute(channel, 'itunes:category', 'text')).toBe('Business')
    expect(attribute(channel, 'itunes:image', 'href')).toBe('https://alliance.example/social/podcast-cover.png')
    expect([text(channel, 'podcast:medium'), text(channel, 'itunes:explicit')[0]]).toEqual([['podcast'], 'false'])
    expect(text(channel, 'podcast:guid')[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
    const [item] = document.querySelectorAll('item')
    if (!item) throw new Error('There is no episode.')
    expect([text(item, 'title'), text(item, 'description')]).toEqual([
      [pricing.title],
      [pricing.summary.replace('&', '&amp;')],
    ])
    expect(['url', 'length', 'type'].map((name) => attribute(item, 'enclosure', name))).toEqual([
      `https://alliance.example/media/${sound}.mp3`,
      '834',
      'audio/mpeg',
    ])
    expect([text(item, 'itunes:duration'), text(item, 'itunes:episode'), text(item, 'itunes:explicit')]).toEqual([
      ['1470'],
      ['3'],
      ['false'],
    ])
    expect(text(item, 'link')).toEqual([`https://alliance.example/podcast#episode-${sound}`])
    expect(text(item, 'pubDate')).toEqual(['Fri, 12 Jun 2026 07:40:00 GMT'])
    expect(text(item, 'content:encoded')).toEqual([
      '<p>First</p><p>See <a href="https://example.com/a?b=1&amp;c">https://example.com/a?b=1&amp;c</a>.</p>',
    ])
    const media = await world.call(new URL(attribute(item, 'enclosure', 'url') ?? '').pathname, {
      headers: { range: 'bytes=0-1' },
    })
    expect([media.status, media.headers.get('content-type')]).toEqual([206, 'audio/mpeg'])
  })

  test('an address that is quoted, in brackets or ends a sentence is a link without them', async () => {
    const notes = 'See <https://example.com/a>, "https://example.com/b" (https://example.com/c).'
    await add({ isPublished: true, notes })
    const html = text((await feed()).document, 'content:encoded')[0] ?? ''
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual(
      ['a', 'b', 'c'].map((end) => `https://example.com/${end}`),
    )
    const shown = new DOMParser().parseFromString(html, 'text/html').body.textContent
    expect(shown).toBe(notes)
  })

  test('what runs elsewhere is text there: no app reads an element in it but paragraphs, breaks and links', async () => {
    // Hidden characters are refused earlier.
    const typed = Object.values(attacks).filter((attack) => !/\p{Cc}/u.test(attack.replaceAll('\n', '')))
    const all = typed.join(' https://example.com/"onclick=alert(1) ')
    await add({
      isPublished: true,
      title: typed.join(' ').slice(0, 150),
      summary: all.slice(0, 600),
      notes: all.slice(0, 50_000),
    })
    const { document } = await feed()
    expect([document.querySelector('parsererror'), document.querySelectorAll('item').length]).toEqual([null, 1])
    const [item = document] = document.querySelectorAll('item')
    const summary = new DOMParser().parseFromString(text(item, 'description')[0] ?? '', 'text/html').body
    expect([summary.children.length, summary.textContent]).toEqual([0, all.slice(0, 600)])
    const html = new DOMParser().parseFromString(text(item, 'content:encoded')[0] ?? '', 'text/html')
    const elements = [...html.body.querySelectorAll('*')]
    expect([...new Set(elements.map(({ localName }) => localName))].sort()).toEqual(['a', 'br', 'p'])
    for (const element of elements)
      for (const { name, value } of element.attributes)
        expect([element.localName, name, value]).toEqual(['a', 'href', expect.stringMatching(/^https:\/\//)])
  })

  test('names M4A as Apple does; directories may ask for the head alone, and players elsewhere may load the sound', async () => {
    const videoFile = addBoxes([
      ['ftyp', 'M4A \0\0\0\0M4A mp42isom'],
      ['moov', 'one'],
      ['mdat', 'two'],
    ])
    writeFileSync(join(folder, 'sound.m4a'), videoFile)
    const m4a = Bun.file(join(folder, 'sound.m4a'))
    const { id: mediaId } = await storeMedia(world.ctx, m4a, { name: 'talk.m4a', isPublic: true })
    await add({ isPublished: true, mediaId })
    const { document } = await feed()
    expect(['type', 'length'].map((name) => attribute(document, 'enclosure', name))).toEqual([
      'audio/x-m4a',
      String(videoFile.length),
    ])
    const { pathname } = new URL(attribute(document, 'enclosure', 'url') ?? '')
    const head = await world.call(pathname, { method: 'HEAD' })
    const names = ['content-type', 'content-length', 'accept-ranges', 'cross-origin-resource-policy']
    expect([head.status, ...names.map((name) => head.headers.get(name))]).toEqual([
      ...[200, 'audio/mp4', String(videoFile.length), 'bytes', 'cross-origin'],
    ])
    expect((await world.call('/podcast.xml', { method: 'HEAD' })).status).toBe(200)
  })

  test('the show’s picture is a square PNG of the size that directories ask for', { tags: ['full'] }, async () => {
    const picture = new DataView(await (await world.call('/social/podcast-cover.png')).arrayBuffer())
    // Where a PNG gives its type, width and height.
    expect([1, 16, 20].map((at) => picture.getUint32(at))).toEqual([0x504e470d, 1400, 1400])
    // Three colours and no alpha channel, eight bits each.
    expect([picture.getUint8(24), picture.getUint8(25)]).toEqual([8, 2])
  })

  test('keeps its guid, and is whole without episodes', async () => {
    const guid = async () => text((await feed()).document, 'podcast:guid')[0]
    const before = await guid()
    await add({ isPublished: true, isExplicit: true })
    expect([await guid(), text((await feed()).document, 'itunes:explicit')]).toEqual([before, ['true', 'true']])
  })
})
