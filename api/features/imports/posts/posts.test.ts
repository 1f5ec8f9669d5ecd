import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { projectFolder } from '#api/project.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type OutsideServer, startOutside } from '#api/testing/outside.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import type { Import, ImportRow } from '#shared/contract/imports.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'
import { importSentence, planLines } from '#shared/rules/imports.ts'

const samples = join(projectFolder, 'data/samples/imports')
const png = readFileSync(join(samples, 'markdown/pictures/van.png'))

let asked: string[] = []
let outside: OutsideServer
let world: World
let owner: Call
beforeEach(() => {
  asked = []
  outside = startOutside((request) => {
    const { pathname } = new URL(request.url)
    asked.push(pathname)
    if (pathname.endsWith('/moved.png')) return Response.redirect('https://169.254.169.254/', 302)
    if (pathname.endsWith('/page.png')) return new Response('<html><script>alert(1)</script></html>')
    if (pathname.endsWith('/large.png')) return new Response('x'.repeat(21 * 1024 ** 2))
    return pathname.endsWith('.png') ? new Response(png) : new Response('Gone', { status: 404 })
  })
  world = startWorld({ outside: outside.network })
  owner = world.signIn(world.addOwner())
})
afterEach(() => outside.stop())

const read = async <Body>(response: Promise<Response>) => (await response).json() as Promise<Body>

async function moveIn(
  name: string,
  content: Buffer,
  options: object = {},
  meanwhile = async () => {},
): Promise<Import & { remarks: ImportRow[] }> {
  const fingerprint = createHash('sha256').update(content).digest('hex')
  const body = { name, bytes: content.length, fingerprint, isPublic: false, isImport: true }
  const { id: upload } = await read<{ id: string }>(owner('/api/admin/media/uploads', { body }))
  for (let offset = 0; offset < content.length; offset += maxChunkBytes)
    await owner(`/api/admin/media/uploads/${upload}`, {
      method: 'PATCH',
      body: content.subarray(offset, offset + maxChunkBytes),
      headers: { 'content-type': chunkType, [offsetHeader]: String(offset) },
    })
  const { id } = await read<Import>(owner('/api/admin/imports', { body: { kind: 'posts', upload, options } }))
  await runJob(world.ctx, 'imports')
  await meanwhile()
  await owner(`/api/admin/imports/${id}/apply`, { method: 'POST' })
  await runJob(world.ctx, 'imports')
  const rows = await read<ImportRow[]>(owner(`/api/admin/imports/${id}/rows?remarked=true&limit=1000`))
  const given = await read<Import>(owner(`/api/admin/imports/${id}`))
  return { ...given, remarks: rows }
}

/** The sample, at the address of a site that answers. */
const wordpress = () =>
  Buffer.from(readFileSync(join(samples, 'wordpress.xml'), 'utf8').replaceAll('https://old.example', outside.at('')))

const contentOf = (slug: string) => String(rowsOf(world, 'blog_posts').find((row) => row.slug === slug)?.content)

test('a WordPress site moves in: each picture is fetched once, links between posts hold, what it can’t keep is named', async () => {
  const done = await moveIn('wordpress.xml', wordpress())
  expect(done).toMatchObject({ state: 'applied', source: 'wordpress', counts: { new: 4, refused: 2 }, failed: 0 })
  expect(asked).toEqual(['/wp-content/uploads/2021/03/diary.png'])
  expect(contentOf('second-visit')).toMatch(
    /^<p>Say it before the first one\.<\/p>\s*<p>Then it’s no surprise\. See <a href="\/blog\/a-full-diary">[\s\S]*<figure><img src="\/media\/[^"]+\.png" alt="A diary"[^>]*><figcaption> ?The diary/,
  )
  expect(contentOf('a-full-diary')).toContain('<a href="https://youtu.be/aqz-KE-bpKQ"')
  expect(rowsOf(world, 'blog_posts').map(({ slug, isPublished }) => [slug, isPublished])).toEqual([
    ['second-visit', 1],
    ['a-full-diary', 1],
    ['not-ready', 0],
    ['for-friends', 0],
  ])
  expect(rowsOf(world, 'old_addresses').map(({ path }) => path)).toEqual([
    ...['/2021/03/second-visit', '/2021/03/a-full-diary', '/2021/03/for-friends'],
  ])
  expect(done.remarks.map(({ reason }) => reason)).toEqual([
    '“Charging for a second visit”: Left out: 1 × [gallery].',
    '“For friends”: It had a password, and anyone can read posts here. So it’s a draft.',
  ])
})

