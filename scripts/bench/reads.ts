import { join } from 'node:path'
import { formatRate, type Limit, medianOfRounds, printMost, printRatio } from './figures.ts'
import { type Fixture, videoCount } from './fixture.ts'
import { recordRuns } from './load.ts'
import { startBare, startPlain, startProduct } from './programs.ts'
import { findNewestPostPath } from './public-pages.ts'

type ReadRow = {
  row: string
  path: string
  headers: Record<string, string>
  status?: number
  isUncached?: boolean
  limit: Limit
  count?: number
  mostP99?: { row: string; most: number }
}

/** A request by a member's phone, against a server that just sends the same bytes. */
export async function measureRead({ member: { cookie }, copyDataDir }: Fixture): Promise<void> {
  const row = 'Read with session, 2 kB'
  await measure(copyDataDir(), { row, path: '/api/video-progress', headers: { cookie }, limit: { atLeast: 0.33 } })
}

/** The list of videos after a change, unchanged, and for a browser that already has it. */
export async function measureList({ member: { cookie }, copyDataDir }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  const list = { path: '/api/member-videos', headers: { cookie } }
  const row = `List of ${videoCount} videos`
  const changed = { ...list, row: `${row}, changed`, isUncached: true, count: 1500 }
  await measure(dataDir, { ...changed, limit: { atLeast: 0.12 } })
  const etag = await measure(dataDir, { ...list, row: `${row}, unchanged`, limit: { atLeast: 0.55 } })
  const headers = { cookie, 'if-none-match': etag }
  await measure(dataDir, { ...list, row: `${row}, known (304)`, headers, status: 304, limit: { atLeast: 0.8 } })
}

export const compressed = { 'accept-encoding': 'gzip, deflate, br' }

export async function measurePage({ copyDataDir }: Fixture): Promise<void> {
  const pages = { 'Front page': async () => '/', Post: findNewestPostPath }
  for (const [name, findPath] of Object.entries(pages)) {
    const dataDir = copyDataDir()
    const server = await startProduct(dataDir)
    const path = await findPath(server.url)
    await server.stop()
    const mostP99 = { row: `${name}, p99 at ${connections} connections`, most: 9 }
    const row = `${name}, ready bytes`
    await measure(dataDir, { row, path, headers: compressed, limit: { atLeast: 0.85 }, mostP99 })
  }
}

const connections = 50

/** Returns the answer's ETag. */
async function measure(dataDir: string, read: ReadRow): Promise<string> {
  const { row, path, headers, status = 200, limit, count = 4000, mostP99 } = read
  await using server = await (read.isUncached ? startBare(dataDir, { UNCACHED: '1' }) : startProduct(dataDir))
  const { etag, file, fields } = await captureResponse(server, path, { dataDir, headers })
  await using plain = await startPlain(file, fields)
  const load = { connections, count, next: () => ({ path, init: { headers } }) }
  const [floor, product] = [recordRuns({ ...load, server: plain }), recordRuns({ ...load, server, status })]
  const comparison = await medianOfRounds({ rounds: 11, floor: floor.run, product: product.run })
  const [spent, least] = [product.cpuMs(), floor.cpuMs()].map((ms) => Math.round(ms * 1000))
  // The client runs on the same machine, so CPU time compares the two servers better.
  const note = `${spent} µs of CPU time a response, the floor ${least} µs`
  printRatio(row, comparison, { format: formatRate, limit, note })
  if (mostP99) printMost(mostP99.row, product.p99(), mostP99)
  return etag
}

type Captured = { dataDir: string; headers: Record<string, string> }

/** An answer's bytes in a file, and what a plain server needs to send them. */
export async function captureResponse({ url }: { url: string }, path: string, { dataDir, headers }: Captured) {
  const { 'if-none-match': _, ...asked } = headers
  const response = await fetch(url + path, { headers: asked, decompress: false })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  const file = join(dataDir, 'response')
  await Bun.write(file, await response.bytes())
  const given = ['content-type', 'content-encoding'].map((name) => [name, response.headers.get(name) ?? ''])
  const fields: Record<string, string> = Object.fromEntries(given.filter(([, value]) => value !== ''))
  return { file, fields, etag: response.headers.get('etag') ?? '' }
}
