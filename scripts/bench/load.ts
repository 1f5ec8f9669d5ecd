import { cpuMs, type RunningServer } from './programs.ts'
import { median, quantile } from './rounds.ts'

/** One kind of request to one server. `next` makes the next request, `status` is the expected one. */
export type Target = {
  server: RunningServer
  status: number
  next: () => { path: string; init: RequestInit }
}

export type LoadOptions = { connections: number; count: number }

/** `latencies` are in ms. `cpuMs` is the server's CPU time per request, null if unknown. */
export type LoadResult = { perSecond: number; latencies: number[]; cpuMs: number | null }

/** Keeps `connections` busy until `count` requests are done, reading every response to the end. */
export async function runLoad(
  { server, status, next }: Target,
  { connections, count }: LoadOptions,
): Promise<LoadResult> {
  const latencies: number[] = []
  let sentCount = 0
  const runConnection = async () => {
    while (sentCount < count) {
      sentCount += 1
      const { path, init } = next()
      const start = performance.now()
      const response = await fetch(server.url + path, { ...init, decompress: false })
      await response.arrayBuffer()
      latencies.push(performance.now() - start)
      if (response.status !== status) throw new Error(`${path} responded with ${response.status} under load.`)
    }
  }
  const before = cpuMs(server.pid)
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, runConnection))
  const ms = performance.now() - start
  const after = cpuMs(server.pid)
  const spent = before === null || after === null ? null : (after - before) / count
  return { perSecond: (count / ms) * 1000, latencies, cpuMs: spent }
}

/** Records runs. The first is a warm-up and isn't counted. */
export function recordRuns(target: Target, options: LoadOptions) {
  const runs: LoadResult[] = []
  return {
    run: async () => {
      const result = await runLoad(target, options)
      runs.push(result)
      return result.perSecond
    },
    p99: () => median(runs.slice(1).map(({ latencies }) => quantile(latencies, 0.99))),
    cpuMs: () => median(runs.slice(1).map(({ cpuMs }) => cpuMs ?? Number.NaN)),
  }
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
