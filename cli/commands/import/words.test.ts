import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPageSource } from '#api/page-source.ts'
import { projectFolder } from '#api/project.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

const samples = join(projectFolder, 'data/samples/imports')

let folder: DataFolder
let place: string
beforeEach(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-words-'))
})
afterEach(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

/** The pictures of the Ghost sample, as in its unpacked ZIP. */
function ghostImages(): string {
  const images = join(place, 'content/images/2024/02')
  mkdirSync(images, { recursive: true })
  cpSync(join(samples, 'markdown/pictures/van.png'), join(images, 'van.png'))
  cpSync(join(samples, 'markdown/pictures/shelves.png'), join(images, 'notebook.png'))
  return join(place, 'content')
}

const posts = () => Object.fromEntries(rowsOf(folder.world, 'blog_posts').map((row) => [String(row.slug), row]))
const mediaFiles = () => rowsOf(folder.world, 'media').length

test('a Ghost site moves in with pictures, drafts and old addresses, once, and out again until a post is changed', async () => {
  const line = `import posts ${samples}/ghost-posts.json --images ${ghostImages()} --redirects ${samples}/redirects.yaml`
  const planned = await folder.local(`${line} --dry-run`)
  expect(planned.out).toMatch(/New posts +5\b[\s\S]*Can’t be moved in +4\b[\s\S]*Drafts +2\b[\s\S]*Pictures +2\b/)
  expect(planned.out).toContain('“Written by a stranger”: Left out: 2 scripts; 1 link that ran code; 1 form.')
  expect([Object.keys(posts()), mediaFiles()]).toEqual([[], 0])
  expect((await folder.local(`${line} --yes`)).out).toContain('5 posts moved in.')
  expect((await folder.local(`${line} --yes`)).out).toContain('You moved this file in on')
  const again = (await folder.local(`${line} --dry-run`)).out
  expect(again).toMatch(/You moved this file in on .* To move it in again, undo it first\./)
  expect(again).not.toContain('5 posts moved in.')
  const undoing = await folder.local('import undo ghost-posts.json.zip --dry-run')
  expect(undoing.out).toContain('We’ll take out 5 posts again, except what’s been used since.')

  const all = posts()
  expect(Object.keys(all)).toHaveLength(5)
  expect(all['pricing-a-job']).toMatchObject({
    author: 'Sample Sam and Sample Alex',
    publishedAt: '2024-02-01T09:00:00.000Z',
    isPublished: 1,
    featuredImage: expect.stringMatching(/^\/media\/.*png$/),
    featuredImageAlt: 'A van on a drive',
    content: expect.stringMatching(/href="\/blog\/three-quotes".*<img src="\/media\/.*<figcaption>The notebook/s),
  })
  expect([all['what-members-get']?.isPublished, all['an-idea']?.isPublished, all['an-idea']?.publishedAt]).toEqual([
    0,
    0,
    null,
  ])
  expect(all.stranger?.content).toBe('<p>Fine words.</p><p>Press</p>')
  const { oldPath } = createPageSource(folder.world.ctx)
  expect(['/pricing-a-job', '/prices', '/an-idea', '/about'].map(oldPath)).toEqual([
    ...['/blog/pricing-a-job', '/blog/pricing-a-job', null, null],
  ])

  const { id, version } = all['three-quotes'] ?? {}
  const edited = `api PATCH /api/admin/blog/${id} -f title=Three -F version=${version}`
  expect(await folder.local(edited)).toMatchObject({ code: 0 })
  const undone = await folder.local('import undo ghost-posts.json.zip --yes')
  expect(undone.out + undone.err).toContain('1 stayed')
  expect([Object.keys(posts()), mediaFiles(), oldPath('/prices')]).toEqual([['three-quotes'], 0, null])
  expect(readdirSync(join(folder.dataDir, 'imports'))).toEqual([])
})

test('Ghost’s file is asked where its pictures are; a damaged file and one of something else say so', {
  tags: ['full'],
}, async () => {
  const ghost = await folder.local(`import posts ${samples}/ghost-posts.json --dry-run`)
  expect(ghost.out + ghost.err).toContain('This file doesn’t say where its pictures are.')
  const other = join(place, 'other-pictures')
  mkdirSync(other)
  writeFileSync(join(other, 'van.jpg'), 'another')
  const lacking = await folder.local(`import posts ${samples}/ghost-posts.json --images ${other} --dry-run`)
  expect(lacking.out + lacking.err).toMatch(/The picture [\w.-]+ isn’t among your pictures\. Add it, or give/)
  const files = {
    'cut.json': '{"db":[{"data":{"posts":[{"id":"1","title":"A","html":"<p>A</p>"}',
    'cut.xml': '<rss><channel><item><title>A</title><wp:post_type>post</wp:post_type></item>',
    'people.csv': 'Name,Email\nSam,sam@example.com\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const told = async (name: string) => {
    const { out, err } = await folder.local(`import posts ${place}/${name} --dry-run`)
    return out + err
  }
  expect(await told('cut.json')).toContain('This file is cut short or damaged. Export it from Ghost again.')
  expect(await told('cut.xml')).toContain('This file is cut short or damaged. Export it from WordPress again.')
  expect(await told('people.csv')).toMatch(/New posts +0\b/)
  expect(posts()).toEqual({})
})

test('a folder of Markdown moves in with its pictures, dates and drafts', async () => {
  expect(await folder.local(`import posts ${samples}/markdown --yes`)).toMatchObject({ code: 0 })
  expect(posts()).toMatchObject({
    'tidy-van': { isPublished: 1, publishedAt: '2023-05-01T08:00:00.000Z', excerpt: 'Ten minutes a day.' },
    'late-payers': { isPublished: 0 },
  })
  expect([mediaFiles(), createPageSource(folder.world.ctx).oldPath('/2023/tidy-van')]).toEqual([2, '/blog/tidy-van'])
})

test('videos move in from a table or a Kajabi course, in their order, and out again until someone has watched', async () => {
  const { world, local } = folder
  const planned = await local(`import lessons ${samples}/lessons.csv --dry-run`)
  expect(planned.out).toMatch(/New videos +3\b[\s\S]*“No address” has no video address/)
  expect(await local(`import lessons ${samples}/lessons.csv --yes`)).toMatchObject({ code: 0 })
  expect(await local(`import lessons ${samples}/kajabi-courses.csv --yes`)).toMatchObject({ code: 0 })
  const videos = () => rowsOf(world, 'member_videos')
  expect(
    videos().map(({ title, category, videoType, orderIndex, isPublished }) => [
      ...[title, category, videoType, orderIndex, isPublished],
    ]),
  ).toEqual([
    ['Pricing your first job', 'Money', 'youtube', 1, 1],
    ['Three quotes a week', 'Money', 'wistia', 2, 1],
    ['Loading the van', 'Days', 'youtube', 1, 1],
    ['Welcome', 'Getting started', 'youtube', 1, 1],
    ['Your numbers', 'Getting started', 'wistia', 2, 0],
  ])
  const notes = rowsOf(world, 'video_texts').map((row) => row.notes)
  expect(notes).toContain('Say hello.\n\nThen watch.')
  const [first] = videos()
  const member = world.signIn(world.addMember({ tier: 'xl' }))
  const changes = [{ videoId: first?.id, id: world.ctx.newId(), completed: true, at: world.ctx.now(), counter: 1 }]
  await member('/api/video-progress/sync', { body: { deviceId: 'phone-1', changes } })
  await local('import undo lessons.csv --yes')
  await local('import undo kajabi-courses.csv --yes')
  expect(videos().map(({ title }) => title)).toEqual(['Pricing your first job'])
})

test('--csv lists every line that can’t be moved in, however many there are', async () => {
  const lines = Array.from({ length: 1_203 }, (_, at) => `Video ${at},Money,`)
  writeFileSync(join(place, 'lessons.csv'), ['title,category,address', ...lines].join('\n'))
  const { out } = await folder.local(`import lessons ${place}/lessons.csv --dry-run --csv`)
  expect(out.trim().split('\n')).toHaveLength(1 + 1_203)
})
