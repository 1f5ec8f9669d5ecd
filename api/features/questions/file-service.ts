import { statfsSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { type Context, perContext } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { writeUnrelated } from '#api/db/cached-read.ts'
import { generationLabel } from '#api/db/generation.ts'
import { transactTogether } from '#api/db/group-commit.ts'
import { insertRow } from '#api/db/insert.ts'
import { questionFilePieces, questionFiles } from '#api/db/schema/questions.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import type { QuestionFileResponse } from '#shared/contract/questions.ts'
import { isAsAnnounced, lockOf, readArrived } from './arrival-service.ts'
import { fileById, type OwnedFileRow } from './queries.ts'
import { toFile } from './reading-service.ts'

/** Whose files someone may send and see. An owner sends the coach's, and sees all of them. */
export type FileHolder = { memberId: string } | 'owner'

/** An owner who views the site as a member sees none of their questions. */
export function holderOf({ id, impersonator }: Member): FileHolder {
  if (impersonator !== null) throw notFound('This file')
  return { memberId: id }
}

export function findFile(ctx: Context, holder: FileHolder, id: string): OwnedFileRow {
  const row = fileById.get(ctx, { id })
  if (row === undefined || (holder !== 'owner' && row.userId !== holder.memberId)) throw notFound('This file')
  return row
}

export const fileResponse = (ctx: Context, holder: FileHolder, id: string): QuestionFileResponse => ({
  file: toFile(ctx, findFile(ctx, holder, id)),
  generation: generationLabel(ctx),
})

type Piece = { id: string; offset: number; read(): Promise<Uint8Array> }

/** Appends a piece. Sent again after a lost answer, its bytes are there already. With the last byte, the file is read. */
export async function receivePiece(
  ctx: Context,
  holder: FileHolder,
  { id, offset, read }: Piece,
): Promise<QuestionFileResponse> {
  // Before its bytes are read: nobody sends them for nothing.
  findSendable(ctx, holder, id)
  // A slow sender keeps no other from sending the same piece.
  const content = await read()
  if (content.length === 0) throw new AppError('invalid', 'This part is empty.')
  return withKeyLock(ctx, lockOf(id), async () => {
    await whenWritable(ctx)
    const kept = () => keepPiece(ctx, { row: findSendable(ctx, holder, id), offset, content })
    // Nothing that's kept between requests is made from pieces.
    await transactTogether(ctx, () => writeUnrelated(ctx, kept))
    await readIfComplete(ctx, findSendable(ctx, holder, id))
    return fileResponse(ctx, holder, id)
  })
}

function findSendable(ctx: Context, holder: FileHolder, id: string): OwnedFileRow {
  const row = findFile(ctx, holder, id)
  if (row.author !== (holder === 'owner' ? 'coach' : 'member')) throw notFound('This file')
  return row
}

type Kept = { row: OwnedFileRow; offset: number; content: Uint8Array }

function keepPiece(ctx: Context, { row, offset, content }: Kept): void {
  const end = offset + content.length
  if (end > row.bytes) throw new AppError('invalid', 'This is larger than the file you announced.')
  if (row.readyAt !== null || row.refusal !== null || end <= row.received) return
  if (offset !== row.received) throw offsetConflict(ctx, row, offset)
  insertRow(ctx, questionFilePieces, { fileId: row.id, offset, content: Buffer.from(content) })
  setReceived(ctx, row.id, end)
}

const setReceived = ({ db }: Context, id: string, received: number) =>
  db.update(questionFiles).set({ received }).where(eq(questionFiles.id, id)).run()

const offsetConflict = (ctx: Context, row: OwnedFileRow, offset: number) =>
  new AppError('conflict', `${row.received} bytes have arrived, so the next part starts there.`, {
    versions: { sent: { offset }, current: toFile(ctx, row) },
  })

/** Files whose bytes weren't those announced, once. */
const mismatched = perContext(() => new Set<string>())

/** Two tabs may have sent a picture that each had made small for itself. The second time, the file isn't what its phone says. */
async function readIfComplete(ctx: Context, row: OwnedFileRow): Promise<void> {
  if (row.received < row.bytes || row.readyAt !== null || row.refusal !== null) return
  if (isAsAnnounced(ctx, row) || mismatched(ctx).has(row.id)) return readArrived(ctx, row.id)
  mismatched(ctx).add(row.id)
  await transactTogether(ctx, () => {
    ctx.db.delete(questionFilePieces).where(eq(questionFilePieces.fileId, row.id)).run()
    setReceived(ctx, row.id, 0)
  })
  throw offsetConflict(ctx, { ...row, received: 0 }, row.bytes)
}

/** Disk space kept free for the database. */
const reservedBytes = 256 * 1024 ** 2

export function assertRoomFor(ctx: Context, bytes: number): void {
  if (bytes === 0) return
  const { bavail, bsize } = statfsSync(ctx.settings.dataDir)
  if (bavail * bsize - bytes < reservedBytes)
    throw new AppError('busy', 'We can’t take photos or voice notes right now. We’ll keep trying.', {
      retryAfter: 600,
    })
}