const ghost = (html: string, status = 'published') =>
  Buffer.from(
    JSON.stringify({ data: { posts: [{ id: '1', title: 'One', slug: 'one', html, status, published_at: 0 }] } }),
  )

test('a Ghost post that only went out by email stays a draft, and says so', async () => {
  const done = await moveIn('ghost.json', ghost('<p>Words</p>', 'sent'))
  expect(done.remarks.map(({ reason }) => reason)).toEqual(['“One”: It only ever went out by email. So it’s a draft.'])
  expect(rowsOf(world, 'blog_posts')).toMatchObject([{ isPublished: 0 }])
})

test('a picture that redirects, is none, is too large, gone or at home is left out, and the post comes all the same', {
  tags: ['full'],
}, async () => {
  const names = ['moved.png', 'page.png', 'large.png', 'gone.jpg', 'fine.png']
  const pictures = names.map((name) => `<img src="__GHOST_URL__/content/images/${name}">`)
  const done = await moveIn(
    'ghost.json',
    ghost(`<p>Words</p>${pictures.join('')}<img src="data:image/png;base64,AAAA">`),
    {
      site: outside.at(''),
    },
  )
  expect(done).toMatchObject({ state: 'applied', failed: 0 })
  expect(contentOf('one').match(/<img/g)).toHaveLength(1)
  const [remark] = done.remarks
  expect(remark?.reason).toContain('1 picture written into the text')
  for (const name of names.slice(0, 4)) expect(remark?.reason).toContain(`${name}: `)
  expect(rowsOf(world, 'media')).toHaveLength(1)
  expect(done.facts).toEqual([
    { fact: 'pictures', count: 1 },
    { fact: 'pictures-missing', count: 4 },
  ])
})

test('a picture whose site is gone is told as missing, and not counted', async () => {
  world = startWorld({ outside: { ...outside.network, resolve: async () => [] } })
  owner = world.signIn(world.addOwner())
  const picture = '<img src="https://gone.invalid/van.png">'
  const done = await moveIn('ghost.json', ghost(`<p>Words</p>${picture}`))
  expect(done.remarks.map(({ reason }) => reason)).toEqual([
    '“One”: Without 1 picture: van.png: We couldn’t reach gone.invalid, so this picture’s missing.',
  ])
  expect(done.facts).toEqual([{ fact: 'pictures-missing', count: 1 }])
})

