/** `bun statements.ts DATABASE LISTS`: a minimal server that runs the requested list's SQL and sends the rows. */
import { Database } from 'bun:sqlite'

const [, , file = '', lists = '{}'] = process.argv
const db = new Database(file, { readonly: true })
const given: Record<string, string[]> = JSON.parse(lists)
const prepared = Object.fromEntries(
  Object.entries(given).map(([path, texts]) => [path, texts.map((text) => db.prepare(text))]),
)
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    const { pathname, search } = new URL(url)
    return Response.json((prepared[pathname + search] ?? []).map((statement) => statement.all()))
  },
})
console.log(`ready http://127.0.0.1:${server.port}`)
