import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { oldAddresses } from '#api/db/schema/blog.ts'
import type { Site } from '#api/http/page-cache.ts'
import { createPageSource } from '#api/page-source.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminPost } from '#shared/contract/admin-post.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-posts-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld({ env: { DATA_DIR: folder } })
  owner = world.signIn(world.addOwner())
})

const at = '/api/admin/blog'
const vans = { title: 'Which van?', slug: 'which-van', content: '<p>A long one.</p>', isPublished: true }
const create = async (body: object = {}): Promise<AdminPost> => (await owner(at, { body: { ...vans, ...body } })).json()
const change = (id: string, body: object) => owner(`${at}/${id}`, { method: 'PATCH', body })
const audited = () => rowsOf(world, 'audit_entries').map(({ action }) => String(action))

describe('versions', () => {
  const versions = async (id: string): Promise<{ version: number; title: string; by: string | null }[]> =>
    (await owner(`${at}/${id}/versions`)).json()
  const restore = (id: string, number: number, version: number) =>
    owner(`${at}/${id}/versions/${number}/restore`, { body: { version } })

  test('keep what a post was after each change; words and pictures come back, where readers find it stays', async () => {
    const picture = { featuredImage: '/pictures/van.svg', featuredImageAlt: 'A van in the rain' }
    const { id } = await create(picture)
    await change(id, { title: 'Which van now?', slug: 'which-van-now', content: '<p>A short one.</p>', version: 1 })
    await change(id, { featuredImage: null, featuredImageAlt: '', version: 2 })
    expect((await versions(id)).map(({ version, title }) => [version, title])).toEqual([
      [3, 'Which van now?'],
      [2, 'Which van now?'],
      [1, 'Which van?'],
    ])
    expect((await versions(id))[0]?.by).toMatch(/\S/)
    expect(await (await owner(`${at}/${id}/versions/1`)).json()).toMatchObject({ content: vans.content, version: 1 })
    const restored = await (await restore(id, 1, 3)).json()
    expect(restored).toMatchObject({
      title: vans.title,
      content: vans.content,
      ...picture,
      slug: 'which-van-now',
      isPublished: true,
      version: 4,
    })
    expect([(await versions(id)).length, audited().at(-1)]).toEqual([4, 'post.restored'])
  })

  test('of a post from before there were any begin with its first change; an unknown one, and a stale wish, are refused', async () => {
    const { id } = await create()
    world.ctx.sqlite.exec('delete from blog_versions')
    await change(id, { title: 'Later', version: 1 })
    expect((await versions(id)).map(({ version, title }) => [version, title])).toEqual([
      [2, 'Later'],
      [1, vans.title],
    ])
    expect([(await restore(id, 7, 2)).status, (await restore(id, 1, 1)).status]).toEqual([404, 409])
    expect((await owner(`${at}/nothing/versions`)).status).toBe(404)
    await owner(`${at}/${id}`, { method: 'DELETE', body: {} })
    expect(rowsOf(world, 'blog_versions')).toEqual([])
  })

  test('are a hundred at most, the newest', async () => {
    const { id } = await create()
    for (let version = 1; version <= 101; version += 1) await change(id, { title: `Title ${version}`, version })
    const kept = await versions(id)
    expect([kept.length, kept.at(-1)?.version]).toEqual([100, 3])
  })
})

