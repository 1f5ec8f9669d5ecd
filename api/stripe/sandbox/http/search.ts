import { invalid } from '#api/stripe/sandbox/http/errors.ts'

type Searchable = { email?: string | null; name?: string | null; metadata: Record<string, string> }

const CLAUSE = /^(?:(email|name)|metadata\[["']([^"']+)["']\])\s*(:|~)\s*["']([^"']*)["']$/

function matchesClause(clause: string, object: Searchable): boolean {
  const [, field, key, sign, wanted = ''] = CLAUSE.exec(clause.trim()) ?? []
  if (sign === undefined) {
    throw invalid(`We were unable to parse your search query (${clause.trim()}).`, { param: 'query' })
  }
  const found = field === undefined ? object.metadata[key ?? ''] : field === 'email' ? object.email : object.name
  const value = (found ?? '').toLowerCase()
  return sign === '~' ? value.includes(wanted.toLowerCase()) : value === wanted.toLowerCase()
}

/** Stripe's query language as far as `email:"…"`, `name~"…"` and `metadata["…"]:"…"`, joined by AND. */
export function matchesSearch(query: string, object: Searchable): boolean {
  return query.split(/\s+AND\s+/i).every((clause) => matchesClause(clause, object))
}
