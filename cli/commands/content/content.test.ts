import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { callHours } from '#api/db/schema/calendar.ts'
import { listMedia } from '#api/features/media/library-service.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { readSettings } from '#api/settings.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { type DataFolder, openDataFolder, startServer } from '#cli/testing/server.ts'

let folder: DataFolder
let files: string
beforeEach(() => {
  folder = openDataFolder()
  files = mkdtempSync(join(tmpdir(), 'alliance-copy-'))
})
afterEach(() => {
  folder.close()
  rmSync(files, { recursive: true })
})

/** As an owner does in the browser. */
async function put(path: string, body: object, { world }: { world: DataFolder['world'] } = folder): Promise<void> {
  const owner = world.signIn(world.addOwner())
  expect((await owner(`/api/admin/${path}`, { method: 'PUT', body: { version: 0, ...body } })).status).toBe(200)
}

const title = { entry: 'title', value: 'Who we are' }
const windows = [{ opens: '09:00', closes: '12:00' }]
const mondayHours = { coach: 'coach-1', kind: 'sales', weekday: 'mon', windows }

const about = () => contentOf(folder.world.ctx).read().pages.about
const live = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://a.example',
  PORT: '0',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

test('what was made in the sandbox is carried to a fresh folder with a live key, without starting a server', {
  tags: ['full'],
}, async () => {
  const owner = folder.world.signIn(folder.world.addOwner())
  const video = { title: 'One', category: 'Money', videoType: 'youtube', videoId: 'aqz-KE-bpKQ' }
  const texts = { notes: 'Do it on Monday.', transcript: 'Words.', captions: null }
  await owner('/api/admin/videos', { body: { ...video, ...texts } })
  await owner('/api/admin/blog', { body: { title: 'A post', slug: 'a-post', content: '<p>Words</p>' } })
  await put('calendar/hours', mondayHours)
  insertRow(folder.world.ctx, callHours, {
    id: folder.world.ctx.newId(),
    coach: 'coach-2',
    kind: 'sales',
    weekday: 'tue',
    version: 0,
    windows: [{ opens: '10:00', closes: '11:00' }],
    updatedAt: folder.world.ctx.now().toISOString(),
  })
  await folder.local('settings set FACEBOOK_URL https://facebook.example/bench')
  await folder.local('tiers set lite --name Bench-Lite --feature One --feature Two')
  await put('content/about', title)
  expect((await folder.local(`content export ${files}/site.json`)).code).toBe(0)

  const dataDir = join(files, 'live')
  const env = { ...live, DATA_DIR: dataDir, INSTAGRAM_URL: 'https://instagram.example/locked' }
  const run = (...argv: string[]) => runCommand(argv, { env })
  // As a refused first start leaves it.
  openContext(readSettings(env)).sqlite.close()
  const imported = await run('content', 'import', `${files}/site.json`, '--yes')
  expect(imported).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/Videos +1\nCategories +0\nPosts +1\nEpisodes +0\nHours +1\n/),
  })
  const { overrides } = JSON.parse((await run('api', '/api/admin/content/about')).out)
  expect(overrides).toMatchObject([title])
  const settings: { name: string }[] = JSON.parse((await run('settings', 'list', '--json')).out)
  expect(settings.find(({ name }) => name === 'FACEBOOK_URL')).toMatchObject({ source: 'database' })
  const [lite] = JSON.parse((await run('tiers', 'list', '--json')).out)
  expect(lite).toMatchObject({ slug: 'lite', name: 'Bench-Lite', features: ['One', 'Two'] })
  // Hours no owner set aren't copied.
  const { hours } = JSON.parse((await run('api', '/api/admin/calendar')).out)
  expect(hours).toEqual([{ ...mondayHours, version: 1 }])
  // Importing twice changes nothing.
  expect((await run('content', 'import', `${files}/site.json`, '--yes')).code).toBe(0)
  await run('content', 'export', `${files}/again.json`)
  const [first, again] = ['site', 'again'].map((name) => JSON.parse(readFileSync(`${files}/${name}.json`, 'utf8')))
  expect(again.videos).toMatchObject([{ reading: texts }])
  expect({ ...again, madeAt: '', settings: {} }).toEqual({ ...first, madeAt: '', settings: {} })
  expect((await run('settings', 'set', 'INSTAGRAM_URL', 'https://x.example')).err).toContain('environment')
})

test('an import is planned first; a plan is applied to the site that it was made for, and no other', {
  tags: ['full'],
}, async () => {
  const before = about().title
  await put('content/about', title)
  await folder.local(`content export ${files}/site.json`)
  const shown = await folder.local(`content import ${files}/site.json --dry-run`)
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/Words +1, 1 over what is there/) })
  await put('content/about', { version: 1, entry: 'title', value: before })
  const planned = async () => {
    const { out } = await folder.local(`content import ${files}/site.json --dry-run --json`)
    writeFileSync(join(files, 'plan.json'), out)
    return `apply ${files}/plan.json --yes`
  }
  const stale = await planned()
  await put('calendar/hours', mondayHours)
  expect((await folder.local(stale)).err).toMatch(/has changed since this plan was made/)
  expect(about().title).toBe(before)
  expect(await folder.local(await planned())).toMatchObject({ code: 0 })
  expect(about().title).toBe('Who we are')
})

