import type { Fixture } from './fixture.ts'
import { startProduct, startServer } from './programs.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { fastestOfRounds } from './rounds.ts'

const hello = `const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
console.log('ready http://127.0.0.1:' + server.port)`

/** From the start of the process to the end of its first response, on a seeded data folder. */
export async function measureStart({ copyDataDir }: Fixture): Promise<Result[]> {
  const dataDir = copyDataDir()
  const timeStart = async (start: () => ReturnType<typeof startServer>, path: string) => {
    const from = performance.now()
    const server = await start()
    const response = await fetch(server.url + path)
    await response.arrayBuffer()
    const ms = performance.now() - from
    await server.stop()
    if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
    return ms
  }
  const comparison = await fastestOfRounds(11, {
    floor: () => timeStart(() => startServer(['-e', hello]), '/'),
    product: () => timeStart(() => startProduct(dataDir), '/api/membership-tiers'),
  })
  return [ratioRow('Server, start to first answer', comparison, formatMs, { atMost: 45 })]
}
