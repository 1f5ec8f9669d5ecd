import { and, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { media } from '#api/db/schema/media.ts'
import { users } from '#api/db/schema/people.ts'
import { questionFiles } from '#api/db/schema/questions.ts'
import { siteSettings } from '#api/db/schema/site-settings.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { AppError } from '#api/errors.ts'
import { tooLong } from '#api/features/imports/long-values-rules.ts'
import { FileCutOff, openInProcess } from '#api/file-process.ts'
import { errorMessage } from '#api/log.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { checkedRow, columnsOf, hasBytes, withCheckedBytes } from './checks-service.ts'
import type { EverythingOptions, EverythingRow, Manifest } from './everything-file-service.ts'
import type { ExportedTable } from './exported-rules.ts'
import {
  assertVideo,
  hasTiersHere,
  isPartOfOther,
  isPersonHere,
  isPostHere,
  isVideoHere,
  type Known,
  type Row,
} from './here-service.ts'
import { keptForOwners, type LeftSetting } from './left-settings-service.ts'
import { exportedTables } from './tables-rules.ts'
import { takeMedia, type Zip } from './take-media-service.ts'
import { takeQuestionFile } from './take-question-files-service.ts'
import { takeWords, Words } from './take-words-service.ts'

type Head = { manifest: Manifest; files: string[]; media: string[] }

function openAll(path: string, files: string[]) {
  const options: EverythingOptions = { files }
  return openInProcess<Head, EverythingRow>(path, { as: 'everything', what: 'row', options })
}

export async function readManifest(path: string): Promise<Manifest> {
  const { head, close } = await openAll(path, [])
  close()
  return head.manifest
}

/** What became of the rows of one file. */
export type Taken = { file: string; added: number; there: number; refused: number; problems: string[] }

/** `left`: settings that send people somewhere, load something or say who gets our email. Owners set these themselves. */
export type AllTaken = { taken: Taken[]; left: LeftSetting[] }

const mostProblems = 20
const batchSize = 200

/** `isRehearsal`: on a copy of the database. Then the media's own bytes are neither looked at nor stored. */
export type Source = { path: string; isRehearsal?: boolean }

/** Takes in what another site of ours gave out. What's here already stays as it is, so it can be repeated after a crash. */
export async function takeEverything(
  ctx: Context,
  actor: string,
  { path, isRehearsal = false }: Source,
): Promise<AllTaken> {
  const tables = exportedTables.filter(({ row }) => row !== null)
  const opened = await openAll(
    path,
    tables.map(({ name }) => name),
  )
  const rows = rowsByFile(opened.rows)
  const zip = { media: new Set(opened.head.media), save: opened.save }
  const taken: Taken[] = []
  const left: LeftSetting[] = []
  const known: Known = { ids: new Map(), videos: new Map(), matched: new Set(), untiered: new Map() }
  try {
    for (const one of tables.filter(({ name }) => opened.head.files.includes(name)))
      taken.push(await takeFile(ctx, { zip, one, actor, isRehearsal, left, ...known }, rows))
    const added = taken.reduce((sum, one) => sum + one.added, 0)
    audit(ctx, actor, 'backup.taken_in', { detail: { rows: added } })
  } finally {
    opened.close()
  }
  invalidateResponses(ctx)
  return { taken, left }
}

export type Work = Known & {
  zip: Zip
  one: ExportedTable
  actor: string
  isRehearsal: boolean
  left: LeftSetting[]
}

type RowsOfFile = ReturnType<typeof rowsByFile>

async function takeFile(ctx: Context, work: Work, rowsOf: RowsOfFile): Promise<Taken> {
  const taken: Tally = { added: 0, there: 0, refused: 0, problems: new Map() }
  const rows = rowsOf(work.one.name, () => refuse(taken, new AppError('too_large', tooLong)))
  if (work.one.table === contentOverrides) await takeAllWords(ctx, work, { rows, taken })
  else for await (const batch of rows) await takeBatch(ctx, work, { batch, taken })
  const problems = [...taken.problems].map(([problem, count]) => (count === 1 ? problem : `${problem} (${count} rows)`))
  return { ...taken, file: work.one.name, problems }
}

/** `problems` counts the rows of each, since one missing video can be a hundred rows. */
type Tally = Omit<Taken, 'file' | 'problems'> & { problems: Map<string, number> }

async function takeBatch(ctx: Context, work: Work, { batch, taken }: { batch: Row[]; taken: Tally }): Promise<void> {
  const { one, ids } = work
  if (one.table === media) {
    for (const row of batch) await attempt(taken, () => takeMedia(ctx, work, columnsOf(ctx, one, row)))
    return
  }
  if (one.table === questionFiles) {
    for (const row of batch)
      await attempt(taken, () => takeQuestionFile(ctx, work, withOurIds(columnsOf(ctx, one, row), ids)))
    return
  }
  const checked = work.isRehearsal || !hasBytes(one) ? batch : await withBytes(ctx, work, { batch, taken })
  transact(ctx, () => checked.forEach((row) => void attemptNow(taken, () => takeRow(ctx, work, row))))
  await new Promise(setImmediate)
}

async function withBytes(ctx: Context, { one, ids }: Work, { batch, taken }: { batch: Row[]; taken: Tally }) {
  const checked: Row[] = []
  for (const row of batch) {
    try {
      checked.push(await withCheckedBytes(ctx, one, withOurIds(columnsOf(ctx, one, row), ids)))
    } catch (error) {
      refuse(taken, error)
    }
  }
  return checked
}

/** In characters. All the pages together have less than one million. */
const mostWords = 20_000_000

/** The words of a page belong together: one may only fit with another. */
async function takeAllWords(ctx: Context, work: Work, { rows, taken }: { rows: AsyncIterable<Row[]>; taken: Tally }) {
  const all: Row[] = []
  let left = mostWords
  for await (const batch of rows)
    for (const row of batch) {
      left -= JSON.stringify(row).length
      if (left < 0)
        throw new AppError('too_large', 'This ZIP has more than 20 MB of words, so something’s wrong with it.')
      all.push(row)
    }
  const read = all.flatMap((given) => {
    try {
      return [v.parse(Words, withOurIds(columnsOf(ctx, work.one, given), work.ids))]
    } catch (error) {
      refuse(taken, error)
      return []
    }
  })
  const { added, there, problems } = transact(ctx, () => takeWords(ctx, work.actor, read))
  taken.added += added
  taken.there += there
  for (const problem of problems) refuse(taken, new AppError('invalid', problem))
}

/** Those of one file after those of another, as they come. `onTooLong` hears of each that wasn't kept. */
function rowsByFile(all: AsyncGenerator<EverythingRow>) {
  let next: Promise<IteratorResult<EverythingRow>> | null = null
  return async function* (file: string, onTooLong: () => void): AsyncGenerator<Row[]> {
    let batch: Row[] = []
    for (;;) {
      next ??= all.next()
      const { value, done } = await next
      if (done || value.file !== file) break
      next = null
      if (value.row === null) onTooLong()
      else batch.push(value.row)
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}

type Outcome = 'added' | 'there'

async function attempt(taken: Tally, take: () => Promise<Outcome>): Promise<void> {
  try {
    taken[await take()] += 1
  } catch (error) {
    refuse(taken, error)
  }
}

function attemptNow(taken: Tally, take: () => Outcome): void {
  try {
    taken[take()] += 1
  } catch (error) {
    refuse(taken, error)
  }
}

/** A row that doesn't fit is left out and named. Any other fault ends the work. */
function refuse(taken: Tally, error: unknown): void {
  const isOfRow =
    (error instanceof AppError && !(error instanceof FileCutOff)) ||
    error instanceof TypeError ||
    v.isValiError(error) ||
    isConstraint(error)
  if (!isOfRow) throw error
  const { problems } = taken
  taken.refused += 1
  const problem = isConstraint(error) ? missingPart : sentenceOf(error)
  if (problems.has(problem) || problems.size < mostProblems) problems.set(problem, (problems.get(problem) ?? 0) + 1)
}

/** A form marks its fields. Here there's none to mark. */
function sentenceOf(error: unknown): string {
  // A column it lacks.
  if (v.isValiError(error)) return 'row: This isn’t a value we know.'
  const [field] = error instanceof AppError ? Object.entries(error.fields ?? {}) : []
  return field === undefined ? errorMessage(error) : `${field[0]}: ${field[1]}`
}

const isConstraint = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')

const missingPart = 'It belongs to something that isn’t here, or doesn’t fit.'

function takeRow(ctx: Context, work: Work, given: Row): Outcome {
  const { one, ids } = work
  const row = withOurIds(columnsOf(ctx, one, given), ids)
  if (isHere(ctx, work, row) || isPartOfOther(work, given) || hasTiersHere(ctx, work, row)) return 'there'
  assertVideo(ctx, work, row)
  const checked = checkedRow(ctx, one, row)
  if (one.table === siteSettings) return takeSetting(ctx, work, checked)
  const outcome = insertHere(ctx, one, checked)
  // An older ZIP has a video's tiers in its row.
  if (one.table === memberVideos && outcome === 'added') setVideoTiers(ctx, String(checked.id), oldTiersOf(ctx, given))
  return outcome
}

const OldTiers = v.fallback(v.array(TierSlug), [])
const oldTiersOf = (ctx: Context, { tierAccess }: Row) => v.parse(OldTiers, tierAccess).filter(ctx.isTier)

function isHere(ctx: Context, work: Work, row: Row): boolean {
  if (work.one.table === users) return isPersonHere(ctx, row, work.ids)
  if (work.one.table === memberVideos) return isVideoHere(ctx, work, row)
  return work.one.table === blogPosts && isPostHere(ctx, row, work.ids)
}

/** What may leave is all that may come in. */
function insertHere(ctx: Context, { table, where }: ExportedTable, row: Row): Outcome {
  const { changes, lastInsertRowid } = ctx.db.insert(table).values(row).onConflictDoNothing().run()
  if (changes === 0) return 'there'
  const isInserted = sql`rowid = ${lastInsertRowid}`
  if (where === undefined) return 'added'
  if (ctx.db.select({ one: sql`1` }).from(table).where(and(isInserted, where)).get() !== undefined) return 'added'
  ctx.db.delete(table).where(isInserted).run()
  throw new AppError('invalid', 'We don’t export rows like this.')
}

/** An id stands alone, or in the address of a file within a text. */
function withOurIds(row: Row, ids: ReadonlyMap<string, string>): Row {
  if (ids.size === 0) return row
  const changed = Object.entries(row).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value]
    const alone = ids.get(value)
    if (alone !== undefined) return [name, alone]
    return [name, value.includes('/media/') ? replaceAll(value, ids) : value]
  })
  return Object.fromEntries(changed)
}

const replaceAll = (text: string, ids: ReadonlyMap<string, string>) =>
  text.replace(/(?<=\/media\/)[\w-]+/g, (id) => ids.get(id) ?? id)

function takeSetting(ctx: Context, { one, left }: Work, row: Row): Outcome {
  const kept = keptForOwners(ctx, row)
  if (kept === null) return insertHere(ctx, one, row)
  if (kept !== 'same') left.push(kept)
  return 'there'
}
