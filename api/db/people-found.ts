import { setImmediate } from 'node:timers/promises'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { type HasDb, preparedQuery } from './query.ts'
import { personTexts } from './schema/people.ts'
import { type Sought, soughtIn } from './sought.ts'

/** `ids`: the accounts. Null if there are so many that reading a list in its order is quicker. */
export type PeopleFound = { ids: readonly string[] | null; total(): number }

const many = 20_000

/** A name in a script of thousands of signs is rare here, and each sign is one more part of the index to read. */
const mostLetters = 200

/** Null if nothing is looked for. */
export function findPeople(ctx: HasDb, q: string | undefined): PeopleFound | null {
  const sought = soughtIn(q)
  if (sought.words.length === 0) return null
  const { db } = ctx
  const narrowed = narrowedBy(ctx, sought)
  const found = and(eq(personTexts.isOld, false), saysIt(sought))
  const rows = db.all<{ id: string }>(
    sql`select ${personTexts.userId} as "id" from ${textsIn(narrowed)} and ${found} limit ${many + 1}`,
  )
  if (rows.length <= many) return { ids: rows.map(({ id }) => id), total: () => rows.length }
  return { ids: null, total: () => countFound(ctx, sought, narrowed) }
}

/** What decides. Where the index narrows it down, few texts are read for it. */
const saysIt = ({ words, phone }: Sought): SQL | undefined => {
  const saysAll = and(...words.map((word) => sql`instr(${personTexts.text}, ${word}) > 0`))
  return phone === null ? saysAll : or(sql`instr(${personTexts.digits}, ${phone}) > 0`, saysAll)
}

/** A query of the index that finds at least these people. `isExact`: and nobody else. Null if it knows nothing of these words. */
type Narrowed = { query: string; isExact: boolean } | null

/** `cross join` keeps the order: from the index to the texts, no further than the limit. */
const textsIn = (narrowed: Narrowed): SQL =>
  narrowed === null
    ? sql`${personTexts} where true`
    : sql`people_found cross join ${personTexts} on ${personTexts.id} = people_found.rowid where people_found match ${narrowed.query}`

/** In the index there's also what was said before. That's little, and has an index of its own. */
function countFound({ db }: HasDb, sought: Sought, narrowed: Narrowed): number {
  const count = (from: SQL): number => db.get<{ rows: number }>(sql`select count(*) as "rows" from ${from}`)?.rows ?? 0
  if (!narrowed?.isExact) return count(sql`${textsIn(narrowed)} and ${personTexts.isOld} = 0 and ${saysIt(sought)}`)
  const old = count(sql`${personTexts} where ${personTexts.isOld} = 1 and ${saysIt(sought)}`)
  return count(sql`people_found where people_found match ${narrowed.query}`) - old
}

function narrowedBy(ctx: HasDb, { words, phone }: Sought): Narrowed {
  let read: readonly Term[] | undefined
  const letters = () => (read ??= ctx.db.all<Term>(firstLetters))
  const known = words.map((word) => termsOf(ctx, word, letters)).filter((terms) => terms !== null)
  const isExact = known.length === words.length
  if (known.length === 0 || (phone !== null && !isExact)) return null
  const text = `text : (${known.map((terms) => `(${terms.map(quoted).join(' OR ')})`).join(' AND ')})`
  return { query: phone === null ? text : `(digits : ${quoted(phone)}) OR (${text})`, isExact }
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`

/**
 * What the index, which knows every three letters of a text, is asked for a word: the word itself, or the threes that two letters
 * are part of. Null for one letter, for two that many texts have, and for a word that it would cut.
 */
function termsOf(ctx: HasDb, word: string, letters: () => readonly Term[]): readonly string[] | null {
  const { length } = [...word]
  if (word.includes('\0') || length < 2) return null
  if (length > 2) return [word]
  if (isCommon(ctx, word)) return null
  const before = letters().map(({ term }) => term + word)
  const after = ctx.db.all<Term>(threesThatBegin(word)).map(({ term }) => term)
  // The word itself finds nothing, and an empty query is an error.
  return before.length + after.length > mostLetters ? null : [word, ...before, ...after]
}

/** Said by one in ten, of the first thousand: a page is soon full of them, and the index would put together long lists. */
const isCommon = ({ db }: HasDb, word: string): boolean => {
  const first = sql`select ${personTexts.text} as "text" from ${personTexts} limit 1000`
  const said = db.get<{ texts: number }>(
    sql`select count(*) as "texts" from (${first}) where instr("text", ${word}) > 0`,
  )
  return (said?.texts ?? 0) > 100
}

type Term = { term: string }

/** What threes begin with, each from the one before: the index is read at as many places as there are letters. */
const firstLetters = sql`with recursive letters(term) as (
  select (select substr(term, 1, 1) from person_threes where term >= '' limit 1)
  union all
  select (select substr(next.term, 1, 1) from person_threes next where next.term >= letters.term || char(1114111) limit 1)
  from letters where letters.term is not null
) select term from letters where term is not null limit ${mostLetters + 1}`

const threesThatBegin = (two: string) => sql`with recursive threes(term) as (
  select (select term from person_threes where term >= ${two} limit 1)
  union all
  select (select next.term from person_threes next where next.term >= threes.term || char(1) limit 1)
  from threes where substr(threes.term, 1, 2) = ${two}
) select term from threes where substr(term, 1, 2) = ${two}`

const firstOld = preparedQuery()((db) =>
  db.select({ id: personTexts.id }).from(personTexts).where(sql`${personTexts.isOld} = 1`).limit(1),
)
const deleteText = preparedQuery<{ id: number }>()((db, { id }) => db.delete(personTexts).where(eq(personTexts.id, id)))

/** Takes what people were found by before out of the index, one at a time: each takes some milliseconds. */
export async function deleteOldTexts(ctx: HasDb): Promise<number> {
  for (let deleted = 0; ; deleted += 1) {
    const old = firstOld.get(ctx)
    if (old === undefined) return deleted
    deleteText.run(ctx, old)
    await setImmediate()
  }
}
