import { createReadStream, rmSync } from 'node:fs'
import { count, sum } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { copyDatabase } from '#api/db/copy.ts'
import { openCopy } from '#api/db/dump.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { media } from '#api/db/schema/media.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { type ZipFile, zipParts } from '#api/documents/zip-parts.ts'
import { AppError } from '#api/errors.ts'
import { contentOf } from '#api/features/content/service.ts'
import { isWholeFile, mediaFile, newIncomingPath } from '#api/features/media/store-service.ts'
import type { Owner } from '#api/http/session.ts'
import { type Cell, csvRow } from '#shared/rules/csv.ts'
import type { ExportedTable } from './exported-rules.ts'
import { readmeOf } from './readme-rules.ts'
import { exportedTables } from './tables-rules.ts'

export const exportFormat = 'alliance-everything'

/** Everything, as CSV and JSON with the media files. It's one moment of the database, however long the download takes. */
export function exportEverything(ctx: Context, owner: Owner) {
  const madeAt = ctx.now().toISOString()
  audit(ctx, owner.actor, 'backup.exported', {})
  const { name } = contentOf(ctx).read().site.brand
  return { fileName: `${name} ${madeAt.slice(0, 10)}.zip`.replaceAll('/', '-'), pieces: zipParts(filesOf(ctx, madeAt)) }
}

/** What would be in it. */
export function sizeOfExport({ db }: Context) {
  const total = (table: typeof users | typeof memberVideos | typeof blogPosts) =>
    db.select({ rows: count() }).from(table).get()?.rows ?? 0
  const files = db
    .select({ rows: count(), bytes: sum(media.bytes).mapWith(Number) })
    .from(media)
    .get()
  return {
    ...{ people: total(users), lessons: total(memberVideos), posts: total(blogPosts) },
    ...{ media: files?.rows ?? 0, bytes: files?.bytes ?? 0 },
  }
}

async function* filesOf(ctx: Context, madeAt: string): AsyncGenerator<ZipFile> {
  const copy = newIncomingPath(ctx)
  try {
    await copyDatabase(ctx.sqlite.name, copy)
    const opened = openCopy(copy)
    try {
      yield* filesOfCopy(ctx, opened, madeAt)
    } finally {
      opened.close()
    }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${end}`, { force: true })
  }
}

const utf8 = new TextEncoder()

type Copy = ReturnType<typeof openCopy>

async function* filesOfCopy(ctx: Context, copy: Copy, madeAt: string): AsyncGenerator<ZipFile> {
  const siteName = contentOf(ctx).read().site.brand.name
  yield { name: 'README.md', parts: [utf8.encode(readmeOf({ siteName, madeAt: madeAt.slice(0, 10) }))] }
  const counts: Record<string, number> = {}
  for (const one of exportedTables) {
    counts[one.name] = 0
    const rows = () => copy.rows({ ...one, columns: Object.keys(one.columns) })
    yield { name: `csv/${one.name}.csv`, parts: csvParts(one, rows()) }
    yield { name: `json/${one.name}.json`, parts: jsonParts(counted(rows(), counts, one.name)) }
  }
  for (const row of copy.all(media)) {
    const path = mediaFile(ctx, row)
    if (!isWholeFile(path, row.bytes))
      throw new AppError('conflict', `The file “${row.name}” is missing or damaged. Remove it from the library first.`)
    yield { name: `media/${row.id}.${row.format}`, parts: createReadStream(path), isPacked: true }
  }
  yield {
    name: 'manifest.json',
    parts: [utf8.encode(JSON.stringify({ format: exportFormat, version: 1, madeAt, counts }))],
  }
}

type Row = Record<string, unknown>

function* counted(rows: Generator<Row[]>, counts: Record<string, number>, name: string): Generator<Row[]> {
  for (const page of rows) {
    counts[name] = (counts[name] ?? 0) + page.length
    yield page
  }
}

function* csvParts({ columns }: ExportedTable, rows: Generator<Row[]>): Generator<Uint8Array> {
  const names = Object.keys(columns)
  yield utf8.encode(`\uFEFF${csvRow(names)}`)
  for (const page of rows) yield utf8.encode(page.map((row) => csvRow(names.map((name) => toCell(row[name])))).join(''))
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value == null ? null : JSON.stringify(value)
}

function* jsonParts(rows: Generator<Row[]>): Generator<Uint8Array> {
  let mark = '['
  for (const page of rows) {
    yield utf8.encode(page.map((row, at) => `${at === 0 ? mark : ','}\n${JSON.stringify(row)}`).join(''))
    mark = ','
  }
  yield utf8.encode(mark === '[' ? '[]\n' : '\n]\n')
}
