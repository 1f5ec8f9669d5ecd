import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mediaFile } from '#api/features/media/store-service.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { webmOf } from '#api/testing/question-files.ts'
import { asker } from '#api/testing/questions.ts'
import { fillEverything as fill, jsonOf as json } from '#cli/testing/everything.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let full: DataFolder
let empty: DataFolder
let folder: string
beforeEach(() => {
  full = openDataFolder()
  empty = openDataFolder()
  folder = mkdtempSync(join(tmpdir(), 'alliance-everything-'))
})
afterEach(() => {
  full.close()
  empty.close()
  rmSync(folder, { recursive: true })
})

const money = /\/(tiers|customers|subscriptions|invoices|credit-notes|commission|upsells)\./

test('everything goes into one ZIP, and what isn’t money comes back equal', async () => {
  await fill(full)
  const [first, again] = [join(folder, 'first.zip'), join(folder, 'again.zip')]
  expect(await full.local(`export all ${first}`)).toMatchObject({
    code: 0,
    err: expect.stringContaining('has everything'),
  })
  const files = unzipSync(await Bun.file(first).bytes())
  expect(Object.keys(files)).toContain('README.md')
  const done = await empty.local(`import all ${first} --yes`)
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(await empty.local(`export all ${again}`)).toMatchObject({ code: 0 })
  const back = unzipSync(await Bun.file(again).bytes())
  const names = Object.keys(files).filter(
    (name) => /^(json|csv|media|question-files)\//.test(name) && !money.test(name),
  )
  const bare = (all: typeof files) => names.map((name) => [name, strFromU8(all[name] ?? new Uint8Array())])
  expect(bare(back)).toEqual(bare(files))
  const rowsIn = (name: string) => JSON.parse(strFromU8(files[name] ?? new Uint8Array())).length
  const filled = [
    ...['people', 'progress', 'positions'],
    ...['photos', 'notes', 'mail-agreed', 'mail-refused', 'mail-refused-before', 'mail-blocked'],
    ...['videos', 'posts', 'post-addresses', 'old-addresses', 'episodes'],
    ...['questions', 'question-messages', 'question-files', 'published-questions', 'useful-questions', 'saved-replies'],
    ...['video-texts', 'video-files', 'video-downloads', 'media', 'words', 'settings'],
  ]
  expect(Object.keys(files).filter((name) => name.startsWith('question-files/'))).toHaveLength(1)
  expect(filled.map((name) => rowsIn(`json/${name}.json`))).toEqual(filled.map((name) => (name === 'media' ? 3 : 1)))
})

test('a file that’s gone from the server is named, and everything else comes out', async () => {
  await fill(full)
  for (const { sha256 } of rowsOf(full.world, 'media')) rmSync(mediaFile(full.world.ctx, { sha256: String(sha256) }))
  const file = join(folder, 'rest.zip')
  expect(await full.local(`export all ${file}`)).toMatchObject({
    code: 0,
    err: expect.stringContaining('can’t find them on the server: film.mp4, sheet.docx, one.m4a.'),
  })
  const files = unzipSync(await Bun.file(file).bytes())
  const media = JSON.parse(strFromU8(files['json/media.json'] ?? new Uint8Array()))
  expect(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))).toMatchObject({
    missing: media.map(({ id, format }: { id: string; format: string }) => `media/${id}.${format}`),
  })
  expect(readdirSync(join(full.dataDir, 'media/incoming'))).toEqual([])
})

