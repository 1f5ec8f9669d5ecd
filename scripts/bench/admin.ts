import { fileURLToPath } from 'node:url'
import { databaseFile } from '#api/db/data-dir.ts'
import { fillAdminDataset } from './admin-dataset.ts'
import { type AdminList, adminLists } from './admin-lists.ts'
import type { Fixture } from './fixture.ts'
import { type RunningServer, startProduct, startServer, withServer } from './programs.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { medianOfRounds } from './rounds.ts'
import { bareServer } from './webhooks.ts'

const rounds = 11
const requestsEach = 5
const mostTimes = 5

const statementsServer = fileURLToPath(new URL('./floors/statements.ts', import.meta.url))

/** The first page of every owners' list, against a minimal server that runs the same SQL and sends the rows. */
export async function measureAdmin({ copyDataDir }: Fixture): Promise<Result[]> {
  const dataDir = copyDataDir()
  const cookie = fillAdminDataset(dataDir)
  const lists = JSON.stringify(Object.fromEntries(adminLists.map(({ path, statements }) => [path, statements])))
  return withServer(startServer([statementsServer, databaseFile(dataDir), lists]), (floor) =>
    withServer(startProduct(dataDir, bareServer), async (product) => {
      const results: Result[] = []
      for (const list of adminLists) results.push(await measureList(list, { floor, product, cookie }))
      return results
    }),
  )
}

type Servers = { floor: RunningServer; product: RunningServer; cookie: string }

async function measureList({ row, path }: AdminList, { floor, product, cookie }: Servers): Promise<Result> {
  const first = await timeRequest(product, path, cookie)
  const average = async (server: RunningServer) => {
    let ms = 0
    for (let sent = 0; sent < requestsEach; sent += 1) ms += await timeRequest(server, path, cookie)
    return ms / requestsEach
  }
  const comparison = await medianOfRounds(rounds, { floor: () => average(floor), product: () => average(product) })
  const result = ratioRow(`Admin: ${row}`, comparison, formatMs, { atMost: mostTimes })
  return first > 5 * comparison.product ? { ...result, note: `the first time ${formatMs(first)}` } : result
}

async function timeRequest({ url }: RunningServer, path: string, cookie: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(url + path, { headers: { cookie } })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}.`)
  return performance.now() - start
}
