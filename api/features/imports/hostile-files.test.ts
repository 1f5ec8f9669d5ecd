import { strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { fileLimits } from '#api/file-process.ts'
import {
  actOnImport,
  beginFile,
  planFile,
  importRowsOf as rowsOf,
  showImport,
  startImports,
} from '#api/testing/imports.ts'
import { runImports } from './jobs.ts'

const megabyte = 1024 ** 2
const dataUrl = `<img src="data:image/png;base64,${'A'.repeat(1.5 * megabyte)}">`

const post = (title: string, content: string) => `<item><title>${title}</title><link>https://old.example/${title}</link>
<content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>1</wp:post_id><wp:status>publish</wp:status>
<wp:post_name>${title}</wp:post_name><wp:post_type>post</wp:post_type></item>`
const wordpress = (...items: string[]) =>
  `<?xml version="1.0"?><rss><channel><wp:base_site_url>https://old.example</wp:base_site_url>${items.join('')}</channel></rss>`
const ghostPost = (title: string, html: string) => ({ id: title, title, slug: title, html, status: 'published' })
const ghost = (...posts: object[]) => JSON.stringify({ db: [{ data: { posts } }] })

const zipOf = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strToU8(content)]))))

const tooLong = 'It has more than 1 MB in one place, such as a picture pasted into its text.'

test('a value of over 1 MB costs its own post, in each format, and the plan names it', { tags: ['full'] }, async () => {
  const { world, call } = startImports()
  const files = [
    ['wordpress.xml', wordpress(post('one', '<p>One.</p>'), post('two', dataUrl), post('three', '<p>3</p>'))],
    ['ghost.json', ghost(ghostPost('four', '<p>4</p>'), ghostPost('five', dataUrl), ghostPost('six', '<p>6</p>'))],
    ['posts.zip', zipOf({ 'a.md': '# A\n\nText', 'b.md': `# B\n\n${text(1.5 * megabyte)}`, 'c.md': '# C\n\nText' })],
  ] as const
  const names = ['“two”', '“five”', 'b.md']
  for (const [at, [name, content]] of files.entries()) {
    const { id, problem, counts } = await planFile(world, call, { kind: 'posts', name, content })
    expect({ name, problem, counts }).toMatchObject({ name, problem: null, counts: { new: 2, refused: 1 } })
    expect(await rowsOf(call, id, '?outcome=refused')).toMatchObject([{ line: 2, reason: `${names[at]}: ${tooLong}` }])
  }
})

/** Letters that don't pack well, so that a ZIP of it is no bomb. */
function text(length: number): string {
  let [made, state] = ['', 1]
  while (made.length < length) {
    state = (state * 48271) % 2147483647
    made += `${state.toString(36)} `
  }
  return made.slice(0, length)
}

test('a cell or row of over 1 MB costs its own row, whatever is in it', async () => {
  const { world, call } = startImports()
  const csv = `email,note
one@example.com,fine
two@example.com,"${'many, words\n'.repeat(120_000)}"
three@example.com,${'4111111111111111 '.repeat(90_000)}
four@example.com${`,${'x'.repeat(999_000)}`.repeat(3)}
five@example.com,fine`
  const { id, counts, facts } = await planFile(world, call, { kind: 'members', name: 'm.csv', content: csv })
  expect(counts).toMatchObject({ new: 2, refused: 3 })
  expect(await rowsOf(call, id, '?outcome=refused')).toMatchObject([
    { line: 3, reason: tooLong },
    { line: 120_004, reason: tooLong },
    { line: 120_005, reason: tooLong },
  ])
  expect(facts.find(({ fact }) => fact === 'cards-dropped')).toBeUndefined()
  expect(await actOnImport(world, call, id, 'apply')).toMatchObject({ state: 'applied', done: 2 })
})

test('thousands of card numbers in one cell are counted and gone in no time', async () => {
  const { world, call } = startImports()
  const content = `email,note\none@example.com,${'4111111111111111 '.repeat(5_000)}end`
  const from = performance.now()
  const { facts } = await planFile(world, call, {
    kind: 'members',
    name: 'm.csv',
    content,
    options: { keepsNotes: true },
  })
  expect(facts).toContainEqual({ fact: 'cards-dropped', count: 5_000 })
  expect(performance.now() - from).toBeLessThan(10_000)
})

