import { median, quantile } from './pairs.ts'
import { processorMs, type Running } from './programs.ts'

/** One kind of request to one server. `next` gives what changes from one to the next. */
export type Target = {
  server: Running
  status: number
  next: () => { path: string; init: RequestInit }
}

export type How = { connections: number; count: number }

/** What a run of requests came to; `busyMs` is what the server spent on a processor for each, where that can be known. */
export type Taken = { perSecond: number; waits: number[]; busyMs: number | null }

/** Keeps so many connections busy until `count` requests are answered, and takes every answer in whole. */
export async function load({ server, status, next }: Target, { connections, count }: How): Promise<Taken> {
  const waits: number[] = []
  let asked = 0
  const oneConnection = async () => {
    while (asked < count) {
      asked += 1
      const { path, init } = next()
      const start = performance.now()
      const response = await fetch(server.url + path, { ...init, decompress: false })
      await response.arrayBuffer()
      waits.push(performance.now() - start)
      if (response.status !== status) throw new Error(`${path} answered ${response.status} under load.`)
    }
  }
  const before = processorMs(server.pid)
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, oneConnection))
  const ms = performance.now() - start
  const after = processorMs(server.pid)
  const busyMs = before === null || after === null ? null : (after - before) / count
  return { perSecond: (count / ms) * 1000, waits, busyMs }
}

/** Collects runs; the first was to warm up and counts nowhere. */
export function collectRuns(target: Target, how: How) {
  const runs: Taken[] = []
  return {
    run: async () => {
      const taken = await load(target, how)
      runs.push(taken)
      return taken.perSecond
    },
    /** Of a usual run: the middle one's. */
    p99: () => median(runs.slice(1).map(({ waits }) => quantile(waits, 0.99))),
    busyMs: () => median(runs.slice(1).map(({ busyMs }) => busyMs ?? Number.NaN)),
  }
}