test('what isn’t posts is refused, an address needs no https://, and the audit log names who moved it in', async () => {
  const table = await moveIn('members.csv', Buffer.from('email,name\nsam@example.com,Sam'))
  expect(table).toMatchObject({
    state: 'planned',
    problem: 'This is a table, not posts. Move it in as members or videos.',
    rows: 0,
  })
  const site = outside.at('').replace(/^https:\/\//, '')
  const { id, options } = await moveIn('ghost.json', ghost('<p>Words</p><img src="__GHOST_URL__/fine.png">'), { site })
  expect(options.site).toBe(`https://${site}`)
  await owner(`/api/admin/imports/${id}/undo`, { method: 'POST' })
  await runJob(world.ctx, 'imports')
  const entries = rowsOf(world, 'audit_entries').filter(({ action }) => /^(post\.|media\.added)/.test(String(action)))
  expect(entries.map(({ action, actor }) => [action, String(actor).slice(0, 5)])).toEqual([
    ...[
      ['media.added', 'user:'],
      ['post.created', 'user:'],
      ['post.removed', 'user:'],
    ],
  ])
})

const reasonsOf = ({ remarks }: { remarks: ImportRow[] }) => remarks.map(({ reason }) => reason)

const refusalsOf = async ({ id }: Import) =>
  (await read<ImportRow[]>(owner(`/api/admin/imports/${id}/rows?outcome=refused`))).map(({ reason }) => reason)

const ghostFile = (data: object) => Buffer.from(JSON.stringify({ db: [{ data }] }))

test('a redirect that stands alone is no post: the plan, the report and taking it out count it as what it is', {
  tags: ['full'],
}, async () => {
  const zip = (...posts: object[]) =>
    Buffer.from(
      zipSync({
        'site.json': ghostFile({ posts }),
        'redirects.yaml': strToU8('301:\n  /old-van: /blog/van\n  /older-van: /blog/van\n'),
      }),
    )
  const post = { id: 1, title: 'Lamp', slug: 'lamp', html: '<p>Words.</p>', status: 'published' }
  let plan = ''
  const planned = async () => {
    const [row] = await read<Import[]>(owner('/api/admin/imports'))
    plan = row === undefined ? '' : importSentence(row)
  }
  const done = await moveIn('site.zip', zip(post), {}, planned)
  expect([plan, importSentence(done), planLines(done)]).toEqual([
    'We’ll add 1 post and 2 redirects. Nothing’s changed yet.',
    '1 post and 2 redirects moved in.',
    [
      { label: 'New posts', count: 1 },
      { label: 'Redirects from old addresses', count: 2 },
    ],
  ])
  const again = await moveIn('again.zip', zip({ ...post, html: '<p>Other words.</p>' }), {}, planned)
  expect([plan, planLines(again)]).toEqual([
    'There’s nothing new in this file: 3 are here already.',
    [
      { label: 'New posts', count: 0 },
      { label: 'Already here, so left alone', count: 3 },
    ],
  ])
  await owner(`/api/admin/imports/${done.id}/undo`, { method: 'POST' })
  await runJob(world.ctx, 'imports')
  expect(importSentence(await read<Import>(owner(`/api/admin/imports/${done.id}`)))).toBe(
    '1 post and 2 redirects taken out again.',
  )
  expect(importSentence(await moveIn('only.zip', zip({ ...post, html: '' })))).toBe('2 redirects moved in.')
})

test.each([
  ['none.md', 'Words without a title.', 'none.md: '],
  ['null.json', 'null', 'null.json: '],
  ['wide.xml', '\ufeff<rss></rss>', 'wide.xml: '],
  ['van.textile', 'h1. Van', 'van.textile: We can’t read .textile files.'],
  ['_index.md', '---\ntitle: Blog\n---\nAll posts.', '_index.md is a section’s page, not a post.'],
])('%s, which is chosen alone, is refused by its own name', async (name, text, reason) => {
  const done = await moveIn(name, Buffer.from(text, name.endsWith('.xml') ? 'utf16le' : 'utf8'))
  expect(await refusalsOf(done)).toEqual([expect.stringContaining(reason)])
  expect((await refusalsOf(done))[0]).toMatch(new RegExp(`^${name}`))
})

test('a file of Markdown that’s chosen alone has its day and address from its name', async () => {
  const done = await moveIn('2024-03-05-van-tips.md', Buffer.from('---\ntitle: Tips\n---\nWords.'))
  expect(done).toMatchObject({ state: 'applied', counts: { new: 1 } })
  expect(rowsOf(world, 'blog_posts')).toMatchObject([{ slug: 'van-tips', publishedAt: '2024-03-05T09:00:00.000Z' }])
})

test('a ZIP with nothing in it has no posts', async () => {
  const done = await moveIn('empty.zip', Buffer.from(zipSync({})))
  expect(done.problem).toBe(
    'There are no posts in this file. Use an export from Ghost or WordPress, or Markdown files.',
  )
})

test('Ghost before 1.0 keeps its main picture under another name, and a caption isn’t lost', {
  tags: ['full'],
}, async () => {
  const post = {
    id: 1,
    title: 'Van &amp; <em>day</em>',
    slug: 'van-day.html',
    html: '<p>Words.</p>',
    page: 0,
    status: 'published',
  }
  const old = { ...post, image: '/content/images/2017/08/van.png', published_at: '2017-08-01T10:00:00.000Z' }
  await moveIn('ghost.json', ghostFile({ posts: [old] }), { site: outside.at('') })
  expect(rowsOf(world, 'blog_posts')).toMatchObject([
    { title: 'Van & day', slug: 'van-day-html', featuredImage: expect.stringMatching(/^\/media\/.*\.png$/) },
  ])
  const meta = { feature_image_caption: '<span>Photo by <a href="https://a.example">Pat</a></span>' }
  const posts = [
    { ...post, id: 2, slug: 'two', feature_image: `${outside.at('')}/two.png` },
    { ...post, id: 3, slug: 'three', feature_image: `${outside.at('')}/three.png` },
  ]
  const posts_meta = [
    { post_id: 2, ...meta },
    { post_id: 3, ...meta, feature_image_alt: 'A van' },
  ]
  const done = await moveIn('ghost.json', ghostFile({ posts, posts_meta }))
  const alts = rowsOf(world, 'blog_posts').map(({ slug, featuredImageAlt }) => [slug, featuredImageAlt])
  expect(Object.fromEntries(alts)).toMatchObject({ two: 'Photo by Pat', three: 'A van' })
  expect(reasonsOf(done)).toEqual(['“Van & day”: Left out: the main picture’s caption, “Photo by Pat”.'])
})

const wxr = (...items: string[]) =>
  Buffer.from(
    `<?xml version="1.0"?><rss><channel><wp:base_site_url>${outside.at('')}</wp:base_site_url>${items
      .map(
        (content, at) =>
          `<item><title>Post ${at}</title><wp:post_name>post-${at}</wp:post_name><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${content}]]></content:encoded></item>`,
      )
      .join('')}</channel></rss>`,
  )

