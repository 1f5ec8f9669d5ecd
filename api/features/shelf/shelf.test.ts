import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import type { Shelf } from '#shared/contract/shelf.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-shelf-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const ownerAccount = world.addOwner()
const owner = world.signIn(ownerAccount)

/** As much of a film as the store looks at. */
const filmBytes = (title: string) =>
  Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2'), Buffer.from(title)])

async function addVideo(title: string, tierAccess = ['lite', 'standard', 'xl'], isPublished = true) {
  const content = filmBytes(title)
  const { id: fileId } = await storeMedia(world.ctx, new Blob([content]), { name: `${title}.mp4`, isPublic: false })
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess, isPublished }
  const { id, version } = await (await owner('/api/admin/videos', { body: video })).json()
  await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { filmFiles: [fileId], version } })
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { id, film: { address: `/api/media/${fileId}.mp4`, format: 'mp4', bytes: content.length, sha256 } }
}

const [pricing, quoting, hidden] = [
  await addVideo('Pricing'),
  await addVideo('Quoting', ['xl']),
  await addVideo('Later', ['xl'], false),
]
const hosted = { title: 'Hosted', videoType: 'wistia', videoId: 'abc123def5', category: 'Money' }
await owner('/api/admin/videos', { body: hosted })

const shelfOf = async (call: typeof owner): Promise<Shelf> => (await call('/api/shelf')).json()
const keep = (call: typeof owner, ...videoIds: string[]) =>
  call('/api/shelf/kept', { method: 'PUT', body: { videoIds } })
const onShelf = ({ id, film }: typeof pricing, isPreparing = false) => ({
  ...{ videoId: id, isPreparing, film, light: null, sound: null },
})

test('a phone is offered the films its member may watch, and told which the server still reads', async () => {
  const lite = world.signIn(world.addMember({ tier: 'lite' }))
  expect(await shelfOf(lite)).toEqual({ lessons: [onShelf(pricing)], kept: [] })
  const xl = world.signIn(world.addMember({ tier: 'xl' }))
  expect(await shelfOf(xl)).toEqual({ lessons: [onShelf(pricing), onShelf(quoting)], kept: [] })
  world.ctx.sqlite.prepare('delete from media_pieces where file = ?').run(quoting.film.sha256)
  expect(await shelfOf(xl)).toEqual({ lessons: [onShelf(pricing), onShelf(quoting, true)], kept: [] })
  expect((await world.call('/api/shelf')).status).toBe(401)
})

test('the server remembers what each phone keeps, until its login ends', async () => {
  const person = world.addMember({ tier: 'lite' })
  const [phone, tablet] = [world.signIn(person), world.signIn(person)]
  const nonsense = world.ctx.newId()
  const told = await keep(phone, pricing.id, quoting.id, hidden.id, nonsense, pricing.id)
  expect(await told.json()).toEqual({ videoIds: [pricing.id] })
  expect(await (await keep(phone, pricing.id)).json()).toEqual({ videoIds: [pricing.id] })
  expect([(await shelfOf(phone)).kept, (await shelfOf(tablet)).kept]).toEqual([[pricing.id], []])

  const rows = () => world.ctx.sqlite.prepare('select count(*) from kept_videos').pluck().get()
  await keep(tablet, pricing.id)
  expect(rows()).toBe(2)
  expect(await (await keep(tablet)).json()).toEqual({ videoIds: [] })
  expect(rows()).toBe(1)
  await phone('/api/auth/logout', { method: 'POST' })
  expect(rows()).toBe(0)
})

test('an owner viewing as a member is offered nothing and keeps nothing', async () => {
  const member = world.addMember({ tier: 'lite' })
  const browser = world.signIn(ownerAccount)
  await browser(`/api/admin/impersonate/${member.id}`, { method: 'POST' })
  expect(await shelfOf(browser)).toEqual({ lessons: [], kept: [] })
  const refused = await keep(browser, pricing.id)
  expect([refused.status, (await readError(refused)).message]).toEqual([
    403,
    'You’re viewing as a member, so you can’t change anything. Stop viewing first.',
  ])
})