test('progress follows a video that’s here under another id, and one that’s nowhere is named', {
  tags: ['full'],
}, async () => {
  await fill(full)
  const owner = empty.world.signIn(empty.world.addOwner())
  const bare = { title: 'One', category: 'Money', videoType: 'wistia', videoId: 'abcde12345', notes: 'Their own.' }
  const { id } = await json(owner('/api/admin/videos', { body: bare }))
  // Its address has changed since, so only title and category tell.
  empty.world.ctx.sqlite.exec(`update member_videos set slug = 'number-one'`)
  const [file, odd] = [join(folder, 'first.zip'), join(folder, 'odd.zip')]
  await full.local(`export all ${file}`)
  for (const added of [1, 0]) {
    const done = await empty.local(`import all ${file} --yes --json`)
    const { taken } = JSON.parse(done.out)
    const of = (name: string) => taken.find((one: { file: string }) => one.file === name)
    expect([done.code, of('progress').added, of('positions').added]).toEqual([0, added, added])
    expect(taken.map(({ refused }: { refused: number }) => refused)).toEqual(taken.map(() => 0))
  }
  expect(rowsOf(empty.world, 'video_progress')).toMatchObject([{ videoId: id, completed: 1 }])
  expect(rowsOf(empty.world, 'video_texts')).toMatchObject([{ videoId: id, notes: 'Their own.' }])
  const files = unzipSync(await Bun.file(file).bytes())
  const nowhere = { ...files, 'json/videos.json': new TextEncoder().encode('[]') }
  writeFileSync(odd, zipSync(nowhere))
  empty.world.ctx.sqlite.exec('delete from member_videos')
  const video = JSON.parse(strFromU8(files['json/videos.json'] ?? new Uint8Array()))[0]
  expect(await empty.local(`import all ${odd} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Not imported: progress: The video “${video.id}” isn’t here.`),
  })
})

test('a ZIP of something else is refused, and what’s here stays as it is', { tags: ['full'] }, async () => {
  await fill(full)
  await fill(empty)
  const [file, other] = [join(folder, 'first.zip'), join(folder, 'other.zip')]
  await full.local(`export all ${file}`)
  const done = await empty.local(`import all ${file} --yes --json`)
  const { taken } = JSON.parse(done.out)
  const of = (name: string) => taken.find((one: { file: string }) => one.file === name)
  expect([of('people'), of('media')]).toMatchObject([
    { added: 0, there: 1 },
    { added: 0, there: 3 },
  ])
  expect(rowsOf(empty.world, 'users').filter(({ email }) => email === 'sam@alliance.test')).toHaveLength(1)
  writeFileSync(other, zipSync({ 'a.txt': new Uint8Array([1]) }))
  expect(await empty.local(`import all ${other} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('wasn’t made by “alliance export all”'),
  })
  const files = unzipSync(await Bun.file(file).bytes())
  writeFileSync(other, zipSync({ ...files, 'json/people.json': strToU8('{"a":1}') }))
  expect(await empty.local(`import all ${other} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('json/people.json in this ZIP isn’t a list of rows.'),
  })
})

test('the download needs the ticket its owner was just given', async () => {
  const { world } = full
  const [owner, other] = [world.signIn(world.addOwner()), world.signIn(world.addUser({ isAdmin: true }))]
  world.addMember()
  const { ticket, people } = await json(owner('/api/admin/exports/all', { method: 'POST' }))
  expect(people).toBe(1)
  const get = (call: typeof owner, given: string) =>
    call(`/api/admin/exports/all.zip?${new URLSearchParams({ ticket: given })}`)
  const refused = await Promise.all([get(other, ticket), get(owner, `${ticket}x`), get(owner, '9999999999999.x')])
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await get(owner, ticket)).status).toBe(200)
  expect(rowsOf(world, 'audit_entries').map(({ action }) => action)).toEqual(['backup.exported'])
  world.forward(10 * 60_000)
  expect((await get(owner, ticket)).status).toBe(403)
})

test('a voice note comes along, and is heard on the other site', { tags: ['full'] }, async () => {
  const spoken = Buffer.from(webmOf(3))
  const { id } = await asker(full.world, full.world.addMember()).send('voice', spoken)
  const file = join(folder, 'voice.zip')
  expect(await full.local(`export all ${file}`)).toMatchObject({ code: 0 })
  expect(await empty.local(`import all ${file} --yes`)).toMatchObject({ code: 0, err: '' })
  const owner = empty.world.signIn(empty.world.addOwner())
  const response = await owner(`/api/admin/question-files/${id}/content?form=served`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/webm; codecs=opus'])
  expect(Buffer.from(await response.arrayBuffer())).toEqual(spoken)
})
