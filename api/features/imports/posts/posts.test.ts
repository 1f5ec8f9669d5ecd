import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/jobs/run.ts'
import { projectFolder } from '#api/project.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type OutsideServer, startOutside } from '#api/testing/outside.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import type { Import, ImportRow } from '#shared/contract/imports.ts'
import { chunkType, maxChunkBytes, offsetHeader } from '#shared/contract/upload-piece.ts'

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

async function moveIn(name: string, content: Buffer, options: object = {}): Promise<Import & { remarks: ImportRow[] }> {
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
    ...{ state: 'planned', problem: 'This is a table, not posts. Move it in as members or videos.' },
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
