import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { type ZipFile, zipParts } from '#api/documents/zip-parts.ts'
import { AppError } from '#api/errors.ts'
import { type DocumentRef, documentPdf } from '#api/features/invoices/document-service.ts'
import { contentOfQuestionFile } from '#api/features/questions/export-queries.ts'
import type { Member, Owner } from '#api/identity/person.ts'
import { assertProven } from '#api/identity/proof.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { type ArchiveTable, csvPieces, jsonPieces } from '#shared/rules/account-archive.ts'
import { londonDay } from '#shared/rules/london.ts'
import { readProfile } from './account-service.ts'
import { type Archived, archiveTables, provenEmailOf } from './archive-queries.ts'

/** The most PDFs per archive. A long-standing member has about two hundred. */
const mostDocuments = 500

const utf8 = new TextEncoder()

const readmeOf = ({ provenEmail }: Archived) => `Everything we hold about you.

everything.json  all of it in one file
*.csv            the same as spreadsheets, one for each list
photo.webp       your photo, if you have one
invoices/        your VAT invoices and credit notes
question-files/  photos and voice notes of your questions and their answers

Amounts are in pence, times in UTC.
${provenEmail === null ? `\n${untilProven}\n` : ''}`

const untilProven = 'Log in once with a link or code we email you, and we’ll add what you sent us through forms.'

type Archive = { fileName: string; pieces: AsyncGenerator<Uint8Array, void> }

/** Grows with the membership. Memory holds one list or document at a time; a daily limit bounds the archives. */
export function makeArchive(ctx: Context, person: Member): Archive {
  if (person.hasPassword) assertProven(ctx, person)
  transact(ctx, () => {
    const limit = rateLimits.archives(person.id)
    assertWithinLimits(ctx, [limit], 'You can download your data three times a day. Try again tomorrow.')
    recordHit(ctx, limit)
    audit(ctx, `user:${person.id}`, 'member.exported', { targetId: person.id })
  })
  return { fileName: `my-data-${londonDay(ctx.now())}.zip`, pieces: zipOf(ctx, person) }
}

export function makeArchiveFor(ctx: Context, owner: Owner, memberId: string): Archive {
  const { id } = readProfile(ctx, memberId)
  audit(ctx, owner.actor, 'member.exported', { targetId: id })
  return {
    fileName: `member-data-${londonDay(ctx.now())}.zip`,
    pieces: zipOf(ctx, { id, sid: null, scopes: null }),
  }
}

/** Ends in an error if an invoice can't be drawn, because an incomplete archive must not look complete. */
function zipOf(ctx: Context, person: Omit<Archived, 'provenEmail'>): AsyncGenerator<Uint8Array, void> {
  const archived = { ...person, provenEmail: provenEmailOf(ctx, person.id) }
  return zipParts(filesOf(ctx, readmeOf(archived), archiveTables(ctx, archived)))
}

async function* filesOf(ctx: Context, readme: string, tables: readonly ArchiveTable[]): AsyncGenerator<ZipFile> {
  yield { name: 'README.txt', parts: [utf8.encode(readme)] }
  yield { name: 'everything.json', parts: bytesOf(jsonPieces(tables)) }
  const refs: DocumentRef[] = []
  for (const { name, read } of tables) {
    const rows = read()
    const kind = documentKinds[name]
    if (name === 'photo') yield* rows.map(({ content }) => ({ name: 'photo.webp', parts: [fromBase64(content)] }))
    if (name === 'question-files') yield* questionFilesOf(ctx, rows)
    if (kind) refs.push(...rows.map(({ id }) => ({ kind, id: String(id) })))
    if (rows.length > 0) yield { name: `${name}.csv`, parts: bytesOf(csvPieces(rows)) }
  }
  for (const ref of refs.slice(0, mostDocuments)) {
    const pdf = await documentPdf(ctx, ref)
    if (pdf === null)
      throw new AppError('internal', 'We couldn’t create one of your invoices. Contact us and we’ll sort it out.')
    yield { name: `invoices/${pdf.fileName}`, parts: [pdf.bytes] }
  }
}

function* questionFilesOf(ctx: Context, rows: readonly Readonly<Record<string, unknown>>[]): Generator<ZipFile> {
  for (const { id, file } of rows) {
    const content = file === null ? undefined : contentOfQuestionFile(ctx, String(id))
    if (content !== undefined) yield { name: String(file), parts: [content], isPacked: true }
  }
}

const fromBase64 = (text: unknown) => new Uint8Array(Buffer.from(String(text), 'base64'))

const documentKinds: Record<string, DocumentRef['kind']> = { invoices: 'invoice', 'credit-notes': 'credit_note' }

function* bytesOf(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield utf8.encode(piece)
}
