import { beforeEach, expect, test } from 'vitest'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminPost } from '#shared/contract/admin-post.ts'
import { addPost } from './service.ts'

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
})

const vans = { title: 'Which van?', slug: 'which-van', content: '<p>A <strong>long</strong> one.</p>' }
const at = '/api/admin/blog'
const create = async (body: Record<string, unknown> = {}): Promise<AdminPost> =>
  (await owner(at, { body: { ...vans, ...body } })).json()
const change = (id: string, body: Record<string, unknown>) => owner(`${at}/${id}`, { method: 'PATCH', body })
const fieldsOf = async (response: Response) => (await readError(response)).fields
const publicSlugs = async () => ((await (await world.call('/api/blog')).json()) as AdminPost[]).map(({ slug }) => slug)

test('CALLS-29 BLOG-12 ENT-5 a new post is a draft by the site’s coach; sent twice it is one', async () => {
  const sent = { body: vans, headers: { 'idempotency-key': world.ctx.newId() } }
  const [one, again] = [await owner(at, sent), await owner(at, sent)]
  const post: AdminPost = await one.json()
  expect(await again.json()).toEqual(post)
  expect(post).toMatchObject({ ...vans, excerpt: null, author: 'The coaches', isPublished: false, version: 1 })
  expect([post.publishedAt, await publicSlugs()]).toEqual([null, []])
  expect(await (await owner(`${at}/${post.id}`)).json()).toEqual(post)
})

test('CALLS-30 BLOG-11 BLOG-12 published now or later, changed and withdrawn; readers see it at once; an empty author is the coach', async () => {
  const { id } = await create({ author: 'Olive' })
  const published: AdminPost = await (await change(id, { isPublished: true, author: '', version: 1 })).json()
  expect(published).toMatchObject({ author: 'The coaches', publishedAt: '2026-06-12T07:40:00.000Z', version: 2 })
  expect(await publicSlugs()).toEqual(['which-van'])
  await change(id, { publishedAt: '2026-06-13T07:00:00Z', version: 2 })
  expect(await publicSlugs()).toEqual([])
  world.forward(86_400_000)
  owner = world.signIn(world.addOwner())
  expect(await publicSlugs()).toEqual(['which-van'])
  await change(id, { isPublished: false, title: 'Which van now?', version: 3 })
  expect(await publicSlugs()).toEqual([])
  expect(await (await owner(`${at}/${id}`)).json()).toMatchObject({ title: 'Which van now?', slug: 'which-van' })
})

test('EMSG-51 EMSG-52 EMSG-53 BLOG-8 what is missing or wrong is named, and a slug is used once', async () => {
  expect(await fieldsOf(await owner(at, { body: {} }))).toEqual({
    title: 'Title is required',
    slug: 'Slug is required',
    content: 'Content is required',
  })
  await create()
  const wrong: [field: string, value: unknown, message: string][] = [
    ['title', ' ', 'Title is required'],
    ['slug', '', 'Slug is required'],
    ['slug', 'Which Van', 'Use small letters, digits and single hyphens.'],
    ['slug', '../admin', 'Use small letters, digits and single hyphens.'],
    ['slug', 'which-van', 'Another post has this slug.'],
    ['content', '<p></p>', 'Content is required'],
    ['content', '<p>&nbsp; <br></p>', 'Content is required'],
    ['content', '<script>alert(1)</script>', 'Content is required'],
    ['featuredImage', 'https://evil.example/x.png', 'Choose a picture from the library, or one under /pictures/.'],
    ['featuredImage', '/pictures/../api/logout', 'Choose a picture from the library, or one under /pictures/.'],
  ]
  for (const [field, value, message] of wrong) {
    const sent = { ...vans, slug: 'another', [field]: value }
    expect([value, await fieldsOf(await owner(at, { body: sent }))]).toEqual([value, { [field]: message }])
  }
  const other = await create({ slug: 'second', excerpt: '', featuredImage: '' })
  expect(other).toMatchObject({ excerpt: null, featuredImage: null })
  expect(await fieldsOf(await change(other.id, { slug: 'which-van', version: 1 }))).toEqual({
    slug: 'Another post has this slug.',
  })
})

test('BLOG-5 what is pasted is cleaned before it is stored, and shown cleaned in the preview', async () => {
  const content = `<h1 onclick="x()">A</h1><p style="color:red">b<img src=x onerror=alert(1)><a href="javascript:alert(1)">c</a></p><svg/onload=alert(1)>`
  const clean = '<h2>A</h2><p>bc</p>'
  expect((await create({ content })).content).toBe(clean)
  expect(await (await owner(`${at}/preview`, { body: { content } })).json()).toEqual({
    content: clean,
    readingMinutes: 1,
  })
})

test('CALLS-30 CALLS-31 a post that the other owner has changed meanwhile is neither overwritten nor removed', async () => {
  const { id } = await create()
  await change(id, { title: 'Theirs', version: 1 })
  const { error } = await (await change(id, { title: 'Mine', version: 1 })).json()
  expect(error).toMatchObject({
    code: 'version_conflict',
    versions: { sent: { title: 'Mine', version: 1 }, current: { title: 'Theirs', version: 2 } },
  })
  expect((await change(id, { title: 'Theirs', version: 1 })).status).toBe(200)
  const remove = (version: number) => owner(`${at}/${id}?version=${version}`, { method: 'DELETE' })
  expect((await remove(1)).status).toBe(409)
  expect(await (await remove(2)).json()).toEqual({ success: true })
  expect((await owner(`${at}/${id}`)).status).toBe(404)
})

test('ADMN-20 the owners’ list holds drafts, is searched, filtered, sorted and paged', async () => {
  for (const slug of ['a', 'b', 'c', 'd'])
    addPost(world.ctx, { slug, title: `Number ${slug.repeat(3)}`, content: '<p>x</p>', isPublished: slug > 'b' })
  const list = async (query: string) => {
    const response = await owner(`${at}?${query}`)
    const posts: AdminPost[] = await response.json()
    return [posts.map(({ slug }) => slug).join(''), response.headers.get('x-total-count')]
  }
  expect(await list('sort=title')).toEqual(['abcd', '4'])
  expect(await list('sort=-title&limit=3')).toEqual(['dcb', '4'])
  expect(await list('show=draft&sort=title')).toEqual(['ab', '2'])
  expect(await list('q=number+ccc')).toEqual(['c', '1'])
})

test('a published post that counts the tiers is found by its sentence, and one about something else isn’t', async () => {
  const content = '<h2>Pick one of <strong>nine</strong> tiers</h2><p>Price it right.</p>'
  const wages = '<p>Pay the lads: they’re paid monthly. Nine options, one page.</p>'
  const { id } = await create({ title: 'Joining', slug: 'joining', content, isPublished: true })
  await create({ title: 'Wages', slug: 'wages', content: wages, isPublished: true })
  await create({ title: 'Draft', slug: 'draft', content })
  const found = await (await owner('/api/admin/tier-sentences?cards=3&hasMonth=true&hasYear=true')).json()
  expect(found.filter((one: { in: string }) => one.in === 'post')).toEqual([
    { in: 'post', text: 'Pick one of nine tiers', title: 'Joining', id },
  ])
})
