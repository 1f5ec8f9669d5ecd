import { expect, test } from 'vitest'
import { addPost, findPost, listPosts } from '#api/features/site/blog/service.ts'
import { startWorld } from '#api/testing/world.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData, pageTexts } from '#pwa/testing/public-data.ts'

const { ctx } = startWorld()
for (const { daysAgo, ...post } of postSeeds)
  addPost(ctx, { ...post, publishedAt: new Date(Date.UTC(2026, 5, 12 - daysAgo, 8)).toISOString() })

const render = async (path: string, data = { ...pageData, posts: listPosts(ctx), postBySlug: bySlug }) => {
  const renderer = createPageRenderer(data)
  const page = await renderer.render(renderer.find(path), path)
  return { ...page, text: page.html.replace(/<[^>]*>/g, '').replaceAll('&#x27;', "'") }
}
const bySlug = (slug: string) => findPost(ctx, slug)

test('BLOG-1 BLOG-2 BLOG-4 the newest post is featured, the others stand under their heading, each leads to its page', async () => {
  const { older } = pageTexts.blog
  const { text, html } = await render('/blog')
  const [newest, ...rest] = listPosts(ctx)
  const [featured = '', others = ''] = html.split(`>${older.heading}</h2>`)
  const slugsIn = (part: string) => new Set([...part.matchAll(/href="\/blog\/([\w-]+)"/g)].map(([, slug]) => slug))
  expect([...slugsIn(featured)]).toEqual([newest?.slug])
  expect([...slugsIn(others)]).toEqual(rest.map(({ slug }) => slug))
  expect(newest?.title).toBe('Pricing a job properly')
  expect(text).not.toContain('Your first lad')
  for (const { slug, isPublished } of postSeeds) expect(html.includes(`href="/blog/${slug}"`)).toBe(isPublished)
})

test('search engines read who wrote a post: a person, or the organisation for all of its coaches', async () => {
  const post = { title: 'Vans', content: '<p>Vans</p>', isPublished: true }
  addPost(ctx, { ...post, slug: 'of-all' })
  addPost(ctx, { ...post, slug: 'of-one', author: 'Olive Hart' })
  const authorOf = async (slug: string) => JSON.parse((await render(`/blog/${slug}`)).head.jsonLd[0] ?? '{}').author
  expect(await authorOf('of-all')).toMatchObject({ '@type': 'Organization', name: pageData.content.brand.name })
  const { name } = pageData.content.brand
  addPost(ctx, { ...post, slug: 'of-us', author: name })
  expect(await authorOf('of-us')).toMatchObject({ '@type': 'Organization', name })
  expect(await authorOf('of-one')).toEqual({ '@type': 'Person', name: 'Olive Hart' })
})

test('BLOG-3 without posts the podcast is shown', async () => {
  const { text, html } = await render('/blog', pageData)
  const { empty, older } = pageTexts.blog
  expect(text).toContain(empty.heading)
  const [, action] = /<a[^>]*href="\/podcast"[^>]*><span>([^<]*)/.exec(html.slice(html.indexOf('<main'))) ?? []
  expect(action).toBe(empty.action)
  expect(text).not.toContain(older.heading)
})

test('BLOG-5 BLOG-7 a post has its picture, author, date, excerpt and HTML, its neighbours and a way to the coaching', async () => {
  const { text, html, head } = await render('/blog/getting-paid-on-time')
  for (const said of [
    'The coaches',
    '31 May 2026',
    'Getting paid on time',
    'Most late payers have never been asked',
    '3 min',
  ])
    expect(text).toContain(said)
  expect(html).toContain('src="/pictures/blog-paid.svg"')
  expect(html).toContain('<h2>Agree it before you start</h2>')
  expect(html).toContain('href="/blog/pricing-a-job-properly"')
  expect(html).toContain('href="/blog/letting-go-of-the-tools"')
  expect(html).toMatch(/<section class="last on-blade">.*href="\/coaching"/s)
  expect(head.type).toBe('article')
  expect(JSON.parse(head.jsonLd[0] ?? '')).toMatchObject({
    '@type': 'BlogPosting',
    headline: 'Getting paid on time',
    datePublished: '2026-05-31T08:00:00.000Z',
    image: 'http://localhost/social/blog.png',
    mainEntityOfPage: 'http://localhost/blog/getting-paid-on-time',
  })
})

test('BLOG-6 EMSG-22 a post that is not there, or not yet published, says so and leads back', async () => {
  for (const path of ['/blog/nope', '/blog/your-first-lad-what-has-to-be-true']) {
    const { kind, text, html } = await render(path)
    expect([kind, text.includes('POST NOT FOUND')]).toEqual(['missing', true])
    expect(html).toMatch(/href="\/blog"[^>]*><span>Back to the blog/)
  }
})