test('what could never be read to its end is refused with a reason, and costs no time', {
  tags: ['full'],
}, async () => {
  const { world, call } = startImports()
  const refused = async (name: string, content: string | Buffer, kind: 'posts' | 'members' = 'posts') =>
    (await planFile(world, call, { kind, name, content })).problem
  const captions = '[caption]<img>'.repeat(60_000)
  expect(await refused('captions.xml', wordpress(post('many', captions)))).toBeNull()
  expect(await refused('bomb.zip', zipOf({ 'ghost.json': ghost(ghostPost('a', 'A'.repeat(10 * megabyte))) }))).toBe(
    'ghost.json unpacks to far more than it should, so we haven’t opened it.',
  )
  expect(await refused('deep.json', '{"a":'.repeat(100_000))).toBe(
    'This file is built in a way we can’t read. Export it again.',
  )
  expect(await refused('deep.xml', '<a>'.repeat(100_000))).toBe(
    'This file is built in a way we can’t read. Export it from WordPress again.',
  )
  expect(await refused('wide.csv', `email${',a'.repeat(5_000)}\n`, 'members')).toBe(
    'This file has more than 1,000 columns. Is it the right one?',
  )
  expect(await refused('open.csv', `email\n"${'never closed\n'.repeat(200_000)}`, 'members')).toBe(
    'The quotes that open on line 2 never close.',
  )
})

test('days no calendar has, or years a time can’t have, are left out, and everyone comes in', async () => {
  const { world, call } = startImports()
  const days = ['0000-01-01', '0001-01-01', '9999-12-31', '99999-12-31', '31/12/9999', '31 Dec 9999', '+275760-09-13']
  const odd = [...days, '2026-02-30', '9999-12-31T23:30:00-01:00', '1899-12-30', '1e9', '2026-01-01T99:99:99Z']
  const content = `email,joined,paid until\n${odd.map((day, at) => `p${at}@example.com,"${day}","${day}"`).join('\n')}`
  const { id, counts } = await planFile(world, call, { kind: 'members', name: 'days.csv', content })
  expect(counts).toMatchObject({ new: odd.length })
  expect(await actOnImport(world, call, id, 'apply')).toMatchObject({ state: 'applied' })
  const rows = await rowsOf(call, id)
  expect(rows.map(({ madeId, reason }) => madeId !== null && reason?.slice(0, 22))).toEqual(
    odd.map(() => 'We can’t read the day '),
  )
})

test('of a video’s HTML its words stay, with every sign as it was meant', async () => {
  const { world, call } = startImports()
  const text =
    '<p title="a > b">Don&rsquo;t rush: 3 < 5 &amp; 7&nbsp;&gt; 6.</p><style>p { top: 0 }</style><p>Next<br>line</p>'
  const content = `Title,Address,Text\nOne,https://www.youtube.com/watch?v=aaaaaaaaaaa,"${text.replaceAll('"', '""')}"`
  const { id } = await planFile(world, call, { kind: 'lessons', name: 'lessons.csv', content })
  expect(await actOnImport(world, call, id, 'apply')).toMatchObject({ state: 'applied' })
  const stored = world.ctx.sqlite.prepare('select notes from video_texts').pluck().all()
  expect(stored).toEqual(['Don’t rush: 3 < 5 & 7 > 6.\n\nNext\n\nline'])
})

test('the plan of videos refuses a player that moving in would refuse', async () => {
  const { world, call } = startImports()
  const content = 'Title,Address\nOne,https://evil.test/player\nTwo,https://www.youtube.com/watch?v=aaaaaaaaaaa'
  const { id, counts } = await planFile(world, call, { kind: 'lessons', name: 'lessons.csv', content })
  expect(counts).toMatchObject({ new: 1, refused: 1 })
  expect(await rowsOf(call, id)).toMatchObject([{ reason: expect.stringContaining('evil.test') }, { reason: null }])
})