test('WordPress’ marks for players and old Flash players become links, and any other mark is counted', async () => {
  const done = await moveIn(
    'wordpress.xml',
    wxr(
      `Watch.
[youtube=http://www.youtube.com/watch?v=aqz-KE-bpKQ&amp;w=640&amp;h=390]
[youtube https://youtu.be/aqz-KE-bpKQ]
[vimeo 12345678 w=400&h=300]
[audio https://a.example/talk.mp3|titles=Talk]
[soundcloud url="https://api.soundcloud.com/tracks/123" params="x" width="100%"]
<object width="425"><param name="movie" value="http://www.youtube.com/v/aqz-KE-bpKQ&hl=en"></param><embed src="http://www.youtube.com/v/aqz-KE-bpKQ"></embed></object>
<embed src="https://player.example/x.swf">
[recipe id=3] and [sic] stay, [gallery ids="1,2"] goes, a [link](https://a.example) is none.`,
    ),
  )
  expect([...contentOf('post-0').matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    'http://www.youtube.com/watch?v=aqz-KE-bpKQ',
    'https://youtu.be/aqz-KE-bpKQ',
    'https://vimeo.com/12345678',
    'https://a.example/talk.mp3',
    'https://api.soundcloud.com/tracks/123',
    'http://www.youtube.com/watch?v=aqz-KE-bpKQ',
    'https://player.example/x.swf',
  ])
  expect(contentOf('post-0')).toMatch(/\[recipe id=3\] and \[sic\] stay,\s+goes/)
  expect(reasonsOf(done)).toEqual([
    '“Post 0”: Left out: 1 embed from www.youtube.com, now a link; 1 embed from player.example, now a link; 1 embed from www.youtube.com, now a link; 1 embed from youtu.be, now a link; 1 embed from vimeo.com, now a link; 1 audio player, now a link; 1 embed from api.soundcloud.com, now a link; 1 × [recipe], left as text; 1 × [sic], left as text; 1 × [gallery].',
  ])
})

