import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { videoFileOf } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import type { Shelf } from '#shared/contract/shelf.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-shelf-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const ownerAccount = world.addOwner()
const owner = world.signIn(ownerAccount)

let videoFiles = 0
async function addVideo(title: string, more: object = {}) {
  videoFiles += 1
  const { id: file, ...videoFile } = await storeFile(world, videoFileOf(2_000, videoFiles), `${title}.mp4`)
  const { id } = await addOwnVideo(owner, title, { filmFiles: [file], ...more })
  return { id, film: videoFile }
}

const pricing = await addVideo('Pricing')
const quoting = await addVideo('Quoting', { tierAccess: ['xl'] })
const hidden = await addVideo('Later', { isPublished: false })
await addOwnVideo(owner, 'Hosted')

const shelfOf = async (call: typeof owner): Promise<Shelf> => (await call('/api/shelf')).json()
const keep = (call: typeof owner, ...videoIds: string[]) =>
  call('/api/shelf/kept', { method: 'PUT', body: { videoIds } })
const onShelf = ({ id, film: videoFile }: typeof pricing, isPreparing = false) => ({
  videoId: id,
  isPreparing,
  film: videoFile,
  light: null,
  sound: null,
})

test('a phone is offered the videos its member may watch, and told which the server still reads', async () => {
  const lite = world.signIn(world.addMember({ tier: 'lite' }))
  expect(await shelfOf(lite)).toEqual({ lessons: [onShelf(pricing)], kept: [] })
  const xl = world.signIn(world.addMember({ tier: 'xl' }))
  expect(await shelfOf(xl)).toEqual({ lessons: [onShelf(pricing), onShelf(quoting)], kept: [] })
  world.ctx.sqlite.prepare('delete from media_pieces where file = ?').run(quoting.film.sha256)
  expect(await shelfOf(xl)).toEqual({ lessons: [onShelf(pricing), onShelf(quoting, true)], kept: [] })
  expect((await world.call('/api/shelf')).status).toBe(401)
})

test('the server remembers what each phone keeps until its login ends, and tells owners only how many', async () => {
  const person = world.addMember({ tier: 'lite' })
  const [phone, tablet] = [world.signIn(person), world.signIn(person)]
  const told = await keep(phone, pricing.id, quoting.id, hidden.id, world.ctx.newId(), pricing.id)
  expect(await told.json()).toEqual({ videoIds: [pricing.id] })
  expect(await (await keep(phone, pricing.id)).json()).toEqual({ videoIds: [pricing.id] })
  expect([(await shelfOf(phone)).kept, (await shelfOf(tablet)).kept]).toEqual([[pricing.id], []])

  const phones = async () => (await (await owner(`/api/admin/videos/${pricing.id}/versions`)).json()).phones
  await keep(tablet, pricing.id)
  expect(await phones()).toBe(2)
  expect(await (await keep(tablet)).json()).toEqual({ videoIds: [] })
  expect(await phones()).toBe(1)
  const archive = await phone('/api/user/archive', { method: 'POST' })
  expect(Buffer.from(await archive.arrayBuffer()).toString('latin1')).toContain('videos-kept')
  await phone('/api/auth/logout', { method: 'POST' })
  expect([await phones(), (await keep(phone, pricing.id)).status]).toEqual([0, 401])
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
