// @module-tag full
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { notePosition } from '#api/file-position.ts'
import { FileCutOff, openInProcess } from '#api/file-process.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { actOnImport, planFile, startImports } from '#api/testing/imports.ts'
import type { ReadRow } from './kind-rules.ts'
import { openPosts } from './posts/posts-file-service.ts'

const megabyte = 1024 ** 2

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-large-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Written piece by piece, so that this test holds none of it whole. */
function fileOf(pieces: Iterable<string>): string {
  const path = join(folder, 'file')
  const descriptor = openSync(path, 'w')
  for (const piece of pieces) writeSync(descriptor, piece)
  closeSync(descriptor)
  return path
}

const paragraph = '<p>A quote that goes out on the day is a job that’s half won, and nobody rings twice.</p>\n'

function* wordpress(posts: number, characters: number): Generator<string> {
  yield '<?xml version="1.0"?><rss><channel><wp:base_site_url>https://old.example</wp:base_site_url>'
  for (let at = 1; at <= posts; at += 1)
    yield `<item><title>Post ${at}</title><link>https://old.example/2021/post-${at}</link><content:encoded><![CDATA[<!-- wp:paragraph -->${paragraph.repeat(characters / paragraph.length)}]]></content:encoded><wp:post_id>${at}</wp:post_id><wp:post_name>post-${at}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><wp:postmeta><wp:meta_key>x</wp:meta_key><wp:meta_value><![CDATA[y]]></wp:meta_value></wp:postmeta></item>`
  yield '</channel></rss>'
}

const posts = { as: 'posts', what: 'post', options: { fileName: 'file' } } as const

/** Reads a file to its end, and says what became of it. */
async function readAll(path: string, how: Parameters<typeof openInProcess>[1]) {
  let [read, refused] = [0, 0]
  const { rows, close } = await openInProcess<unknown, ReadRow<unknown>>(path, how)
  try {
    for await (const row of rows) {
      read += 1
      if ('refused' in row) refused += 1
    }
  } finally {
    close()
  }
  return { read, refused }
}

test('an export of 200 MB with 20,000 posts is read within its limits', { timeout: 600_000 }, async () => {
  expect(await readAll(fileOf(wordpress(20_000, 10_000)), posts)).toEqual({ read: 20_000, refused: 0 })
})

test('a Ghost export of 200 MB with as many posts, too', { timeout: 600_000 }, async () => {
  function* ghost() {
    yield '{"db":[{"data":{"posts":['
    for (let at = 1; at <= 20_000; at += 1) {
      const html = paragraph.repeat(55)
      const post = { id: at, title: `Post ${at}`, slug: `post-${at}`, html, mobiledoc: html, status: 'published' }
      yield `${at > 1 ? ',' : ''}${JSON.stringify(post)}`
    }
    yield ']}}]}'
  }
  expect(await readAll(fileOf(ghost()), posts)).toEqual({ read: 20_000, refused: 0 })
})

/** `IMPORTED_ROWS=500000` is what docs/moving-in.md promises, and takes minutes. */
const imported = Number(process.env.IMPORTED_ROWS ?? 100_000)

test(`a table of ${imported} rows is planned and moved in`, { timeout: 1_800_000 }, async () => {
  const { world, call } = startImports()
  const rows = Array.from({ length: imported }, (_, at) => `p${at}@example.com,Pat ${at},01/02/2026,yes`)
  const content = `email,name,joined,subscribed\n${rows.join('\n')}`
  const planned = await planFile(world, call, { kind: 'members', name: 'm.csv', content })
  expect(planned).toMatchObject({ problem: null, counts: { new: imported } })
  expect(await actOnImport(world, call, planned.id, 'apply')).toMatchObject({ state: 'applied', done: imported })
})

test('what takes too much memory is refused, with the post where it stood', { timeout: 600_000 }, async () => {
  function* hostile() {
    const [head = '', ...rest] = wordpress(3, 200)
    yield head
    yield* rest.slice(0, -1)
    yield '<item><title>'
    // Names of elements are held whole.
    yield '<a'
    for (let at = 0; at < 700; at += 1) yield 'a'.repeat(megabyte)
  }
  const path = fileOf(hostile())
  await expect(readAll(path, posts)).rejects.toThrow(
    'Reading this file takes more than 512 MB of memory. We stopped at post 4. Take out anything large there, or split the file.',
  )
  await expect(readAll(path, posts)).rejects.toBeInstanceOf(FileCutOff)
})

test.each([0, 3])('of Ghost too, with the post after %i whole ones', { timeout: 600_000 }, async (whole) => {
  function* hostile() {
    yield '{"data":{"posts":['
    for (let at = 1; at <= whole; at += 1) yield `${JSON.stringify({ id: at, title: `Post ${at}`, html: paragraph })},`
    yield '{"id":9,"title":"Large","tags":[{}'
    for (let at = 0; at < 100; at += 1) yield ',{}'.repeat(megabyte / 4)
    yield ']}]}}'
  }
  await expect(readAll(fileOf(hostile()), posts)).rejects.toThrow(
    `Reading this file takes more than 512 MB of memory. We stopped at post ${whole + 1}.`,
  )
})

/** The place is kept in a file here, as in the process of its own. */
test.each([
  ['WordPress', () => fileOf(wordpress(3, 200))],
  [
    'Ghost',
    () => {
      const list = [1, 2, 3].map((id) => ({ id, title: `Post ${id}`, slug: `post-${id}`, html: paragraph }))
      return fileOf([JSON.stringify({ data: { posts: list } })])
    },
  ],
])('while a post of %s is put together, the place is that post', async (_of, made) => {
  const path = made()
  const place = join(folder, 'place')
  const descriptor = openSync(place, 'wx')
  notePosition(descriptor)
  try {
    const { rows } = await openPosts(path, { fileName: 'file' })
    const places: [number, number][] = []
    for await (const { line } of rows) places.push([line, Number(readFileSync(place, 'utf8'))])
    expect(places).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  } finally {
    notePosition(null)
    closeSync(descriptor)
  }
})

test('a post of 600 MB costs itself alone', { timeout: 600_000 }, async () => {
  function* long() {
    const [head = '', first = '', second = ''] = wordpress(2, 200)
    yield `${head}${first}<item><title>Long</title><wp:post_type>post</wp:post_type><content:encoded><![CDATA[`
    for (let at = 0; at < 600; at += 1) yield 'a'.repeat(megabyte)
    yield `]]></content:encoded></item>${second}</channel></rss>`
  }
  expect(await readAll(fileOf(long()), posts)).toEqual({ read: 3, refused: 1 })
})

test('a plan of a hostile file is refused, and the next file is read', { timeout: 600_000 }, async () => {
  const { world, call } = startImports()
  const content = `${[...wordpress(2, 200)].slice(0, -1).join('')}<!--${'-'.repeat(10 * megabyte)}`
  expect(await planFile(world, call, { kind: 'posts', name: 'a.xml', content })).toMatchObject({
    problem: 'This file is cut short or damaged. Export it from WordPress again.',
  })
  const next = [...wordpress(2, 200)].join('')
  const planned = await planFile(world, call, { kind: 'posts', name: 'b.xml', content: next })
  expect(await actOnImport(world, call, planned.id, 'apply')).toMatchObject({ state: 'applied', done: 2 })
  expect(rowsOf(world, 'blog_posts')).toHaveLength(2)
})