test('WordPress.com’s other marks become links by their ids, and blocks it makes itself are counted', async () => {
  const done = await moveIn(
    'wordpress.xml',
    wxr(
      `<!-- wp:paragraph --><p>Watch.</p><!-- /wp:paragraph -->[dailymotion id=x8abcde] [wpvideo AbCdEfGh w=640] [tweet 1234567890]
[spotify https://open.spotify.com/track/1] [instagram url=https://www.instagram.com/p/x/]
<!-- wp:latest-posts {"postsToShow":3} /--><!-- wp:block {"ref":12} /--><!-- wp:block {"ref":13} /-->
[contact-form][contact-field label="Name" type="name"/][/contact-form]`,
    ),
  )
  expect([...contentOf('post-0').matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    'https://www.dailymotion.com/video/x8abcde',
    'https://videopress.com/v/AbCdEfGh',
    'https://x.com/i/status/1234567890',
    'https://open.spotify.com/track/1',
    'https://www.instagram.com/p/x/',
  ])
  expect(contentOf('post-0')).not.toMatch(/\[|wp:/)
  expect(reasonsOf(done)).toEqual([
    expect.stringMatching(/; 1 latest-posts block; 2 reused blocks; 1 × \[contact-form\]; 1 × \[contact-field\]\.$/),
  ])
})

test('a post that has been written here since the plan says so, in words of its own', async () => {
  const post = { title: 'Another', slug: 'one', content: '<p>Mine</p>', isPublished: false, publishedAt: null }
  const done = await moveIn('ghost.json', ghost('<p>Words</p>'), {}, async () => {
    expect((await owner('/api/admin/blog', { body: { ...post, excerpt: '', author: '' } })).status).toBe(200)
  })
  const rows = await read<ImportRow[]>(owner(`/api/admin/imports/${done.id}/rows?outcome=refused`))
  expect(rows.map(({ reason }) => reason)).toEqual(['“One”: You already have a post at /blog/one.'])
})

test('a picture we can’t get leaves no empty link behind', async () => {
  const picture = `<a href="${outside.at('')}/large"><img src="${outside.at('')}/gone.jpg"></a>`
  await moveIn('wordpress.xml', wxr(`<p>Before</p>\n\n${picture}\n\n<p>After</p>`))
  expect(contentOf('post-0')).not.toMatch(/<a|<img|<p>\s*<\/p>/)
})

const zipped = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))))

test('Markdown: one name with two dates is two posts, the same file twice is one', async () => {
  const post = (text: string) => `---\ntitle: "Printer trouble"\ndate: 2024-07-05 00:00:00\n---\n\n${text}\n`
  const done = await moveIn(
    'blog.zip',
    zipped({
      '_posts/2024-07-05-printer-trouble.md': post('It stopped.'),
      '_posts/2024-08-23-printer-trouble.md': post('A new driver mended it.'),
      'copy/2024-08-23-printer-trouble.md': post('A new driver mended it.'),
    }),
  )
  expect(done.counts).toMatchObject({ new: 2, double: 1 })
  expect(rowsOf(world, 'blog_posts').map(({ slug }) => slug)).toEqual(['printer-trouble', 'printer-trouble-2'])
})

test('Markdown: main pictures in fields of their own, and Jekyll’s marks', async () => {
  const files = {
    '2024-01-01-first.md': '---\ntitle: First\nfeature_image: /images/a.png\nauthor:\n  name: Sam\n---\nWords.',
    '2024-01-02-second.md': '---\ntitle: Second\ncover:\n  image: /images/b.png\n  alt: A van\n---\nWords.',
    '2024-01-03-third.md': `---
title: Third
image:
  path: /images/c.png
---
See [the first]({% post_url 2024-01-01-first %}) and [home]({{ site.url }}/about).

{% highlight ruby %}
puts 1
{% endhighlight %}

{% include note.html %}{{ page.title }}`,
  }
  const done = await moveIn('blog.zip', zipped(files), { site: outside.at('') })
  const posts = rowsOf(world, 'blog_posts')
  expect(posts.map(({ slug, author, featuredImage }) => [slug, author, Boolean(featuredImage)])).toEqual([
    ['first', 'Sam', true],
    ['second', 'The coaches', true],
    ['third', 'The coaches', true],
  ])
  expect(posts[1]).toMatchObject({ featuredImageAlt: 'A van' })
  expect(contentOf('third')).toMatch(/href="\/blog\/first"[\s\S]*href="\/about"[\s\S]*<pre>[\s\S]*puts 1/)
  expect(reasonsOf(done)).toEqual(['“Third”: Left out: 1 × {% include %}; 1 × {{ page.title }}.'])
})

