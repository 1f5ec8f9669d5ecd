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

test('words are edited in an editor, again where they do not fit, and the running server serves them', async () => {
  const before = about().title
  const editor = join(files, 'editor.sh')
  // The editor first leaves nothing, then the text that should be there.
  writeFileSync(editor, `if grep -q . "$1"; then : > "$1"; else echo 'Who we are' > "$1"; fi`)
  const onTerminal = {
    isTTY: { stdin: true, stdout: false },
    env: { ...folder.env, EDITOR: `sh ${editor}`, PATH: process.env.PATH },
  }
  const edited = await folder.local('content edit about title --yes', { ...onTerminal, input: ['\n'] })
  expect(edited).toMatchObject({
    code: 0,
    err: expect.stringMatching(/title: must not be empty[\s\S]*is on the site now/),
  })
  expect(about().title).toBe('Who we are')
  const diff = await folder.local('content diff about')
  expect(diff.out).toMatch(new RegExp(`about +title +${before} +Who we are\\n`))
  expect((await folder.local('content reset about title --yes')).code).toBe(0)
  expect(about().title).toBe(before)
})

test('how many entries a list takes is said before the editor opens, and one too few or too many is refused', async () => {
  const onTerminal = {
    isTTY: { stdin: true, stdout: false },
    env: { ...folder.env, EDITOR: 'true', PATH: process.env.PATH },
  }
  const untouched = await folder.local('content edit home hero', onTerminal)
  expect(untouched.err).toMatch(/^hero\.promises: 2 to 4 entries\n[\s\S]*Nothing changed\./)
  const file = join(files, 'promises.json')
  const put = (count: number) => {
    writeFileSync(file, JSON.stringify(Array.from({ length: count }, (_, at) => `Promise ${at}.`)))
    return folder.local(`content edit home hero.promises --from ${file} --yes`)
  }
  expect((await put(1)).err).toContain('hero.promises: needs at least 2 entries')
  expect((await put(5)).err).toContain('hero.promises: can have up to 4 entries')
  for (const count of [2, 4]) expect((await put(count)).code).toBe(0)
  expect((await folder.local('content reset home hero.promises --yes')).code).toBe(0)
})

test('words come from a file too; nothing that does not fit is stored', async () => {
  const file = join(files, 'story.json')
  const { story, title } = about()
  writeFileSync(file, JSON.stringify({ ...story, heading: '' }))
  const refused = await folder.local(`content edit about story --from ${file} --yes`)
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('story.heading: must not be empty') })
  writeFileSync(file, JSON.stringify({ heading: 'How we began', firm: 'Bench' }))
  expect((await folder.local(`content edit about story --from ${file} --yes`)).err).toMatch(
    /story\.firm: doesn’t belong here\. Remove it; story\.\w+: is missing/,
  )
  writeFileSync(file, JSON.stringify({ ...story, heading: 'How we began' }))
  expect((await folder.local(`content edit about story --from ${file} --yes`)).code).toBe(0)
  expect([about().story?.heading, about().title]).toEqual(['How we began', title])
  expect((await folder.local('content edit about nonsense --from x --yes')).code).toBe(3)
  expect((await folder.local('content edit about story')).code).toBe(2)
})

test('what was made in the sandbox is carried to a fresh folder with a live key, without starting a server', {
  tags: ['full'],
}, async () => {
  const owner = folder.world.signIn(folder.world.addOwner())
  const video = { title: 'One', category: 'Money', videoType: 'youtube', videoId: 'aqz-KE-bpKQ' }
  const texts = { notes: 'Do it on Monday.', transcript: 'Words.', captions: null }
  await owner('/api/admin/videos', { body: { ...video, ...texts } })
  await owner('/api/admin/blog', { body: { title: 'A post', slug: 'a-post', content: '<p>Words</p>' } })
  await folder.local('calendar hours set coach-1 sales mon 09:00-12:00')
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
  writeFileSync(join(files, 'title.md'), 'Who we are\n')
  await folder.local(`content edit about title --from ${files}/title.md --yes`)
  expect((await folder.local(`content export ${files}/site.json`)).code).toBe(0)

  const dataDir = join(files, 'live')
  const env = { ...live, DATA_DIR: dataDir, INSTAGRAM_URL: 'https://instagram.example/locked' }
  const run = (...argv: string[]) => runCommand(argv, { env })
  // As a refused first start leaves it.
  openContext(readSettings(env)).sqlite.close()
  const put = await run('content', 'import', `${files}/site.json`, '--yes')
  expect(put).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/Videos +1\nCategories +0\nPosts +1\nEpisodes +0\nHours +1\n/),
  })
  const changes = JSON.parse((await run('content', 'diff', '--json')).out)
  expect(changes).toMatchObject([{ page: 'about', entry: 'title', after: 'Who we are' }])
  const settings: { name: string }[] = JSON.parse((await run('settings', 'list', '--json')).out)
  expect(settings.find(({ name }) => name === 'FACEBOOK_URL')).toMatchObject({ source: 'database' })
  const [lite] = JSON.parse((await run('tiers', 'list', '--json')).out)
  expect(lite).toMatchObject({ slug: 'lite', name: 'Bench-Lite', features: ['One', 'Two'] })
  // Hours no owner set aren't copied.
  expect(JSON.parse((await run('calendar', 'hours', '--json')).out)).toEqual([
    { coach: 'coach-1', kind: 'sales', weekday: 'mon', times: '09:00-12:00', version: 1 },
  ])
  // Importing twice changes nothing.
  expect((await run('content', 'import', `${files}/site.json`, '--yes')).code).toBe(0)
  await run('content', 'export', `${files}/again.json`)
  const [first, again] = ['site', 'again'].map((name) => JSON.parse(readFileSync(`${files}/${name}.json`, 'utf8')))
  expect(again.videos).toMatchObject([{ reading: texts }])
  expect({ ...again, madeAt: '', settings: {} }).toEqual({ ...first, madeAt: '', settings: {} })
  expect((await run('settings', 'set', 'INSTAGRAM_URL', 'https://x.example')).err).toContain('environment')
})

