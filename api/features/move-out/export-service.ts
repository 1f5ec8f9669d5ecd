import { rmSync } from 'node:fs'
import { and, count, eq, type SQL, sum } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { copyDatabase } from '#api/db/copy.ts'
import { openCopy } from '#api/db/dump.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { media } from '#api/db/schema/media.ts'
import { users } from '#api/db/schema/people.ts'
import { questionFileContents, questionFiles } from '#api/db/schema/questions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { type ZipFile, zipParts } from '#api/documents/zip-parts.ts'
import { contentOfRow } from '#api/features/media/response-service.ts'
import { newIncomingPath } from '#api/features/media/store-service.ts'
import { questionFileName } from '#api/features/questions/export-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { ticketFor } from '#api/identity/tickets.ts'
import { contentOf } from '#api/site/content.ts'
import type { Export, FileRequest, FileTicket, ListExport } from '#shared/contract/move-out.ts'
import { type Cell, csvRow } from '#shared/rules/csv.ts'
import { exportFormat } from './everything-file-service.ts'
import type { ExportedTable } from './exported-rules.ts'
import { readmeOf } from './readme-rules.ts'
import { exportedTables } from './tables-rules.ts'

export const everythingFile = 'all.zip'

/** One of the accountant's files. What's downloaded then is a GET with this ticket. */
export function askForFile(ctx: Context, owner: Owner, { file }: FileRequest): FileTicket {
  audit(ctx, owner.actor, 'backup.file_exported', { detail: { file } })
  return { ticket: ticketFor(ctx, owner, file) }
}

/** A list of people as CSV is made where it's shown. Here it's asked for and recorded. */
export function recordListExport(ctx: Context, owner: Owner, { list, rows }: ListExport) {
  audit(ctx, owner.actor, 'backup.file_exported', { detail: { file: `${list}.csv`, rows } })
  return { success: true as const }
}

/** Everything, as CSV and JSON with the media files. It's one moment of the database, however long the download takes. */
export function exportEverything(ctx: Context) {
  const madeAt = ctx.now().toISOString()
  const { name } = contentOf(ctx).read().site.brand
  return { fileName: `${name} ${madeAt.slice(0, 10)}.zip`.replaceAll('/', '-'), pieces: zipParts(filesOf(ctx, madeAt)) }
}

/** A download is a GET, which may change nothing: so what records it comes first, and hands out the download's address. */
export async function askForExport(ctx: Context, owner: Owner): Promise<Export> {
  audit(ctx, owner.actor, 'backup.exported', {})
  const ticket = ticketFor(ctx, owner, everythingFile)
  const missing = await listMissing(ctx)
  return { ...sizeOfExport(ctx, missing), missing: missing.map(({ name }) => name), ticket }
}

/** Said beforehand, since a download that has begun can't say any more. */
async function listMissing(ctx: Context): Promise<Missing> {
  const missing: { name: string; bytes: number }[] = []
  for (const row of ctx.db.select().from(media).all())
    if ((await contentOfRow(ctx, row, false)) === null) missing.push(row)
  return missing
}

type Missing = readonly { name: string; bytes: number }[]

/** Counts what's inside: owners stay here, and so does a file we can't find. */
function sizeOfExport({ db }: Context, missing: Missing) {
  const total = (table: typeof users | typeof memberVideos | typeof blogPosts, where?: SQL) =>
    db.select({ rows: count() }).from(table).where(where).get()?.rows ?? 0
  const files = db
    .select({ rows: count(), bytes: sum(media.bytes).mapWith(Number) })
    .from(media)
    .get()
  const missingBytes = missing.reduce((all, { bytes }) => all + bytes, 0)
  return {
    people: total(users, eq(users.isAdmin, false)),
    lessons: total(memberVideos),
    posts: total(blogPosts),
    media: (files?.rows ?? 0) - missing.length,
    bytes: (files?.bytes ?? 0) - missingBytes,
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
  const missing: string[] = []
  for (const row of copy.all(media)) {
    const name = `media/${row.id}.${row.format}`
    const content = await contentOfRow(ctx, row, false)
    // Everything else is still worth having.
    if (content === null) missing.push(name)
    else yield { name, parts: streamOf(content.whole()), isPacked: true }
  }
  yield* questionFilesOf(copy)
  yield {
    name: 'manifest.json',
    parts: [utf8.encode(JSON.stringify({ format: exportFormat, version: 1, madeAt, counts, missing }))],
  }
}

/** One at a time, however many there are. Those of owners' own questions stay behind with their lists. */
function* questionFilesOf(copy: Copy): Generator<ZipFile> {
  const exported = exportedTables.find(({ table }) => table === questionFiles)
  for (const page of copy.rows({ table: questionFiles, columns: ['id', 'type'], where: exported?.where }))
    for (const row of page) {
      const file = v.parse(v.object({ id: v.string(), type: v.string() }), row)
      const { fileId, form } = questionFileContents
      const served = copy.one(questionFileContents, and(eq(fileId, file.id), eq(form, 'served')))
      if (served !== undefined) yield { name: questionFileName(file), parts: [served.content], isPacked: true }
    }
}

const streamOf = (content: Blob | ReadableStream): ReadableStream =>
  content instanceof Blob ? content.stream() : content

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