describe('an address that was changed', () => {
  const site = (): Site => ({
    template: {
      document: '<!--head--><!--body-->',
      ahead: 'ahead()',
      shellRoutes: {},
      stopped: '',
      hashes: { script: [], style: [] },
      entry: '',
      entryChunks: [],
      build: '1',
      routeChunks: {},
      routeStyles: {},
    },
    clientFolder: import.meta.dirname,
    loadEntry: async () => ({
      createPageRenderer: ({ content }) => ({
        find: () => ({ kind: 'missing', key: 'missing' }),
        render: async () => ({
          kind: 'missing',
          html: '',
          routeIds: [],
          state: { content, responses: [] },
          head: { title: 'T', description: 'D', image: '/i.png', type: 'website', jsonLd: [] },
        }),
        routes: [],
      }),
    }),
  })
  const open = async (path: string) => {
    const response = await createApp(world.ctx, { site: site() }).handle(new Request(`http://localhost${path}`))
    return [response.status, response.headers.get('location')]
  }

  test('sends readers on for good, over several changes, until another post takes it or the post is withdrawn', async () => {
    const { id } = await create()
    await change(id, { slug: 'vans', version: 1 })
    await change(id, { slug: 'van', version: 2 })
    expect([await open('/blog/which-van'), await open('/blog/vans'), await open('/blog/nothing')]).toEqual([
      [301, '/blog/van'],
      [301, '/blog/van'],
      [404, null],
    ])
    expect(await (await world.call('/api/blog/which-van')).json()).toMatchObject({ slug: 'van' })
    const { movedFrom } = createPageSource(world.ctx)
    expect([movedFrom('/blog/van').toSorted(), movedFrom('/blog/vans'), movedFrom('/about')]).toEqual([
      ['/blog/vans', '/blog/which-van'],
      [],
      [],
    ])
    const sitemap = await (await world.call('/sitemap.xml')).text()
    expect([sitemap.includes('/blog/van<'), sitemap.includes('which-van')]).toEqual([true, false])
    await change(id, { slug: 'vans', version: 3 })
    expect([await open('/blog/vans'), await open('/blog/van')]).toEqual([
      [404, null],
      [301, '/blog/vans'],
    ])
    await create({ slug: 'which-van' })
    expect((await open('/blog/which-van'))[0]).toBe(404)
    await change(id, { isPublished: false, version: 4 })
    expect(await open('/blog/van')).toEqual([404, null])
  })

  test('leads on from a site that was copied, but not away from another post', async () => {
    const { id } = await create()
    const other = await create({ slug: 'vans' })
    const add = (slugs: string[]) => owner(`${at}/${id}/addresses`, { body: { slugs } })
    expect(await (await add(['which-van', 'van-2019', 'a-van'])).json()).toEqual({ slugs: ['a-van', 'van-2019'] })
    expect(await (await add(['van-2019'])).json()).toEqual({ slugs: ['a-van', 'van-2019'] })
    expect(await open('/blog/van-2019')).toEqual([301, '/blog/which-van'])
    expect((await readError(await add(['van-2020', 'vans']))).fields).toEqual({ slug: 'Another post has this slug.' })
    expect([(await open('/blog/van-2020'))[0], await (await world.call('/api/blog/vans')).json()]).toEqual([
      404,
      expect.objectContaining({ id: other.id }),
    ])
    expect(audited().filter((action) => action === 'post.changed')).toHaveLength(1)
    expect([
      (await add(['No Slug'])).status,
      (await owner(`${at}/nothing/addresses`, { body: { slugs: [] } })).status,
    ]).toEqual([422, 404])
  })

  test('of another site may lead to any path, in any letters', async () => {
    const row = { path: '/events', to: '/what’s-on', postId: null, createdAt: world.ctx.now().toISOString() }
    world.ctx.db.insert(oldAddresses).values(row).run()
    expect(await open('/events')).toEqual([301, '/what%E2%80%99s-on'])
  })

  test('of a draft that nobody has read leads nowhere', async () => {
    const { id } = await create({ isPublished: false })
    await change(id, { slug: 'vans', version: 1 })
    await change(id, { isPublished: true, version: 2 })
    expect(await open('/blog/which-van')).toEqual([404, null])
  })
})

describe('stored pictures', () => {
  const upload = async () => {
    const photo = sharp({ create: { width: 1000, height: 500, channels: 3, background: '#aa2211' } }).jpeg()
    const content = (await photo.toBuffer()).toString('base64')
    return (await owner('/api/admin/media', { body: { name: 'van.jpg', content } })).json()
  }

  test('stand in a post in sizes of AVIF and WebP, stored as they were written, and cannot be taken from under it', {
    tags: ['full'],
  }, async () => {
    const { id: picture, address } = await upload()
    const content = `<p>Look:</p><img src="${address}" alt="A &quot;van&quot;" width="1000" height="500">`
    const post = await create({ content, featuredImage: address, shareImage: address })
    const stored: AdminPost = await (await owner(`${at}/${post.id}`)).json()
    expect([stored.content.includes('picture'), stored.shareImage]).toEqual([false, address])
    const shown = await (await world.call('/api/blog/which-van')).json()
    expect(shown.content).toContain('<picture><source type="image/avif" srcset="/photographs/')
    expect(shown.content).toContain('alt="A &quot;van&quot;" width="1000" height="500" loading="lazy"')
    expect([shown.featuredImage, shown.shareImage]).toEqual([address, address])
    const sizes = [...String(shown.content).matchAll(/(\/photographs\/\S+?) \d+w/g)].map(([, path = '']) => path)
    expect(sizes.length).toBe(6)
    for (const path of sizes) {
      const found = await sharp(await (await world.call(path)).arrayBuffer()).metadata()
      const width = Math.min(1000, Number(/-(\d+)\.\w+$/.exec(path)?.[1]))
      expect([path, found.width, found.height]).toEqual([path, width, width / 2])
    }
    const { content: previewed } = await (await owner(`${at}/preview`, { body: { content } })).json()
    expect(previewed).toContain('<source type="image/webp"')
    expect((await owner(`/api/admin/media/${picture}`, { method: 'DELETE', body: {} })).status).toBe(409)
    expect((await world.call(`/photographs/${picture}-481.avif`)).status).toBe(404)
  })
})
