import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPageSource } from '#api/page-source.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { BlogPostSummary } from '#shared/contract/blog.ts'
import { slugOf } from '#shared/values/posts.ts'
import { cleanHtml } from './html-rules.ts'
import { addPost } from './service.ts'

let world: World
beforeEach(() => {
  world = startWorld()
})

const june = (day: number) => `2026-06-${String(day).padStart(2, '0')}T08:00:00.000Z`

function post(slug: string, publishedAt: string | null, more: object = {}) {
  addPost(world.ctx, { slug, title: slug.toUpperCase(), content: '<p>x</p>', isPublished: true, publishedAt, ...more })
}

async function get(path: string) {
  const response = await world.call(path)
  return { status: response.status, body: await response.json() }
}
const slugs = async () => (await get('/api/blog')).body.map(({ slug }: BlogPostSummary) => slug)

describe('GET /api/blog', () => {
  test('CALLS-6 ENT-5 is a bare array, empty without posts, each without its content', async () => {
    expect(await get('/api/blog')).toEqual({ status: 200, body: [] })
    const picture = { featuredImage: '/pictures/v.svg', featuredImageAlt: 'A van in the rain' }
    post('vans', june(1), { excerpt: 'On vans', ...picture, content: 'word '.repeat(660) })
    const { body } = await get('/api/blog')
    expect(body).toEqual([
      {
        id: expect.any(String),
        slug: 'vans',
        title: 'VANS',
        excerpt: 'On vans',
        author: 'The coaches',
        ...picture,
        publishedAt: june(1),
        createdAt: '2026-06-12T07:40:00.000Z',
        readingMinutes: 3,
      },
    ])
    expect(Object.keys(body[0]).sort()).toEqual(Object.keys(BlogPostSummary.entries).sort())
  })

  test('BLOG-1 BLOG-12 has what is published, newest first, and no draft', async () => {
    post('second', june(2))
    post('third', june(3))
    post('first', june(1))
    post('draft', june(4), { isPublished: false })
    addPost(world.ctx, { slug: 'unsaid', title: 'Unsaid', content: '', publishedAt: june(5) })
    expect(await slugs()).toEqual(['third', 'second', 'first'])
  })

  test('ENT-5 a published post without a date has that of its creation', async () => {
    post('dated', june(11))
    post('undated', null)
    const { body } = await get('/api/blog')
    expect(body.map(({ slug, publishedAt }: BlogPostSummary) => [slug, publishedAt])).toEqual([
      ['undated', '2026-06-12T07:40:00.000Z'],
      ['dated', june(11)],
    ])
  })

  test('CALLS-6 is cached with its ETag until a post changes', async () => {
    post('vans', june(1))
    const first = await world.call('/api/blog')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await world.call('/api/blog', { headers })).status).toBe(304)
    post('tools', june(2))
    const again = await world.call('/api/blog', { headers })
    expect([again.status, (await again.json()).length]).toEqual([200, 2])
  })
})

describe('a post whose day is still to come', () => {
  const hour = 3_600_000
  // The clock is at 07:40 on 12 June 2026.
  beforeEach(() => {
    post('first', june(1))
    post('later', '2026-06-12T08:30:00Z')
    post('last', '2026-06-12T09:30:00.000Z')
  })

  test('BLOG-12 is on no page before it, and on all from then on', async () => {
    expect(await slugs()).toEqual(['first'])
    expect([(await get('/api/blog/later')).status, (await get('/api/blog/first')).body.next]).toEqual([404, null])
    world.forward(hour)
    expect(await slugs()).toEqual(['later', 'first'])
    expect((await get('/api/blog/later')).body.next).toBeNull()
    expect((await get('/api/blog/first')).body.next.slug).toBe('later')
    world.forward(hour)
    expect(await slugs()).toEqual(['last', 'later', 'first'])
  })

  test('BLOG-12 ROUTE-13 the feeds and the pages do not name it before', async () => {
    const pages = createPageSource(world.ctx)
    const seen = async () => {
      const feeds = await Promise.all(['/rss.xml', '/sitemap.xml'].map(async (path) => (await world.call(path)).text()))
      return [...feeds.map((text) => text.includes('/blog/later')), pages.read().posts.length]
    }
    expect(await seen()).toEqual([false, false, 1])
    const version = pages.version()
    world.forward(hour / 2)
    expect(pages.version()).toBe(version)
    world.forward(hour / 2)
    expect([pages.version() === version, await seen()]).toEqual([false, [true, true, 2]])
  })
})

