import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fixture, ownerCookie } from './fixture.ts'
import { type LoadOptions, runLoad } from './load.ts'
import { baseEnv, productEnv, type RunningServer, root, startServer, withServer } from './programs.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { medianOfRounds, quantile } from './rounds.ts'

const uploader = fileURLToPath(new URL('./uploader.ts', import.meta.url))

const [uploadCount, uploadBytes, rounds] = [200, 1_000_000, 3]
const visitors: LoadOptions = { connections: 50, count: 2000 }
const mostTimes = 2

/** How long home page visitors wait while owners upload 200 videos. The floor is the same server without them. */
export async function measureUploads({ copyDataDir }: Fixture): Promise<Result[]> {
  const dataDir = copyDataDir()
  const before = countWholeFiles(dataDir)
  const cookie = ownerCookie(dataDir)
  const env = { ...(await productEnv(dataDir)), MEDIA_QUOTA_GB: '20' }
  return withServer(startServer(['dist/api/main.js'], env), async (server) => {
    let [seed, toldToWait, seconds] = [0, 0, 0]
    const comparison = await medianOfRounds(rounds, {
      floor: async () => p99(await visit(server)),
      product: async () => {
        seed += 1
        const from = performance.now()
        const found = await whileUploading(server, { cookie, seed })
        seconds = (performance.now() - from) / 1000
        toldToWait += found.toldToWait
        return p99(found.latencies)
      },
    })
    const arrived = countWholeFiles(dataDir) - before
    if (arrived !== seed * uploadCount) throw new Error(`${arrived} of ${seed * uploadCount} films arrived whole.`)
    const note = `the last ${uploadCount} films of 1 MB took ${seconds.toFixed(1)} s; pieces were told to wait ${Math.round(toldToWait / seed)} times`
    return [
      {
        ...ratioRow(`Front page, p99 beside ${uploadCount} uploads`, comparison, formatMs, { atMost: mostTimes }),
        note,
      },
    ]
  })
}

const p99 = (latencies: readonly number[]) => quantile(latencies, 0.99)

async function visit(server: RunningServer): Promise<number[]> {
  const next = () => ({ path: '/', init: { headers: { 'accept-encoding': 'gzip, deflate, br' } } })
  return (await runLoad({ server, status: 200, next }, visitors)).latencies
}

async function whileUploading(server: RunningServer, { cookie, seed }: { cookie: string; seed: number }) {
  const numbers = [uploadCount, uploadBytes, seed].map(String)
  const child = Bun.spawn([process.execPath, '--no-env-file', uploader, server.url, cookie, ...numbers], {
    cwd: root,
    env: baseEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const latencies: number[] = []
  while (child.exitCode === null) latencies.push(...(await visit(server)))
  if (child.exitCode !== 0) throw new Error('The films could not be uploaded.')
  return { latencies, toldToWait: Number(await new Response(child.stdout).text()) }
}

function countWholeFiles(dataDir: string): number {
  const media = join(dataDir, 'media')
  const folders = readdirSync(media).filter((name) => /^[0-9a-f]{2}$/.test(name))
  const hashOf = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')
  return folders
    .flatMap((folder) => readdirSync(join(media, folder)).map((name) => [name, join(media, folder, name)] as const))
    .filter(([name, path]) => hashOf(path) === name).length
}
