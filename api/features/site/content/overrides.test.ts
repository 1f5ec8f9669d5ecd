import { expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { contentOf } from '#api/site/content.ts'
import { readError, startWorld } from '#api/testing/world.ts'

function startSite() {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const send = (method: string) => (path: string, body: object) => owner(`/api/admin/content/${path}`, { method, body })
  return {
    world,
    owner,
    edit: send('PUT'),
    post: send('POST'),
    read: async (page: string) => (await owner(`/api/admin/content/${page}`)).json(),
    about: () => contentOf(world.ctx).read().pages.about,
    site: () => contentOf(world.ctx).read().site,
  }
}

test('an entry is changed, served at once, kept in the history, and reset to the file’s', async () => {
  const { world, edit, post, read, about, owner } = startSite()
  const before = about()
  const changed = await edit('about', { version: 0, entry: 'title', value: 'Who we are' })
  expect(changed.status).toBe(200)
  expect(about()).toEqual({ ...before, title: 'Who we are' })
  expect(await (await world.call('/api/site-content?page=about')).json()).toMatchObject({ title: 'Who we are' })
  const { version, overrides } = await read('about')
  expect(overrides).toMatchObject([{ entry: 'title', value: 'Who we are', original: before.title, problem: null }])

  expect((await post('about/reset', { version, entry: 'title' })).status).toBe(200)
  expect(about()).toEqual(before)
  const history = await (await owner('/api/admin/content/about/history')).json()
  expect(history).toMatchObject([
    { entry: 'title', value: null, by: { kind: 'owner', name: 'Olive' } },
    { entry: 'title', value: 'Who we are' },
  ])
})

test('a whole page is edited; only what differs from the file is stored, a list as one', async () => {
  const { edit, read, about } = startSite()
  const { value } = await read('about')
  const [first, ...others] = value.story.paragraphs
  const wanted = { ...value, lead: 'Since {brand.founded}', story: { ...value.story, paragraphs: [...others, first] } }
  const { overrides } = await (await edit('about', { version: 0, value: wanted })).json()
  expect(overrides.map(({ entry }: { entry: string }) => entry).sort()).toEqual(['lead', 'story.paragraphs'])
  expect(about().lead).toBe('Since 2019')
  expect(await (await edit('about', { version: 0, value: wanted })).json()).toMatchObject({ value: wanted })
})

test('what does not fit is refused at its entry, and a trial stores nothing', async () => {
  const { edit, about } = startSite()
  const title = about().title
  const refused: [value: unknown, entry: string, says: RegExp][] = [
    ['', 'title', /empty/],
    ['{brand.born}', 'title', /braces/],
    ['<b>Us</b>', 'title', /without HTML/],
    ['[Us](javascript:alert(1))', 'title', /https/],
    ['x', 'titel', /^doesn’t belong here/],
  ]
  for (const [value, entry, says] of refused) {
    const { status, fields } = await readError(await edit('about', { version: 0, entry, value }))
    expect([value, status, fields?.[entry]]).toEqual([value, 422, expect.stringMatching(says)])
  }
  expect((await edit('about', { version: 0, entry: 'title', value: 'Us', isTrial: true })).status).toBe(200)
  expect(about().title).toBe(title)
})

test('an entry named as what every object has is refused like any other that the page lacks', async () => {
  const { edit, read, about } = startSite()
  const page = JSON.stringify(about())
  const withPrototype = JSON.parse(`{"__proto__":{"a":1},${page.slice(1)}`)
  for (const [entry, value] of [
    ['__proto__', 'x'],
    ['__proto__.title', 'x'],
    ['constructor', 'x'],
    ['', withPrototype],
  ]) {
    const refused = await edit('about', { version: 0, entry, value })
    expect([entry, refused.status]).toEqual([entry, 422])
    expect(Object.values((await refused.json()).error.fields)).toEqual(['doesn’t belong here. Remove it'])
  }
  expect(await read('about')).toMatchObject({ version: 0, overrides: [] })
})

test('two owners: the second is shown both versions; the same change twice is one', async () => {
  const { edit } = startSite()
  await edit('about', { version: 0, entry: 'title', value: 'One' })
  expect((await edit('about', { version: 0, entry: 'title', value: 'One' })).status).toBe(200)
  const late = await edit('about', { version: 0, entry: 'title', value: 'Two' })
  const { error } = await late.json()
  expect([late.status, error.code, error.versions.current.value.title]).toEqual([409, 'version_conflict', 'One'])
})

test('a name of the site is in every text that names it, and a value that pages need cannot go', async () => {
  const { edit, read, site } = startSite()
  await edit('site', { version: 0, entry: 'brand.name', value: 'Bench & Co' })
  expect(site().brand.copyright).toContain('Bench & Co')
  const { version } = await read('site')
  expect((await edit('site', { version, entry: 'claims.guarantee', value: 'none' })).status).toBe(422)
})

test('an override that no longer fits gives way to the file’s, is logged and named, and outlives other edits', async () => {
  const { world, edit, read, about } = startSite()
  const { title } = about()
  const row = { page: 'about', updatedAt: world.ctx.now().toISOString() }
  insertRow(world.ctx, contentOverrides, { ...row, entry: 'story.sideline', value: 'of an older version' })
  insertRow(world.ctx, contentOverrides, { ...row, entry: 'title', value: 7 })
  insertRow(world.ctx, contentOverrides, { ...row, entry: 'lead', value: 'Ours' })
  invalidateResponses(world.ctx)
  expect([about().title, about().lead]).toEqual([title, 'Ours'])
  expect(world.logged.join()).toMatch(/does not fit.*story\.sideline/)
  await edit('about', { version: 0, entry: 'lead', value: 'Ours too' })
  const { overrides } = await read('about')
  expect(overrides).toMatchObject([
    { entry: 'lead', value: 'Ours too', problem: null },
    { entry: 'story.sideline', problem: expect.stringContaining('sideline') },
    { entry: 'title', problem: expect.stringContaining('title') },
  ])
})

test('a change by another process is served too', async () => {
  const { world, about } = startSite()
  const before = about().title
  // The terminal writes over its own connection, so caches must notice.
  insertRow(world.ctx, contentOverrides, {
    page: 'about',
    entry: 'title',
    value: 'From there',
    updatedAt: world.ctx.now().toISOString(),
  })
  expect(about().title).toBe(before)
  invalidateResponses(world.ctx)
  expect(about().title).toBe('From there')
})