test('API-19 ?limit and ?cursor give the list page by page, each with a link to the next', async () => {
  for (const slug of ['a', 'b', 'c', 'd', 'e']) post(slug, june(slug < 'd' ? 1 : 2))
  const whole = await slugs()
  const walked: string[][] = []
  for (let path: string | undefined = '/api/blog?limit=2'; path !== undefined; ) {
    const response = await world.call(path)
    walked.push((await response.json()).map(({ slug }: BlogPostSummary) => slug))
    path = response.headers.get('link')?.match(/^<(\/api\/blog\?limit=2&cursor=[\w-]+)>; rel="next"$/)?.[1]
  }
  expect(walked).toEqual([whole.slice(0, 2), whole.slice(2, 4), whole.slice(4)])
  expect((await get('/api/blog?limit=5')).body.length).toBe(5)
  expect((await get('/api/blog?cursor=nothing')).body).toEqual([])
  expect((await get('/api/blog?limit=0')).status).toBe(422)
})

describe('GET /api/blog/{slug}', () => {
  test('CALLS-7 BLOG-5 is the post with its content, and the older and the newer one', async () => {
    for (const [index, slug] of ['first', 'second', 'third'].entries()) post(slug, june(index + 1))
    post('draft', june(2), { isPublished: false })
    const ends = async (slug: string) => {
      const { body } = await get(`/api/blog/${slug}`)
      return [body.content, body.previous?.slug ?? null, body.next?.slug ?? null]
    }
    expect(await ends('first')).toEqual(['<p>x</p>', null, 'second'])
    expect(await ends('second')).toEqual(['<p>x</p>', 'first', 'third'])
    expect(await ends('third')).toEqual(['<p>x</p>', 'second', null])
    expect((await get('/api/blog/second')).body.next).toEqual({ slug: 'third', title: 'THIRD' })
  })

  test('CALLS-7 posts of the same time follow each other, each once', async () => {
    for (const slug of ['a', 'b', 'c']) post(slug, june(1))
    const list = await slugs()
    const walked: string[] = []
    for (let slug: string | undefined = list[0]; slug !== undefined; ) {
      walked.push(slug)
      slug = (await get(`/api/blog/${slug}`)).body.previous?.slug
    }
    expect([walked, walked.length]).toEqual([list, 3])
  })

  test('BLOG-6 EMSG-22 BLOG-12 an unknown post, and one that is not published, are not found', async () => {
    post('draft', june(1), { isPublished: false })
    for (const slug of ['draft', 'nothing', 'Draft', "x' or 1=1", '%2e%2e']) {
      const { status, body } = await get(`/api/blog/${encodeURIComponent(slug)}`)
      expect([slug, status, body.error.code, body.error.message]).toEqual([slug, 404, 'not_found', 'POST NOT FOUND'])
    }
  })

  test('BLOG-5 HTML is cleaned when it is stored, and again when it is read', async () => {
    post('vans', june(1), { content: '<p onclick="alert(1)">a<script>alert(1)</script></p>' })
    const stored = () => world.ctx.sqlite.prepare('select content from blog_posts').pluck().get()
    expect(stored()).toBe('<p>a</p>')
    world.ctx.sqlite.exec(`update blog_posts set content = '<p>b</p><img src=x onerror=alert(1)>'`)
    invalidateResponses(world.ctx)
    expect((await get('/api/blog/vans')).body.content).toBe('<p>b</p>')
  })
})

test('BLOG-5 the reading time is that of the visible text, and is computed quickly', async () => {
  post('vans', june(1))
  const hidden = `<script>${'word '.repeat(660)}</script>${'<'.repeat(50_000)}`
  world.ctx.sqlite.prepare('update blog_posts set content = ?').run(hidden)
  invalidateResponses(world.ctx)
  // CPU time, because the machine may have other work.
  const before = process.cpuUsage()
  const [{ readingMinutes }] = (await get('/api/blog')).body
  expect([readingMinutes, (await get('/api/blog/vans')).body.readingMinutes]).toEqual([1, 1])
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(1_500)
})

test('BLOG-9 an invalid slug, picture or date is not stored', () => {
  const wrong = [
    ...['', 'Vans', 'a b', 'a--b', '-a', '../x'].map((slug) => ({ slug })),
    ...['pictures/x.png', '/pictures/../api/logout', '/api/logout', 'https://a.example/x.png', '//a.example', 'x'].map(
      (featuredImage) => ({ featuredImage }),
    ),
    ...['soon', '12 June 2026'].map((publishedAt) => ({ publishedAt })),
  ]
  for (const more of wrong) expect(() => post('vans', june(1), more), JSON.stringify(more)).toThrow()
  expect(world.ctx.sqlite.prepare('select count(*) from blog_posts').pluck().get()).toBe(0)
  post('vans', june(1), { featuredImage: '/pictures/blog/x.png' })
})