test('headings every object has, hidden characters and one address twice', async () => {
  const { world, call } = startImports()
  const content = [
    'email,__proto__,constructor,toString,first name',
    'a@example.com,p,c,t,A\0nn',
    ' A@Example.COM ,p,c,t,Ann',
    'b\0@example.com,p,c,t,B',
    '"c@example.com\nBcc: d@example.com",p,c,t,C',
    `e@example.com${',x'.repeat(10_000)}`,
  ].join('\n')
  const { id, problem, counts } = await planFile(world, call, { kind: 'members', name: 'odd.csv', content })
  expect({ problem, counts }).toMatchObject({ problem: null, counts: { new: 2, double: 1, refused: 2 } })
  expect(await actOnImport(world, call, id, 'apply')).toMatchObject({ state: 'applied' })
  const zip = zipOf({ 'a.csv': 'email\na@example.com', '../up.csv': 'email\nb@example.com' })
  for (const kind of ['members', 'lessons'] as const)
    expect((await planFile(world, call, { kind, name: 'a.csv', content: zip })).problem).toMatch(/^This is a ZIP/)
})

test('names in a ZIP lead nowhere, and links in it are files', async () => {
  const { world, call } = startImports()
  const content = zipOf({ '../../up.md': '# Up\n\nText', '/abs.md': '# Abs\n\nText', 'link.md': '/etc/passwd' })
  const { problem } = await planFile(world, call, { kind: 'posts', name: 'names.zip', content })
  expect(problem).toBe('We can’t open this ZIP. Zip it up again and choose the new one.')
})

test('a ZIP whose files are larger or longer than they claim isn’t opened', async () => {
  const { world, call } = startImports()
  const whole = Buffer.from(zipOf({ 'a.md': `# A\n\n${'Text. '.repeat(9_999)}` }))
  const listed = whole.indexOf('PK\u0001\u0002', 0, 'latin1')
  for (const [at, claims] of [
    [24, 10],
    [20, 0xfffffff0],
  ] as const) {
    const content = Buffer.from(whole)
    content.writeUInt32LE(claims, listed + at)
    const { problem } = await planFile(world, call, { kind: 'posts', name: 'sizes.zip', content })
    expect(problem).toBe('We can’t open this ZIP. Zip it up again and choose the new one.')
  }
})

test('a file that ends the server is begun again twice, and then left alone until it’s chosen again', async () => {
  const { world, call } = startImports()
  const content = `email\n${Array.from({ length: 300 }, (_, at) => `p${at}@example.com`).join('\n')}`
  const { id } = await beginFile(call, { kind: 'members', name: 'm.csv', content })
  for (let time = 0; time < 3; time += 1) {
    const stopping = new AbortController()
    const running = runImports(world.ctx, { stopping: stopping.signal })
    stopping.abort()
    await running
    expect(await showImport(call, id)).toMatchObject({ state: 'planning' })
  }
  await runImports(world.ctx, { stopping: undefined })
  expect(await showImport(call, id)).toMatchObject({
    state: 'planned',
    problem: expect.stringContaining('The server stopped three times while we read this file'),
  })
  await call(`/api/admin/imports/${id}/cancel`, { method: 'POST' })
  expect(await planFile(world, call, { kind: 'members', name: 'm.csv', content })).toMatchObject({
    counts: { new: 300 },
  })
})

test('a file of rows that are quick one by one is ended too once they’ve taken its time, with the line where it stood', {
  tags: ['full'],
}, async () => {
  const { processorMs } = fileLimits
  onTestFinished(() => void Object.assign(fileLimits, { processorMs }))
  fileLimits.processorMs = 1_500
  const { world, call } = startImports()
  const lines = 300_000
  const content = `email\n${'p@example.com\n'.repeat(lines)}`
  const { problem, state } = await planFile(world, call, { kind: 'members', name: 'm.csv', content })
  expect([state, problem]).toEqual([
    'planned',
    expect.stringMatching(
      /^Reading this file takes more than 2 minutes\. We stopped at line \d+\. Take out anything large there, or split the file\.$/,
    ),
  ])
  const line = Number(/line (\d+)/.exec(problem ?? '')?.[1])
  expect(line).toBeGreaterThan(100)
  expect(line).toBeLessThan(lines)
  fileLimits.processorMs = processorMs
  expect(
    await planFile(world, call, { kind: 'members', name: 'n.csv', content: 'email\nn@example.com' }),
  ).toMatchObject({
    problem: null,
    counts: { new: 1 },
  })
})
