import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBeside } from './beside.ts'
import { formatMs, medianOfRounds, printRatio, quantile } from './figures.ts'
import { type Fixture, ownerCookie } from './fixture.ts'
import { runLoad } from './load.ts'
import { type RunningServer, startProduct } from './programs.ts'
import { compressed } from './reads.ts'

const [count, bytes] = [200, 1_000_000]

/**
 * How long home page visitors wait while 200 videos are uploaded: by two owners, whose page sends one after the other, and all at the
 * same time. The floor is the same server without them.
 */
export async function measureUploads(fixture: Fixture): Promise<void> {
  await measureBeside(fixture, { senders: 2, what: `two owners’ ${count} uploads` })
  await measureBeside(fixture, { senders: count, what: `${count} uploads at the same time` })
}

type Beside = { senders: number; what: string }

async function measureBeside({ copyDataDir }: Fixture, { senders, what }: Beside): Promise<void> {
  const dataDir = copyDataDir()
  const before = countWholeFiles(dataDir)
  const cookie = ownerCookie(dataDir)
  await using server = await startProduct(dataDir, { MEDIA_QUOTA_GB: '20' })
  let [seed, toldToWait, seconds] = [0, 0, 0]
  const product = async () => {
    seed += 1
    const [from, latencies] = [performance.now(), [] as number[]]
    const uploads = startBeside('upload', { url: server.url, cookie, senders, count, bytes, seed })
    while (uploads.exitCode === null) latencies.push(...(await visit(server)).latencies)
    if (uploads.exitCode !== 0) throw new Error('The films could not be uploaded.')
    toldToWait += Number(await new Response(uploads.stdout).text())
    seconds = (performance.now() - from) / 1000
    return quantile(latencies, 0.99)
  }
  const comparison = await medianOfRounds({ rounds: 3, floor: () => visitAlone(server), product })
  const arrived = countWholeFiles(dataDir) - before
  if (arrived !== seed * count) throw new Error(`${arrived} of ${seed * count} films arrived whole.`)
  const waits = Math.round(toldToWait / seed)
  const note = `the last ${count} films of 1 MB took ${seconds.toFixed(1)} s; pieces were told to wait ${waits} times`
  printRatio(`Front page, p99 beside ${what}`, comparison, { format: formatMs, limit: { atMost: 2 }, note })
}

/** For about as long as the uploads take: the rare long waits of a server alone are missing in a short look. */
async function visitAlone(server: RunningServer): Promise<number> {
  const [until, latencies] = [performance.now() + 5_000, [] as number[]]
  while (performance.now() < until) latencies.push(...(await visit(server)).latencies)
  return quantile(latencies, 0.99)
}

/** Fifty front page visitors. */
export const visit = (server: RunningServer) =>
  runLoad({ server, connections: 50, count: 2000, next: () => ({ path: '/', init: { headers: compressed } }) })

function countWholeFiles(dataDir: string): number {
  const files = [...new Bun.Glob('??/*').scanSync(join(dataDir, 'media'))].map((name) => join(dataDir, 'media', name))
  const hashOf = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
  return files.filter((path) => path.endsWith(hashOf(path))).length
}