test('BLOG-5 no picture of another site is shown, not even one that is already stored', async () => {
  post('vans', june(1), { content: '<p>a<img src="https://tracker.example/a.gif"></p>' })
  expect(world.ctx.sqlite.prepare('select content from blog_posts').pluck().get()).toBe('<p>a</p>')
  world.ctx.sqlite
    .prepare('update blog_posts set featuredImage = ?, content = ?')
    .run('https://tracker.example/a.gif', '<p>b<img src="https://tracker.example/a.gif"></p>')
  invalidateResponses(world.ctx)
  const { body } = await get('/api/blog/vans')
  expect([body.featuredImage, body.content]).toEqual([null, '<p>b</p>'])
  expect((await get('/api/blog')).body[0].featuredImage).toBeNull()
})

test('BLOG-5 a picture or link in a post logs no reader out', async () => {
  const own = world.ctx.settings.publicUrl
  const content = `<p>a<img src="/api/logout"><img src="${own}/api/logout"><a href="${own}/api/logout">b</a></p>`
  post('vans', june(1), { content })
  expect((await get('/api/blog/vans')).body.content).toBe('<p>ab</p>')
})

describe('the posts of the first day', () => {
  test('BLOG-9 each is at the slug of its title, and none twice', () => {
    expect(postSeeds.map(({ slug }) => slug)).toEqual(postSeeds.map(({ title }) => slugOf(title)))
    expect(new Set(postSeeds.map(({ slug }) => slug)).size).toBe(postSeeds.length)
  })

  test('BLOG-5 the cleaner takes nothing from them', () => {
    for (const { content } of postSeeds) expect(cleanHtml(content)).toBe(content.trim())
  })
})

/** Published at one time. */
function addMany(count: number, content: string): void {
  const add = world.ctx.sqlite.prepare(
    `insert into blog_posts (id, title, slug, content, author, isPublished, publishedAt, createdAt, updatedAt)
     values (?, ?, ?, ?, 'Coach', 1, ?1, ?1, ?1)`.replaceAll('?1', `'2026-01-01T00:00:00.000Z'`),
  )
  world.ctx.sqlite.transaction(() => {
    for (let at = 0; at < count; at += 1) add.run(`many-${at}`, `Post ${at}`, `many-${at}`, content)
  })()
}

test('a list of thousands of posts is made in turns, whole and once for all who ask meanwhile', async () => {
  addMany(4_000, '<p>x</p>')
  let [turns, isOver] = [0, false]
  const counting = (async () => {
    for (; !isOver; turns += 1) await setImmediate()
  })()
  const ask = async (headers = {}) => {
    const response = await world.call('/api/blog', { headers })
    const ids = response.status === 304 ? [] : (await response.json()).map(({ id }: BlogPostSummary) => id)
    return { ids, etag: response.headers.get('etag') ?? '', status: response.status }
  }
  const [one, other] = await Promise.all([ask(), ask()])
  isOver = true
  await counting
  expect(turns).toBeGreaterThanOrEqual(8)
  expect(new Set(one.ids).size).toBe(4_000)
  expect(one.ids).toEqual(other.ids)
  expect(one.ids).toEqual([...one.ids].sort().reverse())
  invalidateResponses(world.ctx)
  expect(await ask({ 'if-none-match': one.etag })).toMatchObject({ status: 304 })
})

test('a list of thousands of posts holds nobody up, and each time to read is right once its words are counted', {
  tags: ['full'],
}, async () => {
  const paragraph = `<p>${'Some words about <a href="https://example.com/a-long-address">the trade</a> and a job well. '.repeat(90)}</p>`
  const count = 5_000
  addMany(count, paragraph)
  const minutes = async () => {
    const posts: { id: string; readingMinutes: number }[] = await (await world.call('/api/blog')).json()
    return posts.filter(({ id }) => id.startsWith('many-')).map(({ readingMinutes: each }) => each)
  }
  const before = process.threadCpuUsage()
  expect(await minutes()).toHaveLength(count)
  const { user, system } = process.threadCpuUsage(before)
  // Cleaning all of them takes four seconds.
  expect((user + system) / 1000).toBeLessThan(1_000)
  await expect.poll(async () => new Set(await minutes()), { timeout: 60_000 }).toEqual(new Set([4]))
})
