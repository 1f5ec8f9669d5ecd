import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type House, videoCount } from './house.ts'
import { collectRuns, type How, type Target } from './load.ts'
import { inPairs } from './pairs.ts'
import { startProduct, startServer, whileRunning } from './programs.ts'
import { postPath } from './public-pages.ts'
import { compared, type Limit, perSecond, type Result, within } from './result.ts'

const plainServer = fileURLToPath(new URL('./floors/plain.ts', import.meta.url))

const busy = { connections: 50, count: 4000, rounds: 11 }

type Read = {
  row: string
  path: string
  headers: Record<string, string>
  status?: number
  program?: string
  limit: Limit
  how?: How & { rounds: number }
}

/** What a member's phone asks for, beside a server of nothing but the same bytes. */
export async function measureRead({ cookie, copy }: House): Promise<Result[]> {
  const read = { row: 'Read with session, 2 kB', path: '/api/video-progress', headers: { cookie } }
  const { result } = await measure(copy(), { ...read, limit: { atLeast: 0.15 } })
  return [result]
}

/** The list of videos: after a change, unchanged, and to a browser that has it already. */
export async function measureList({ cookie, copy }: House): Promise<Result[]> {
  const dataDir = copy()
  const list = { path: '/api/member-videos', headers: { cookie } }
  const row = `List of ${videoCount} videos`
  const program = fileURLToPath(new URL('./changing-server.ts', import.meta.url))
  const how = { ...busy, count: 1500 }
  const changed = await measure(dataDir, { ...list, row: `${row}, changed`, program, how, limit: { atLeast: 0.1 } })
  const same = await measure(dataDir, { ...list, row: `${row}, unchanged`, limit: { atLeast: 0.35 } })
  const headers = { cookie, 'if-none-match': same.etag }
  const known = { ...list, row: `${row}, known (304)`, headers, status: 304 }
  const { result } = await measure(dataDir, { ...known, limit: { atLeast: 0.5 } })
  return [changed.result, same.result, result]
}

/** The first page and a post, as a browser asks for them. */
export async function measurePage({ copy }: House): Promise<Result[]> {
  const front = await measureDocument(copy(), 'Front page', async () => '/')
  return [...front, ...(await measureDocument(copy(), 'Post', postPath))]
}

async function measureDocument(dataDir: string, row: string, findPath: (origin: string) => Promise<string>) {
  const path = await whileRunning(startProduct(dataDir), ({ url }) => findPath(url))
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const { result, p99 } = await measure(dataDir, { row: `${row}, ready bytes`, path, headers, limit: { atLeast: 0.7 } })
  return [result, within(`${row}, p99 at ${busy.connections} connections`, p99, 50)]
}

async function measure(dataDir: string, read: Read): Promise<{ result: Result; etag: string; p99: number }> {
  const { row, path, headers, status = 200, limit, how = busy } = read
  return whileRunning(startProduct(dataDir, read.program), async (server) => {
    const next = () => ({ path, init: { headers } })
    const { plain, etag } = await readPlain(server.url + path, headers)
    const file = join(dataDir, 'answer')
    await Bun.write(file, plain.bytes)
    const floorServer = startServer([plainServer, file, JSON.stringify(plain.fields)])
    return whileRunning(floorServer, async (least) => {
      const floor = collectRuns({ server: least, status: 200, next }, how)
      const product = collectRuns({ server, status, next } satisfies Target, how)
      const pair = await inPairs(how.rounds, { floor: floor.run, product: product.run })
      const note = byProcessor(floor.busyMs(), product.busyMs())
      return { result: { ...compared(row, pair, perSecond, limit), note }, etag, p99: product.p99() }
    })
  })
}

/** The bytes that the floor has to send, and what a client must know to read them. */
async function readPlain(url: string, headers: Record<string, string>) {
  const { 'if-none-match': _, ...asked } = headers
  const response = await fetch(url, { headers: asked, decompress: false })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  const fields: Record<string, string> = { 'content-type': response.headers.get('content-type') ?? '' }
  const encoding = response.headers.get('content-encoding')
  if (encoding !== null) fields['content-encoding'] = encoding
  return { plain: { bytes: await response.bytes(), fields }, etag: response.headers.get('etag') ?? '' }
}

/** The client takes its time on the same machine; without it the distance is what the two servers spend themselves. */
function byProcessor(floor: number, product: number): string | undefined {
  if (Number.isNaN(floor + product)) return undefined
  const us = (ms: number) => `${(ms * 1000).toFixed(0)} µs`
  return `${us(product)} of processor time an answer, the floor ${us(floor)}: ${(floor / product).toFixed(2)}`
}
