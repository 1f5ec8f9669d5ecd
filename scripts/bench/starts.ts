import type { House } from './house.ts'
import { fastestOf } from './pairs.ts'
import { startProduct, startServer } from './programs.ts'
import { compared, inMs, type Result } from './result.ts'

const hello = `const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
console.log('ready http://127.0.0.1:' + server.port)`

/** From the start of the process to the end of its first answer, on a data folder that was in use before. */
export async function measureStart({ copy }: House): Promise<Result[]> {
  const dataDir = copy()
  const timed = async (start: () => ReturnType<typeof startServer>, path: string) => {
    const from = performance.now()
    const server = await start()
    const response = await fetch(server.url + path)
    await response.arrayBuffer()
    const ms = performance.now() - from
    await server.stop()
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
    return ms
  }
  const pair = await fastestOf(11, {
    floor: () => timed(() => startServer(['-e', hello]), '/'),
    product: () => timed(() => startProduct(dataDir), '/api/membership-tiers'),
  })
  return [compared('Server, start to first answer', pair, inMs, { atMost: 40 })]
}
