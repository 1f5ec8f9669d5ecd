import { open } from 'node:fs/promises'
import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import { type Room, withKeyLock, withPlace } from '#api/serving/key-lock.ts'
import type { MediaUpload } from '#shared/contract/media.ts'
import { assertWorthSending } from './content-rules.ts'
import { touchedUpload, type UploadRow } from './library-queries.ts'
import { arrivedBytes, findUpload, forgetIfRefused, lockOf, toUpload, uploadFile } from './upload-service.ts'

/** Chunks read and written in parallel. With more, owners' uploads would slow down visitors. */
const roomForPieces: Room = {
  name: 'pieces',
  most: 8,
  retryAfter: 1,
  message: 'Other files are uploading. This one will carry on automatically.',
}

type Chunk = { id: string; offset: number; bytes: Uint8Array }

/** Receives and writes a chunk. Takes a place from its first byte, so that only a few are in memory. */
export const receiveChunk = (
  ctx: Context,
  { id, offset, read }: { id: string; offset: number; read: () => Promise<Uint8Array> },
): Promise<MediaUpload> =>
  withPlace(ctx, roomForPieces, async () => writeChunk(ctx, { id, offset, bytes: await read() }))

/** Appends a chunk. Sending one again after a lost response gets 409; the browser then asks for the offset and resumes. */
async function writeChunk(ctx: Context, { id, offset, bytes }: Chunk): Promise<MediaUpload> {
  if (bytes.length === 0) throw new AppError('invalid', 'This part is empty.')
  return withKeyLock(ctx, lockOf(id), async () => {
    const row = findUpload(ctx, id)
    const arrived = arrivedBytes(ctx, id)
    if (arrived === null) throw notFound('This upload')
    if (row.mediaId !== null || offset !== arrived)
      throw new AppError('conflict', `${arrived} bytes have arrived, so the next part starts there.`)
    if (offset + bytes.length > row.bytes) throw new AppError('invalid', 'This is larger than the file you announced.')
    if (offset === 0 && !row.isImport)
      await forgetIfRefused(ctx, id, () => assertWorthSending(new Blob([new Uint8Array(bytes)])))
    await appendBytes(uploadFile(ctx, id), bytes)
    noteLife(ctx, row)
    return toUpload(row, offset + bytes.length)
  })
}

/** They're on the disk before we say that they've arrived: the browser sends no byte twice. */
async function appendBytes(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.appendFile(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

const hourMs = 3_600_000

/** Records that the upload is alive, once an hour: a write per chunk would cost more than the chunk. */
function noteLife(ctx: Context, { id, updatedAt, mediaId }: UploadRow): void {
  const now = ctx.now()
  if (now.getTime() - Date.parse(updatedAt) > hourMs)
    touchedUpload.run(ctx, { id, updatedAt: now.toISOString(), mediaId })
}
