import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { contentChanges, contentOverrides } from '#api/db/schema/content.ts'
import { media } from '#api/db/schema/media.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { AppError } from '#api/errors.ts'
import { openPack, type Pack } from '#api/features/imports/pack-service.ts'
import { detectFormat } from '#api/features/media/content-rules.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { hashesOf, keepMedia, newIncomingPath } from '#api/features/media/store-service.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import { errorMessage } from '#api/log.ts'
import { exportFormat } from './export-service.ts'
import type { ExportedTable } from './exported-rules.ts'
import {
  assertVideo,
  isPartOfOther,
  isPersonHere,
  isPostHere,
  isVideoHere,
  type Known,
  type Row,
} from './here-service.ts'
import { exportedTables } from './tables-rules.ts'

const Manifest = v.object({
  format: v.literal(exportFormat),
  version: v.literal(1),
  madeAt: v.string(),
  counts: v.record(v.string(), v.number()),
})
export type Manifest = v.InferOutput<typeof Manifest>

const notOurs = () => new AppError('invalid', 'This ZIP wasn’t made by “alliance export all”.')

export async function readManifest(path: string): Promise<Manifest> {
  const pack = await openPack(path)
  try {
    if (!pack.names.includes('manifest.json')) throw notOurs()
    const text = new TextDecoder().decode((await pack.bytes('manifest.json', 1_000_000)) ?? undefined)
    const read = v.safeParse(Manifest, JSON.parse(text))
    if (!read.success) throw notOurs()
    return read.output
  } finally {
    pack.close()
  }
}

/** What became of the rows of one file. */
export type Taken = { file: string; added: number; there: number; refused: number; problems: string[] }

const mostProblems = 20
const batchSize = 200

/** Takes in what another site of ours gave out. What's here already stays as it is, so it can be repeated after a crash. */
export async function takeEverything(ctx: Context, actor: string, path: string): Promise<Taken[]> {
  const pack = await openPack(path)
  const all: Taken[] = []
  const known: Known = { ids: new Map(), videos: new Map(), matched: new Set() }
  try {
    for (const one of exportedTables.filter(({ comesBack, name }) => comesBack && pack.names.includes(jsonOf(name))))
      all.push(await takeFile(ctx, { pack, one, actor, ...known }))
    const added = all.reduce((sum, taken) => sum + taken.added, 0)
    audit(ctx, actor, 'backup.taken_in', { detail: { rows: added } })
  } finally {
    pack.close()
  }
  invalidateResponses(ctx)
  return all
}

const jsonOf = (name: string) => `json/${name}.json`

type Work = Known & { pack: Pack; one: ExportedTable; actor: string }

async function takeFile(ctx: Context, work: Work): Promise<Taken> {
  const taken: Tally = { added: 0, there: 0, refused: 0, problems: new Map() }
  for await (const rows of rowsIn(await work.pack.stream(jsonOf(work.one.name)))) {
    if (work.one.table === media) for (const row of rows) await attempt(taken, () => takeMedia(ctx, work, row))
    else transact(ctx, () => rows.forEach((row) => void attemptNow(taken, () => takeRow(ctx, work, row))))
    await new Promise(setImmediate)
  }
  const problems = [...taken.problems].map(([problem, rows]) => (rows === 1 ? problem : `${problem} (${rows} rows)`))
  return { ...taken, file: work.one.name, problems }
}

/** `problems` counts the rows of each, since one missing video can be a hundred rows. */
type Tally = Omit<Taken, 'file' | 'problems'> & { problems: Map<string, number> }

async function* rowsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Row[]> {
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  const found: Row[] = []
  parser.onValue = ({ value }) => {
    const row = v.safeParse(v.record(v.string(), v.unknown()), value)
    if (row.success) found.push(row.output)
  }
  for await (const chunk of chunks) {
    parser.write(chunk)
    while (found.length >= batchSize) yield found.splice(0, batchSize)
  }
  if (found.length > 0) yield found
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
  const isOfRow = error instanceof AppError || error instanceof TypeError || isConstraint(error)
  if (!isOfRow) throw error
  const { problems } = taken
  taken.refused += 1
  const problem = isConstraint(error) ? missingPart : errorMessage(error)
  if (problems.has(problem) || problems.size < mostProblems) problems.set(problem, (problems.get(problem) ?? 0) + 1)
}

const isConstraint = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')

const missingPart = 'It belongs to something that isn’t here, or doesn’t fit.'

function takeRow(ctx: Context, work: Work, given: Row): Outcome {
  const { one, ids, actor } = work
  const row = withOurIds(onlyKnown(one, given), ids)
  if (isHere(ctx, work, row) || isPartOfOther(work, given)) return 'there'
  assertVideo(ctx, work, row)
  const { changes } = insert(ctx, one.table, row)
  if (changes === 0) return 'there'
  if (one.table === contentOverrides) recordWords(ctx, actor, row)
  return 'added'
}

function isHere(ctx: Context, work: Work, row: Row): boolean {
  if (work.one.table === users) return isPersonHere(ctx, row, work.ids)
  if (work.one.table === memberVideos) return isVideoHere(ctx, work, row)
  return work.one.table === blogPosts && isPostHere(ctx, row, work.ids)
}

const onlyKnown = ({ columns }: ExportedTable, given: Row): Row =>
  Object.fromEntries(Object.keys(columns).flatMap((name) => (name in given ? [[name, given[name]]] : [])))

/** The columns' own encoders check each value. */
const insert = (ctx: Context, table: SQLiteTable, row: Row) =>
  ctx.db.insert(table).values(row).onConflictDoNothing().run()

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

const Words = v.object({ page: v.string(), entry: v.string(), value: v.unknown() })

function recordWords(ctx: Context, actor: string, row: Row): void {
  const { page, entry, value } = v.parse(Words, row)
  insertRow(ctx, contentChanges, { page, entry, value, actor, at: ctx.now().toISOString() })
}

const File = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  sha256: v.string(),
  format: v.string(),
  name: v.string(),
  isPublic: v.boolean(),
  createdAt: v.string(),
  replacedAt: v.nullable(v.string()),
})

/** Its bytes decide what it is, not the list. */
async function takeMedia(ctx: Context, { pack, ids }: Work, given: Row): Promise<Outcome> {
  const file = v.safeParse(File, given)
  if (!file.success) throw new AppError('invalid', 'A file has no name or id.')
  const { id, sha256, format, name, isPublic, createdAt, replacedAt } = file.output
  if (mediaById.get(ctx, { id }) !== undefined) return 'there'
  const path = newIncomingPath(ctx)
  try {
    const bytes = await extract(pack, `media/${id}.${format}`, path)
    const incoming = { path, bytes, format: await detectFormat(Bun.file(path)), ...(await hashesOf(path)) }
    if (incoming.sha256 !== sha256) throw new AppError('invalid', `The file “${name}” is damaged.`)
    return transact(ctx, () => {
      const kept = keepMedia(ctx, incoming, { name, isPublic, id })
      if (kept.id !== id) {
        ids.set(id, kept.id)
        return 'there'
      }
      ctx.db.update(media).set({ createdAt, replacedAt }).where(eq(media.id, id)).run()
      return 'added'
    })
  } finally {
    rmSync(path, { force: true })
  }
}

async function extract(pack: Pack, name: string, to: string): Promise<number> {
  if (!pack.names.includes(name)) throw new AppError('invalid', `${name} is missing in the ZIP.`)
  const handle = await open(to, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of await pack.stream(name)) {
      await handle.appendFile(chunk)
      bytes += chunk.length
    }
    return bytes
  } finally {
    await handle.close()
  }
}
