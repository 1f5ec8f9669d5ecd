import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fixture, videoCount } from './fixture.ts'
import { type LoadOptions, recordRuns, type Target } from './load.ts'
import { startProduct, startServer, withServer } from './programs.ts'
import { findNewestPostPath } from './public-pages.ts'
import { durationRow, formatRate, type Limit, type Result, ratioRow } from './result.ts'
import { medianOfRounds } from './rounds.ts'

export const plainServer = fileURLToPath(new URL('./floors/plain.ts', import.meta.url))

const defaultLoad = { connections: 50, count: 4000, rounds: 11 }

type ReadRow = {
  row: string
  path: string
  headers: Record<string, string>
  status?: number
  program?: string
  limit: Limit
  load?: LoadOptions & { rounds: number }
}

/** A request by a member's phone, against a server that just sends the same bytes. */
export async function measureRead({ cookie, copyDataDir }: Fixture): Promise<Result[]> {
  const read = { row: 'Read with session, 2 kB', path: '/api/video-progress', headers: { cookie } }
  const { result } = await measure(copyDataDir(), { ...read, limit: { atLeast: 0.25 } })
  return [result]
}

/** The list of videos after a change, unchanged, and for a browser that already has it. */
export async function measureList({ cookie, copyDataDir }: Fixture): Promise<Result[]> {
  const dataDir = copyDataDir()
  const list = { path: '/api/member-videos', headers: { cookie } }
  const row = `List of ${videoCount} videos`
  const program = fileURLToPath(new URL('./uncached-server.ts', import.meta.url))
  const load = { ...defaultLoad, count: 1500 }
  const changed = await measure(dataDir, { ...list, row: `${row}, changed`, program, load, limit: { atLeast: 0.12 } })
  const unchanged = await measure(dataDir, { ...list, row: `${row}, unchanged`, limit: { atLeast: 0.55 } })
  const headers = { cookie, 'if-none-match': unchanged.etag }
  const known = { ...list, row: `${row}, known (304)`, headers, status: 304 }
  const { result } = await measure(dataDir, { ...known, limit: { atLeast: 0.8 } })
  return [changed.result, unchanged.result, result]
}

export async function measurePage({ copyDataDir }: Fixture): Promise<Result[]> {
  const home = await measureDocument(copyDataDir(), 'Front page', async () => '/')
  return [...home, ...(await measureDocument(copyDataDir(), 'Post', findNewestPostPath))]
}

async function measureDocument(dataDir: string, row: string, findPath: (origin: string) => Promise<string>) {
  const path = await withServer(startProduct(dataDir), ({ url }) => findPath(url))
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const { result, p99 } = await measure(dataDir, {
    row: `${row}, ready bytes`,
    path,
    headers,
    limit: { atLeast: 0.85 },
  })
  return [result, durationRow(`${row}, p99 at ${defaultLoad.connections} connections`, p99, 50)]
}

async function measure(dataDir: string, read: ReadRow): Promise<{ result: Result; etag: string; p99: number }> {
  const { row, path, headers, status = 200, limit, load = defaultLoad } = read
  return withServer(startProduct(dataDir, read.program), async (server) => {
    const next = () => ({ path, init: { headers } })
    const { bytes, fields, etag } = await captureResponse(server.url + path, headers)
    const file = join(dataDir, 'response')
    await Bun.write(file, bytes)
    return withServer(startServer([plainServer, file, JSON.stringify(fields)]), async (floorServer) => {
      const floor = recordRuns({ server: floorServer, status: 200, next }, load)
      const product = recordRuns({ server, status, next } satisfies Target, load)
      const comparison = await medianOfRounds(load.rounds, { floor: floor.run, product: product.run })
      const note = describeCpu(floor.cpuMs(), product.cpuMs())
      return { result: { ...ratioRow(row, comparison, formatRate, limit), note }, etag, p99: product.p99() }
    })
  })
}

export async function captureResponse(url: string, requestHeaders: Record<string, string>) {
  const { 'if-none-match': _, ...headers } = requestHeaders
  const response = await fetch(url, { headers, decompress: false })
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
  const fields: Record<string, string> = { 'content-type': response.headers.get('content-type') ?? '' }
  const encoding = response.headers.get('content-encoding')
  if (encoding !== null) fields['content-encoding'] = encoding
  return { bytes: await response.bytes(), fields, etag: response.headers.get('etag') ?? '' }
}

/** The client runs on the same machine, so CPU time compares the two servers better. */
function describeCpu(floor: number, product: number): string | undefined {
  if (Number.isNaN(floor + product)) return undefined
  const us = (ms: number) => `${(ms * 1000).toFixed(0)} µs`
  return `${us(product)} of CPU time a response, the floor ${us(floor)}: ${(floor / product).toFixed(2)}`
}
