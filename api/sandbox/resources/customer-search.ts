import { invalid } from '#api/sandbox/errors.ts'

type Searchable = {
  created: number
  email?: string | null
  name?: string | null
  phone?: string | null
  metadata: Record<string, string>
}

type Clause = (object: Searchable) => boolean

const textClausePattern = /^(?:(email|name|phone)|metadata\[["']([^"']+)["']\])\s*(:|~)\s*(?:"([^"]*)"|'([^']*)'|null)$/
const timeClausePattern = /^created\s*(:|>=|<=|>|<)\s*["']?(\d+)["']?$/

function textOf(object: Searchable, field: string | undefined, key: string): string {
  if (field === 'email') return object.email ?? ''
  if (field === 'name') return object.name ?? ''
  if (field === 'phone') return object.phone ?? ''
  return object.metadata[key] ?? ''
}

/** `null` matches objects without such a text. */
function textClause([, field, key = '', sign, double, single]: RegExpExecArray): Clause {
  const wanted = (double ?? single ?? '').toLowerCase()
  return (object) => {
    const found = textOf(object, field, key).toLowerCase()
    return sign === '~' ? found.includes(wanted) : found === wanted
  }
}

function timeClause([, sign, seconds]: RegExpExecArray): Clause {
  const wanted = Number(seconds)
  return ({ created }) => {
    if (sign === '>') return created > wanted
    if (sign === '<') return created < wanted
    if (sign === '>=') return created >= wanted
    return sign === '<=' ? created <= wanted : created === wanted
  }
}

function parseClause(text: string): Clause {
  const isNegated = text.startsWith('-')
  const bare = isNegated ? text.slice(1) : text
  const asText = textClausePattern.exec(bare)
  const asTime = timeClausePattern.exec(bare)
  const clause = asText ? textClause(asText) : asTime && timeClause(asTime)
  if (clause === null) throw invalid(`We were unable to parse your search query: ${text}.`, { param: 'query' })
  return isNegated ? (object) => !clause(object) : clause
}

/**
 * Parses the supported part of Stripe's query language: `email`, `name`, `phone` and `metadata["…"]` with `:` and `~`,
 * `created` with `:`, `>`, `<`, `>=` and `<=`, each negated by a leading `-`, and joined by AND or by OR.
 */
export function parseSearchQuery(query: string): Clause {
  const parts = query.trim().split(/(?<!\s)\s+(AND|OR)\s+/i)
  const words = new Set(parts.filter((_part, index) => index % 2 === 1).map((word) => word.toUpperCase()))
  if (words.size > 1) throw invalid("You can't combine AND and OR in a search query.", { param: 'query' })
  const clauses = parts.filter((_part, index) => index % 2 === 0).map(parseClause)
  return (object) =>
    words.has('OR') ? clauses.some((clause) => clause(object)) : clauses.every((clause) => clause(object))
}
