import type { Context } from '#api/context.ts'
import { beginFile } from '#api/testing/imports.ts'
import { outsideReaders } from '#api/testing/outside-readers.ts'
import { type OutsideReader, type Worst, worstText } from '#api/testing/outside-texts.ts'
import type { Call } from '#api/testing/world.ts'
import { startBeside } from './beside.ts'
import { printMost } from './figures.ts'
import { beside, type Fixture, ownerCookie } from './fixture.ts'
import { type RunningServer, startProduct } from './programs.ts'

const [characters, rounds, posts] = [200_000, 5, 20_000]

/** What reads a text that someone else wrote takes with the worst one, and how long others wait while such files move in. */
export async function measureIntake({ copyDataDir }: Fixture): Promise<void> {
  const [slowest, ...others] = await measureReaders()
  const next = others.slice(0, 3).map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`)
  const note = `of ${others.length + 1} readers; then ${next.join(', ')}`
  printMost(`200,000 characters of its worst: ${slowest?.name}`, slowest?.ms ?? 0, { most: 50, note })
  const dataDir = copyDataDir()
  const health = await slowestHealth(dataDir, moveFilesIn)
  printMost('/api/health beside hostile files, at the latest', health, { most: 85 })
  beside(dataDir, addPosts)
  const besideList = await slowestHealth(dataDir, readList)
  printMost(`… beside /api/blog of ${posts} posts after a change`, besideList, { most: 100 })
}

type Measured = { name: string; ms: number }

async function measureReaders(): Promise<Measured[]> {
  const all: Measured[] = []
  for (const reader of outsideReaders)
    for (const worst of reader.worst)
      all.push({ name: `${reader.name}, of ${JSON.stringify(worst)}`, ms: await leastMs(reader, worst) })
  return all.sort((one, other) => other.ms - one.ms)
}

/** Processor time, which other work on the machine adds little to. */
async function leastMs({ read }: OutsideReader, worst: Worst): Promise<number> {
  const text = worstText(worst, characters)
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const from = process.threadCpuUsage()
    try {
      await read(text)
    } catch {
      // It may refuse the text.
    }
    const { user, system } = process.threadCpuUsage(from)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const post = (at: number, content: string) =>
  `<item><title>Post ${at}</title><wp:post_name>post-${at}</wp:post_name><wp:post_type>post</wp:post_type><wp:status>publish</wp:status><content:encoded><![CDATA[${content}]]></content:encoded></item>`
const wordpress = (contents: readonly string[]) =>
  `<rss><channel><wp:base_site_url>https://old.example</wp:base_site_url>${contents.map((content, at) => post(at, content)).join('')}</channel></rss>`

const files = [
  { kind: 'posts', name: 'captions.xml', content: wordpress(['[caption]<img>'.repeat(250_000)]) },
  {
    kind: 'posts',
    name: 'posts.xml',
    content: wordpress(
      ['[caption]<img>', '<p>a ', '<b>', '<', '<td>'].flatMap((part) =>
        Array.from({ length: 20 }, () => worstText(part, 150_000)),
      ),
    ),
  },
  { kind: 'members', name: 'cards.csv', content: `email,note\na@example.com,${'4111111111111111 '.repeat(60_000)}` },
  {
    kind: 'members',
    name: 'people.csv',
    content: `email,name\n${Array.from({ length: 20_000 }, (_, at) => `p${at}@example.com,Pat`).join('\n')}`,
  },
] as const

/** Asked by a process of its own, as the work keeps this one busy. */
async function slowestHealth(dataDir: string, work: (call: Call) => Promise<void>): Promise<number> {
  await using server = await startProduct(dataDir)
  const asker = startBeside('askOften', { url: `${server.url}/api/health` })
  try {
    await work(callOf(server, ownerCookie(dataDir)))
  } finally {
    asker.kill('SIGTERM')
  }
  return Number(await new Response(asker.stdout).text())
}

/** Each file is planned and applied. */
async function moveFilesIn(call: Call): Promise<void> {
  for (const file of files) {
    const { id } = await beginFile(call, file)
    await untilDone(call, id)
    await call(`/api/admin/imports/${id}/apply`, { method: 'POST' })
    await untilDone(call, id)
  }
}

function addPosts({ sqlite }: Context): void {
  sqlite.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${posts})
     insert into blog_posts (id, title, slug, excerpt, content, author, isPublished, publishedAt, createdAt, updatedAt)
     select 'p' || i, 'Post ' || i, 'post-' || i, 'What to charge for a day, and why it pays.', '<p>A quote out today.</p>',
       'Coach', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' from n`,
  )
}

/** Again after each change. */
async function readList(call: Call): Promise<void> {
  for (let time = 0; time < 10; time += 1) {
    await call('/api/admin/blog', {
      body: { title: `New ${time}`, slug: `new-${time}`, content: '<p>One more.</p>', isPublished: true },
    })
    await (await call('/api/blog', { headers: { 'accept-encoding': 'br' } })).arrayBuffer()
  }
}

async function untilDone(call: Call, id: string): Promise<void> {
  for (;;) {
    const { state } = await (await call(`/api/admin/imports/${id}`)).json()
    if (state !== 'planning' && state !== 'applying') return
    await Bun.sleep(50)
  }
}

const callOf =
  ({ url }: RunningServer, cookie: string): Call =>
  async (path, { method, body, headers } = {}) => {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { cookie, ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isBytes ? Uint8Array.from(body) : JSON.stringify(body) }),
    })
    if (response.status >= 500) throw new Error(`${path} responded with ${response.status}.`)
    return response
  }
