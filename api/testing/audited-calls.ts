import type { Sqlite } from '#api/db/open.ts'
import type { Row } from './routes.ts'

/**
 * Wraps each call to the app: an owners' act that wrote to the log under somebody's name wrote what its row says. Calls that
 * overlap aren't checked, since we couldn't tell whose entry is whose.
 */
export function auditedCalls(sqlite: Sqlite, acts: () => readonly Row[]) {
  let [running, begun] = [0, 0]
  const written = (since: unknown) =>
    sqlite
      .prepare<[unknown], string>(`select action from audit_entries where rowid > ? and actor like '%:%'`)
      .pluck()
      .all(since)
  return async (request: Request, respond: () => Promise<Response>): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const isAct = request.method !== 'GET' && pathname.startsWith('/api/admin/')
    const row = isAct ? rowOf(acts(), request.method, pathname) : undefined
    const isAlone = running === 0
    begun += 1
    running += 1
    const own = begun
    const last = row && sqlite.prepare('select coalesce(max(rowid), 0) from audit_entries').pluck().get()
    const response = await respond().finally(() => {
      running -= 1
    })
    const actions = row && response.ok && isAlone && begun === own ? written(last) : []
    if (actions.length > 0 && !actions.some((action) => row?.audit?.includes(action)))
      throw new Error(`${row?.name} wrote ${actions.join(', ')} to the log, and its row says ${row?.audit?.join(', ')}`)
    return response
  }
}

/** Words go before what stands for a value. */
const rowOf = (rows: readonly Row[], method: string, pathname: string): Row | undefined =>
  rows
    .filter((row) => row.method === method && new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname))
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]
