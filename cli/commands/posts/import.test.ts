import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
let place: string
beforeAll(async () => {
  server = await startServer()
  place = mkdtempSync(join(tmpdir(), 'alliance-markdown-'))
})
afterAll(() => {
  server.close()
  rmSync(place, { recursive: true })
})

function folderOf(name: string, files: Record<string, string>): string {
  const folder = join(place, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

const post = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nWords of **${title}**.\n`
const stored = () =>
  server.world.ctx.sqlite
    .prepare<[], { slug: string; content: string; isPublished: number }>(
      'select slug, content, isPublished from blog_posts order by slug',
    )
    .all()

test('a folder is planned first, made by the plan on either side, and refused once it has changed', async () => {
  const folder = folderOf('near', {
    '2026-01-31-vans.md': post('Vans'),
    'deep/down/prices.markdown': `${post('Prices')}\n![Van](https://elsewhere.example/van.jpg)\n`,
    'notes.txt': 'Not a post.',
  })
  const shown = await server.local(`posts import ${folder} --publish --dry-run`)
  expect(shown.out).toMatch(/vans +31 January 2026/)
  expect(shown.err).toContain('https://elsewhere.example/van.jpg isn’t on this site, so it’s left out.')
  expect(stored()).toEqual([])
  expect((await server.local(`posts import ${folder}`)).err).toContain('Use --yes to confirm.')

  const plan = join(place, 'plan.json')
  writeFileSync(plan, (await server.remote(`posts import ${folder} --publish --dry-run --json`)).out)
  writeFileSync(join(folder, 'late.md'), post('Late'))
  const late = await server.remote(`apply ${plan} --yes`)
  expect([late.code, late.err]).toEqual([1, expect.stringMatching(/changed since this plan was made/)])
  rmSync(join(folder, 'late.md'))
  expect(await server.remote(`apply ${plan} --yes`)).toMatchObject({
    code: 0,
    err: expect.stringContaining('2 posts made'),
  })
  expect(stored()).toMatchObject([
    { slug: 'prices', isPublished: 0, content: expect.stringContaining('<strong>Prices</strong>') },
    { slug: 'vans', isPublished: 1 },
  ])
})

test('where a file is wrong all of them are named and nothing is made, from near and from afar in the same words', async () => {
  await server.local(`posts import ${folderOf('taken', { 'taken.md': post('Taken') })} --yes`)
  const before = stored()
  const folder = folderOf('wrong', {
    'a.md': post('Again', 'slug: taken\n'),
    'b.md': 'No title.',
    'c.md': post('Fine'),
  })
  const near = await server.local(`posts import ${folder} --yes`)
  expect(near).toMatchObject({
    code: 1,
    err: expect.stringMatching(/wrong\/a\.md: .*\/blog\/taken[\s\S]*wrong\/b\.md: It has no title/),
  })
  expect(await server.remote(`posts import ${folder} --yes`)).toEqual(near)
  expect(stored()).toEqual(before)
  expect(await server.local(`posts import ${folderOf('empty', { 'x.txt': 'x' })} --yes`)).toMatchObject({
    ...{ code: 2, err: expect.stringContaining('It has no Markdown files.') },
  })
  expect((await server.local(`posts import ${place}/nowhere --yes`)).code).toBe(2)
})
