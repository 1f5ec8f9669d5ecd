import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { addMembers, beside, logInAs, ownerEmail } from '../bench/fixture.ts'
import type { Proof } from './proof.ts'
import { anyValue, oddHeaders, type Schema } from './schema-values.ts'
import { openSite, type Site, send } from './site.ts'

type Operation = {
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = { paths: Record<string, Record<string, Operation>> }
type Sent = { method: string; path: string; headers: Record<string, string>; body: string | undefined; role: Role }

const roles = ['visitor', 'member', 'owner'] as const
type Role = (typeof roles)[number]

const [aFolder, atOnce] = [2_000, 8]
const mostFaults = 20

/** What no answer may hold: paths, queries, password hashes, keys. */
const leaks =
  /\bat \S+ \(|node_modules|SqliteError|SQLITE_|\$argon2|insert into|select "|\/work\/|passwordHash|sk_test_|whsec_/

/** Requests made from the document that the site itself serves. */
export async function proveRequests(proof: Proof, most: number): Promise<void> {
  const { requests } = proof.state
  while (requests.sent < most && proof.faults.length < mostFaults) {
    const site = await openSite(proof.copyDataDir())
    try {
      await sendInOneFolder(proof, site, Math.min(most, requests.sent + aFolder))
    } finally {
      await site.kill()
      rmSync(site.dataDir, { recursive: true })
    }
  }
}

const paying = `id in (select "userId" from customers join subscriptions on customers.id = "customerId" where status = 'active')`

/** Earlier requests may have renamed or removed the person who was logged in before. */
const someoneWith = (site: Site, where: string): string | undefined =>
  beside(site.dataDir, ({ sqlite }) =>
    sqlite.prepare<[], string>(`select email from users where ${where}`).pluck().get(),
  )

async function sendInOneFolder(proof: Proof, site: Site, until: number): Promise<void> {
  const { state, found } = proof
  const document: Document = await (await send(site, '/api/docs/json')).json()
  const requestsOf = requestArbitrary(document, idsOf(site))
  while (state.requests.sent < until) {
    const cookies = {
      visitor: undefined,
      member: logInAs(site.dataDir, someoneWith(site, paying) ?? addMembers(site.dataDir, 1)[0]?.email ?? '').cookie,
      owner: logInAs(site.dataDir, someoneWith(site, '"isAdmin" = 1') ?? ownerEmail).cookie,
    }
    const batches = fc.array(requestsOf, { minLength: atOnce, maxLength: atOnce })
    // Sessions end, so they’re renewed before they all have.
    for (const batch of fc.sample(batches, { numRuns: 25, seed: state.requests.sent })) {
      state.requests.sent += batch.length
      const faults = await Promise.all(batch.map((one) => sendOne(state, site, { ...one, cookie: cookies[one.role] })))
      found(faults.flatMap((fault) => fault?.slice(0, 600) ?? []))
    }
    proof.progress('requests made from the API’s document', state.requests.sent, until)
  }
}

async function sendOne(
  { requests }: Proof['state'],
  site: Site,
  { role, path, ...sent }: Sent & { cookie: string | undefined },
) {
  const told = `${role}, ${sent.method} ${path} ${sent.body?.slice(0, 200) ?? ''} ${JSON.stringify(sent.headers)}`
  const response = await send(site, path, sent).catch(String)
  if (typeof response === 'string') return `${told}: ${response} (${site.ending() ?? 'it runs'})`
  const text = await response.text().catch(() => '')
  const seen = requests.statuses[role] ?? {}
  requests.statuses[role] = seen
  const group = `${Math.floor(response.status / 100)}xx`
  seen[group] = (seen[group] ?? 0) + 1
  const leak = response.headers.get('content-type')?.includes('pdf') ? undefined : leaks.exec(text)?.[0]
  // A limit, and a part that’s off, say so with 503 and when to come back.
  const isBroken = response.status >= 500 && !(response.status === 503 && response.headers.has('retry-after'))
  return isBroken || leak ? `${told}: ${response.status} ${leak ?? text.slice(0, 200)}` : null
}

const idsOf = (site: Site): string[] =>
  beside(site.dataDir, ({ sqlite }) =>
    ['users', 'member_videos', 'invoices', 'mail_outbox', 'blog_posts', 'subscriptions', 'media'].flatMap((table) =>
      sqlite.prepare<[], string>(`select id from ${table} limit 3`).pluck().all(),
    ),
  )

function requestArbitrary({ paths }: Document, known: readonly string[]): fc.Arbitrary<Sent> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  // The sandbox’s chaos answers 5xx on purpose, and its clock takes minutes to move.
  const tried = operations.filter(({ path }) => !path.startsWith('/api/admin/sandbox/'))
  return fc.constantFrom(...tried).chain(({ path, method, operation }) =>
    fc
      .record({
        role: fc.constantFrom(...roles),
        parameters: parametersOf(operation, known),
        headers: oddHeaders,
        body: bodyOf(operation, known),
      })
      .map(({ role, parameters, headers, body }) => {
        const sent = { ...headers, ...(body === undefined ? {} : { 'content-type': body.type }) }
        return {
          role,
          method,
          path: pathOf(path, operation, parameters),
          headers: sent,
          body: method === 'GET' ? undefined : body?.text,
        }
      }),
  )
}

const parametersOf = ({ parameters = [] }: Operation, known: readonly string[]) =>
  fc.tuple(...parameters.map(({ schema = {} }) => fc.option(anyValue(schema, known), { nil: undefined })))

function pathOf(path: string, { parameters = [] }: Operation, values: readonly unknown[]): string {
  const query = new URLSearchParams()
  let written = path
  for (const [index, { name, in: place }] of parameters.entries()) {
    const text = asText(values[index] ?? 'x').toWellFormed()
    if (place === 'path') written = written.replace(`{${name}}`, encodeURIComponent(text).slice(0, 2000) || 'x')
    if (place === 'query' && values[index] !== undefined) query.set(name, text.slice(0, 2000))
  }
  return `${written.replace(/\{\w+\}/g, 'x')}${query.size > 0 ? `?${query}` : ''}`
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function bodyOf({ requestBody }: Operation, known: readonly string[]) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content === undefined) return fc.constant(undefined)
  const types = fc.oneof(
    { weight: 30, arbitrary: fc.constant(type) },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded') },
  )
  const cut = fc.oneof(
    { weight: 30, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  )
  return fc.record({ type: types, value: anyValue(content.schema, known), cut }).map(({ type, value, cut }) => {
    const text = JSON.stringify(value) ?? ''
    return { type, text: text.slice(0, Math.ceil(text.length * cut)) }
  })
}