test('an import and a reset are planned first; a plan is applied to the site that it was made for, and no other', {
  tags: ['full'],
}, async () => {
  writeFileSync(join(files, 'title.md'), 'Who we are')
  const before = about().title
  await folder.local(`content edit about title --from ${files}/title.md --yes`)
  await folder.local(`content export ${files}/site.json --without settings,tiers`)
  const shown = await folder.local(`content import ${files}/site.json --dry-run`)
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/Words +1, 1 over what is there/) })
  const planOf = async (line: string) => {
    writeFileSync(join(files, 'plan.json'), (await folder.local(`${line} --dry-run --json`)).out)
    return `apply ${files}/plan.json --yes`
  }
  const reset = await planOf('content reset about')
  expect(about().title).toBe('Who we are')
  expect(await folder.local(reset)).toMatchObject({
    code: 0,
    err: expect.stringContaining('about has its file’s own text again'),
  })
  expect(about().title).toBe(before)
  // The entry has gone since.
  expect((await folder.local(reset)).err).toMatch(/has changed since this plan was made/)
  const put = await planOf(`content import ${files}/site.json`)
  await folder.local('calendar hours set coach-1 sales mon 09:00-12:00')
  expect((await folder.local(put)).err).toMatch(/has changed since this plan was made/)
  expect(about().title).toBe(before)
  expect(await folder.local(await planOf(`content import ${files}/site.json`))).toMatchObject({ code: 0 })
  expect(about().title).toBe('Who we are')
})

test('a copy carries the files that it names, and a site that has the same bytes names its own', {
  tags: ['full'],
}, async () => {
  const { ctx } = folder.world
  const film = new Blob([Uint8Array.from([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isomiso2', 'our own film'])
  const lesson = await storeMedia(ctx, film, { name: 'lesson.mp4', isPublic: false })
  const talk = await storeMedia(ctx, film, { name: 'talk.mp4', isPublic: true })
  const unused = await storeMedia(ctx, new Blob([film, 'unused']), { name: 'unused.mp4', isPublic: true })
  const owner = folder.world.signIn(folder.world.addOwner())
  const video = { title: 'One', category: 'Money', videoType: 'youtube', videoId: 'aqz-KE-bpKQ' }
  const handoutFiles = [{ file: lesson.id, title: 'To take along' }]
  await owner('/api/admin/videos', { body: { ...video, filmFiles: [lesson.id], handoutFiles } })
  const episodes = [{ title: 'Ours', text: 'A talk.', seconds: 60, files: [`/media/${talk.id}.mp4`] }]
  writeFileSync(join(files, 'list.json'), JSON.stringify(episodes))
  await folder.local(`content edit podcast episodes.list --from ${files}/list.json --yes`)
  const copied = await folder.local(`content export ${files}/site.json`)
  expect(copied).toMatchObject({ code: 0, err: expect.stringContaining(`${files}/site-media`) })
  expect(readdirSync(`${files}/site-media`).toSorted()).toEqual([lesson, talk].map((one) => `${one.id}.mp4`).toSorted())
  expect(readFileSync(`${files}/site.json`, 'utf8')).not.toContain(unused.id)

  const other = openDataFolder()
  try {
    const same = await storeMedia(other.world.ctx, film, { name: 'theirs.mp4', isPublic: true })
    expect(await other.local(`content import ${files}/site.json --yes`)).toMatchObject({ code: 0, err: '' })
    expect(contentOf(other.world.ctx).read().pages.podcast.episodes.list).toMatchObject([
      { files: [`/media/${same.id}.mp4`] },
    ])
    const there = new Map(
      listMedia(other.world.ctx).map((one) => [one.id, [one.name, ...one.usedIn.map(({ what }) => what)]]),
    )
    expect([there.size, there.get(lesson.id), there.get(same.id)]).toEqual([
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
    const film = new Blob([Uint8Array.from([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isomiso2', 'far away'])
    const { id } = await storeMedia(server.world.ctx, film, { name: 'talk.mp4', isPublic: true })
    const list = [{ title: 'Ours', text: 'A talk.', seconds: 60, files: [`/media/${id}.mp4`] }]
    writeFileSync(join(files, 'list.json'), JSON.stringify(list))
    await server.local(`content edit podcast episodes.list --from ${files}/list.json --yes`)
    const copied = await server.remote(`content export ${files}/far.json`)
    expect(copied).toMatchObject({ code: 0, err: expect.stringContaining('Left out: talk.mp4.') })
    expect(JSON.parse(readFileSync(`${files}/far.json`, 'utf8')).media).toEqual([])
    await server.local(`content export ${files}/near.json`)
    expect(await server.remote(`content import ${files}/near.json --yes`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('use --without media'),
    })
    expect((await server.remote(`content import ${files}/near.json --without media --yes`)).code).toBe(0)
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
