import * as v from 'valibot'

/** The product's rules again, written independently and as plainly as possible. */
type Row = { completed: boolean; at: number; counter: number; deviceId: string; id: string }

export type Oracle = {
  /** Call it with every request as it reaches the server. */
  arrived(path: string, body: unknown): void
  rows: Map<string, Row>
  /** Change id → its stamp as the server must have settled it. */
  fixed: Map<string, Row>
}

const Arrived = v.object({
  deviceId: v.string(),
  changes: v.array(
    v.object({ id: v.string(), videoId: v.string(), completed: v.boolean(), at: v.string(), counter: v.number() }),
  ),
})

export function createOracle(now: () => number): Oracle {
  const rows = new Map<string, Row>()
  const fixed = new Map<string, Row>()
  const offer = (videoId: string, row: Row) => {
    const current = rows.get(videoId)
    if (current === undefined || isGreater(row, current)) rows.set(videoId, row)
  }
  return {
    rows,
    fixed,
    arrived: (path, body) => {
      const [, videoId, button] = /^\/api\/video-progress\/([^/]+)\/(complete|incomplete)$/.exec(path) ?? []
      if (videoId !== undefined) {
        const current = rows.get(videoId)
        const at = Math.max(now(), current?.at ?? 0)
        const counter = (current?.counter ?? 0) + 1
        offer(videoId, { completed: button === 'complete', at, counter, deviceId: 'server', id: '' })
      }
      const request = v.safeParse(Arrived, body)
      if (!request.success) return
      const { deviceId, changes } = request.output
      for (const { id, videoId, completed, at, counter } of changes) {
        if (fixed.has(id)) continue
        const row = { completed, at: Math.min(Date.parse(at), now() + 300_000), counter, deviceId, id }
        fixed.set(id, row)
        offer(videoId, row)
      }
    },
  }
}

export function isGreater(one: Omit<Row, 'completed'>, other: Omit<Row, 'completed'>): boolean {
  if (one.at !== other.at) return one.at > other.at
  if (one.counter !== other.counter) return one.counter > other.counter
  if (one.deviceId !== other.deviceId) return one.deviceId > other.deviceId
  return one.id > other.id
}
