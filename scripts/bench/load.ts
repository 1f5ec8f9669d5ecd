import { median, quantile } from './figures.ts'
import { cpuMs, type RunningServer } from './programs.ts'

/** One kind of request to one server. `next` makes the next one, `status` is the expected one. */
export type Load = {
  server: RunningServer
  status?: number
  connections: number
  count: number
  next: () => { path: string; init: RequestInit }
}

/** Keeps `connections` busy until `count` requests are done, reading every response to the end. `latencies` are in ms. */
export async function runLoad({ server, status = 200, connections, count, next }: Load) {
  const latencies: number[] = []
  let sent = 0
  const runConnection = async () => {
    while (sent < count) {
      sent += 1
      const { path, init } = next()
      const start = performance.now()
      const response = await fetch(server.url + path, { ...init, decompress: false })
      await response.arrayBuffer()
      latencies.push(performance.now() - start)
      if (response.status !== status) throw new Error(`${path} responded with ${response.status} under load.`)
    }
  }
  const [cpu, start] = [cpuMs(server.pid), performance.now()]
  await Promise.all(Array.from({ length: connections }, runConnection))
  const perSecond = (count / (performance.now() - start)) * 1000
  return { perSecond, latencies, p99: quantile(latencies, 0.99), cpuMs: (cpuMs(server.pid) - cpu) / count }
}

/** Remembers runs. The first is a warm-up and isn't counted. `cpuMs` is the server's CPU time per request. */
export function recordRuns(load: Load) {
  const runs: Awaited<ReturnType<typeof runLoad>>[] = []
  const middle = (of: 'p99' | 'cpuMs') => median(runs.slice(1).map((run) => run[of]))
  return {
    run: async () => {
      const result = await runLoad(load)
      runs.push(result)
      return result.perSecond
    },
    p99: () => middle('p99'),
    cpuMs: () => middle('cpuMs'),
  }
}

/** How many a second, one after another. */
export async function rateOf(count: number, work: () => void): Promise<number> {
  const start = performance.now()
  for (let done = 0; done < count; done += 1) work()
  return (count / (performance.now() - start)) * 1000
}

export function cycle<Value>(values: readonly Value[]): () => Value {
  let index = 0
  return () => {
    index += 1
    const value = values[index % values.length]
    if (value === undefined) throw new Error('There is nothing to return.')
    return value
  }
}
