import { databaseFile } from '#api/db/data-dir.ts'
import { fillAdminDataset } from './admin-dataset.ts'
import { adminLists } from './admin-lists.ts'
import { formatMs, medianOfRounds, printRatio, timed } from './figures.ts'
import { type Fixture, ownerCookie } from './fixture.ts'
import { ask, benchFile, type RunningServer, startBare, startServer } from './programs.ts'

const requestsEach = 5

/** The first page of every owners' list, against a minimal server that runs the same SQL and sends the rows. */
export async function measureAdmin({ copyDataDir }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  fillAdminDataset(dataDir)
  const headers = { cookie: ownerCookie(dataDir) }
  const lists = JSON.stringify(Object.fromEntries(adminLists.map(({ path, statements }) => [path, statements])))
  await using plain = await startServer([benchFile('floors/statements.ts'), databaseFile(dataDir), lists])
  await using server = await startBare(dataDir)
  for (const { row, path, atMost } of adminLists) {
    const time = (asked: RunningServer) => timed(() => ask(asked, path, { headers }))
    const average = async (asked: RunningServer) => {
      let ms = 0
      for (let sent = 0; sent < requestsEach; sent += 1) ms += await time(asked)
      return ms / requestsEach
    }
    const first = await time(server)
    const comparison = await medianOfRounds({ rounds: 11, floor: () => average(plain), product: () => average(server) })
    const note = first > 5 * comparison.product ? `the first time ${formatMs(first)}` : undefined
    printRatio(`Admin: ${row}`, comparison, { format: formatMs, limit: { atMost }, note })
  }
}