test('Markdown: what Jekyll hides stays hidden, and what it shows as it stands is shown so', async () => {
  const windows = Buffer.from(
    '---\ntitle: Caf\u00e9 <em>roof</em> &amp; tiles\ndate: 2024-01-03\n---\n\u00a350 a day',
    'latin1',
  )
  const marks = `---
title: Marks
date: 2024-01-02
---
{% comment %}Call Sam first.{% endcomment %}
Fill in {% raw %}{{ customer.name }}{% endraw %}, at {% include price.html width="50%" %}once.

[The price list]({% link /files/prices.pdf %}){:target="_blank"} and ![A van]({{ "/van.png" | prepend: site.baseurl | prepend: site.url }})
{: .wide }

* TOC
{:toc}

{{< figure src='/roof.png' caption="Before the storm" >}}
`
  const file = Buffer.from(zipSync({ 'marks.md': strToU8(marks), 'cafe.md': windows }))
  const { remarks } = await moveIn('markdown.zip', file, { site: outside.at('') })
  expect(reasonsOf({ remarks })).toEqual([expect.stringMatching(/Left out: 1 × \{% include %\}\.$/)])
  expect(rowsOf(world, 'blog_posts').map(({ title }) => title)).toContain('Café roof & tiles')
  expect(contentOf('cafe')).toContain('£50 a day')
  const content = contentOf('marks')
  expect(content).toContain('Fill in {{ customer.name }}, at once.')
  expect(content).toMatch(/href="(https:[^"]*)?\/files\/prices\.pdf"[^>]*>The price list</)
  expect(content).toContain('Before the storm')
  expect(content.match(/<img/g)).toHaveLength(2)
  expect(content).not.toMatch(/Sam|\{:|TOC|\{%/)
})

test('Markdown: MDX loses its program and says so, a section’s page is no post, and every program’s head is read', async () => {
  const files = {
    'posts/van.mdx': `---
title: The van
date: 2024-01-01
---
import { Callout } from '../components'
import {
  Chart,
} from './chart'

export const meta = {
  author: 'Sam',
}

{/* Ask Sam. */}
<Callout type="tip">Keep it **tidy**.</Callout>

\`\`\`js
import this from 'stays'
\`\`\`

<Chart data={[1, 2]} />
`,
    'content/posts/_index.md': '---\ntitle: Blog\n---\nAll posts.',
    'content/posts/toml.md':
      '+++\ntitle = "Toml: a \\"head\\""\ndate = 2024-01-02T10:00:00+01:00\ndraft = false\ntags = ["van"]\n\n[cover]\nimage = "/a.png"\nalt = "A van"\n+++\n\nWords.',
    'content/posts/day.md': '+++\r\ntitle = "Day"\r\ndate = 2024-01-03\r\n+++\r\nWords.',
    'content/posts/json.md': '---json\n{ "title": "Json", "date": "2024-01-04", "author": "Sam" }\n---\nWords.',
    'content/posts/semi.markdown': ';;;\n{ "title": "Semicolons",\n "draft": true, "date": "2024-01-05" }\n;;;\nWords.',
    'content/posts/braces.md': '{\n  "title": "Braces",\n  "date": "2024-01-06"\n}\n\nWords.',
    'content/posts/bad.md': '+++\ntitle = "open\n+++\nWords.',
  }
  const done = await moveIn('blog.zip', zipped(files), { site: outside.at('') })
  expect([...(await refusalsOf(done)), ...reasonsOf(done)].toSorted()).toEqual([
    'content/posts/_index.md is a section’s page, not a post. Write it under Site.',
    expect.stringMatching(/^content\/posts\/bad\.md: We can’t read the lines between \+\+\+ at its top\./),
    '“The van”: Left out: 2 × import line; 1 × export line; 1 × <Callout>; 1 × <Chart>.',
  ])
  const posts = rowsOf(world, 'blog_posts').map(({ slug, title, publishedAt, isPublished }) => [
    slug,
    title,
    publishedAt,
    isPublished,
  ])
  expect(posts.toSorted()).toEqual([
    ['braces', 'Braces', '2024-01-06T09:00:00.000Z', 1],
    ['day', 'Day', '2024-01-03T09:00:00.000Z', 1],
    ['json', 'Json', '2024-01-04T09:00:00.000Z', 1],
    ['semi', 'Semicolons', '2024-01-05T09:00:00.000Z', 0],
    ['toml', 'Toml: a "head"', '2024-01-02T09:00:00.000Z', 1],
    ['van', 'The van', '2024-01-01T09:00:00.000Z', 1],
  ])
  expect(rowsOf(world, 'blog_posts').find(({ slug }) => slug === 'toml')).toMatchObject({ featuredImageAlt: 'A van' })
  expect(contentOf('van')).toContain('Keep it')
  expect(contentOf('van')).toContain('import this from')
  expect(contentOf('van')).not.toMatch(/components|meta|Ask Sam/)
})

test('Jekyll’s posts in HTML come in, those in Textile are named, and a folder of one post gives its name', async () => {
  const post = (title: string, words: string) => `---\ntitle: ${title}\ndate: 2024-01-02\n---\n${words}`
  const done = await moveIn(
    'blog.zip',
    zipped({
      '_layouts/post.html': '---\nlayout: default\n---\n{{ content }}',
      'index.html': '---\nlayout: default\n---\nHello',
      '_posts/2024-01-02-van-day.html': post('Van day', '<p>Keep it <b>tidy</b>.</p>\n    <p>Always.</p>'),
      '_posts/2011-01-02-old-words.textile': post('Old words', 'h2. Keep it'),
      'content/posts/my-bundle/index.md': post('A bundle with pictures', 'Words.'),
      'content/posts/other-bundle/index.md': post('Another', 'Words.'),
    }),
  )
  expect(await refusalsOf(done)).toEqual([
    '_posts/2011-01-02-old-words.textile: We can’t read .textile files. Save it as Markdown or HTML.',
  ])
  expect(
    rowsOf(world, 'blog_posts')
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['my-bundle', 'other-bundle', 'van-day'])
  expect(contentOf('van-day')).toMatch(/^<p>Keep it <(b|strong)>tidy<\/\1>\.<\/p>\s*<p>Always\.<\/p>$/)
})

test('addresses in letters from elsewhere are folded to ours, and one that has none is asked for', async () => {
  const post = (slug: string) => `---\ntitle: ${slug}\nslug: ${slug}\n---\nWords.`
  const done = await moveIn(
    'blog.zip',
    zipped({
      'a.md': post('müller-straße'),
      'b.md': post('Łódź'),
      'c.md': post('café'),
      'd.md': post('привет'),
      '2024-01-01-přehled.md': '---\ntitle: Overview\n---\nWords.',
      'ж.md': '---\ntitle: Привет\n---\nWords.',
    }),
  )
  expect(rowsOf(world, 'blog_posts').map(({ slug }) => slug)).toEqual(
    expect.arrayContaining(['muller-strasse', 'lodz', 'cafe', 'd', 'prehled']),
  )
  expect(await refusalsOf(done)).toEqual([
    'ж.md: We can’t make a web address from its letters. At its top, write “slug: …” with letters from a to z.',
  ])
})