test('a copy carries the files that it names, and a site that has the same bytes names its own', {
  tags: ['full'],
}, async () => {
  const { ctx } = folder.world
  const videoFile = new Blob([Uint8Array.from([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isomiso2', 'our own film'])
  const stored = await storeMedia(ctx, videoFile, { name: 'lesson.mp4', isPublic: false })
  const talk = await storeMedia(ctx, videoFile, { name: 'talk.mp4', isPublic: true })
  const unused = await storeMedia(ctx, new Blob([videoFile, 'unused']), { name: 'unused.mp4', isPublic: true })
  const owner = folder.world.signIn(folder.world.addOwner())
  const video = { title: 'One', category: 'Money', videoType: 'youtube', videoId: 'aqz-KE-bpKQ' }
  const handoutFiles = [{ file: stored.id, title: 'To take along' }]
  await owner('/api/admin/videos', { body: { ...video, filmFiles: [stored.id], handoutFiles } })
  const episodes = [{ title: 'Ours', text: 'A talk.', seconds: 60, files: [`/media/${talk.id}.mp4`] }]
  await put('content/podcast', { entry: 'episodes.list', value: episodes })
  const copied = await folder.local(`content export ${files}/site.json`)
  expect(copied).toMatchObject({ code: 0, err: expect.stringContaining(`${files}/site-media`) })
  expect(readdirSync(`${files}/site-media`).toSorted()).toEqual([stored, talk].map((one) => `${one.id}.mp4`).toSorted())
  expect(readFileSync(`${files}/site.json`, 'utf8')).not.toContain(unused.id)

  const other = openDataFolder()
  try {
    const same = await storeMedia(other.world.ctx, videoFile, { name: 'theirs.mp4', isPublic: true })
    expect(await other.local(`content import ${files}/site.json --yes`)).toMatchObject({ code: 0, err: '' })
    expect(contentOf(other.world.ctx).read().pages.podcast.episodes.list).toMatchObject([
      { files: [`/media/${same.id}.mp4`] },
    ])
    const there = new Map(
      listMedia(other.world.ctx).map((one) => [one.id, [one.name, ...one.usedIn.map(({ what }) => what)]]),
    )
    expect([there.size, there.get(stored.id), there.get(same.id)]).toEqual([
      2,
      ['lesson.mp4', 'film', 'handout'],
      ['theirs.mp4', 'page'],
    ])
    const served = await other.world.call(`/media/${same.id}.mp4`, { headers: { range: 'bytes=-4' } })
    expect([served.status, await served.text()]).toEqual([206, 'film'])
  } finally {
    other.close()
  }
})

test('from afar no file is copied: the export names what it leaves out, and an import with files is refused', {
  tags: ['full'],
}, async () => {
  const server = await startServer()
  try {
    const videoFile = new Blob([Uint8Array.from([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isomiso2', 'far away'])
    const { id } = await storeMedia(server.world.ctx, videoFile, { name: 'talk.mp4', isPublic: true })
    const list = [{ title: 'Ours', text: 'A talk.', seconds: 60, files: [`/media/${id}.mp4`] }]
    await put('content/podcast', { entry: 'episodes.list', value: list }, server)
    const copied = await server.remote(`content export ${files}/far.json`)
    expect(copied).toMatchObject({ code: 0, err: expect.stringContaining('Left out: talk.mp4.') })
    expect(JSON.parse(readFileSync(`${files}/far.json`, 'utf8')).media).toEqual([])
    await server.local(`content export ${files}/near.json`)
    expect(await server.remote(`content import ${files}/near.json --yes`)).toMatchObject({
      code: 2,
      err: 'Files can only be imported on the server itself. Run it there.\n',
    })
    expect((await server.remote(`content import ${files}/far.json --yes`)).code).toBe(0)
  } finally {
    server.close()
  }
})

test('a setting and its faults; nothing is set twice by another process', async () => {
  const set = await folder.local('settings set seller_vat_number GB123456783')
  expect(set).toMatchObject({ code: 0, err: expect.stringMatching(/is set.*\n.*mistyped/) })
  expect(siteSettings(folder.world.ctx).seller.vatNumber).toBe('GB123456783')
  expect((await folder.local('settings set SELLER_COMPANY_NUMBER 01234567')).code).toBe(0)
  expect(contentOf(folder.world.ctx).read().site.disclosure).toContain('Company number 01234567')
  const checked = await folder.local('settings check')
  expect(checked).toMatchObject({ code: 1, out: expect.stringMatching(/BOOKING_URL +not set/) })
  expect(checked.out).toMatch(/SALES_PARTNER_EMAIL +not set +The sales partner, on commission statements/)
  expect(checked.out).toMatch(/SELLS_TO_CONSUMERS +not set +Who can join/)
  expect((await folder.local('settings set STRIPE_SECRET_KEY sk_live_x')).code).toBe(2)
  expect((await folder.local('settings set BOOKING_URL nowhere')).code).toBe(2)
})
