import { setImmediate } from 'node:timers/promises'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { countWhere, type HasDb, preparedQuery } from './query.ts'
import { personTexts } from './schema/people.ts'
import { type Sought, soughtIn } from './sought.ts'

/** `ids`: the accounts. Null if there are so many that reading a list in its order is quicker. */
export type PeopleFound = { ids: readonly string[] | null; total(): number }

const many = 20_000

/** Null if nothing is looked for. */
export function findPeople(ctx: HasDb, q: string | undefined): PeopleFound | null {
  const sought = soughtIn(q)
  if (sought.words.length === 0) return null
  const { db } = ctx
  const found = isFound(sought)
  const rows = db
    .select({ id: personTexts.userId })
    .from(personTexts)
    .where(found)
    .limit(many + 1)
    .all()
  if (rows.length <= many) return { ids: rows.map(({ id }) => id), total: () => rows.length }
  return { ids: null, total: () => countWhere(ctx, personTexts, found) }
}

function isFound({ words, phone }: Sought): SQL | undefined {
  const long = words.filter(hasTrigram)
  const isInText = and(
    long.length > 0 ? inIndex('text', long) : undefined,
    ...words.filter((word) => !hasTrigram(word)).map((word) => sql`instr(${personTexts.text}, ${word}) > 0`),
  )
  return and(eq(personTexts.isOld, false), phone === null ? isInText : or(inIndex('digits', [phone]), isInText))
}

/** The index knows every three letters of a text. Shorter words are looked for in each text, and so is one it would cut. */
const hasTrigram = (word: string) => [...word].length > 2 && !word.includes('\0')

const inIndex = (column: 'text' | 'digits', words: readonly string[]): SQL => {
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`)
  return sql`${personTexts.id} in (select rowid from people_found where people_found match ${`${column} : (${phrases.join(' AND ')})`})`
}

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
