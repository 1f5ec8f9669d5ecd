import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { MediaPieces } from '#shared/contract/media.ts'
import { pieceBytes } from '#shared/values/media.ts'
import { type MediaRow, piecesOfFile, unreadMedia } from './queries.ts'
import { hashesOf, isWholeFile, keepPieces, mediaFile } from './store-service.ts'

const pieceCount = (bytes: number) => Math.ceil(bytes / pieceBytes)

/** Null until all of them are known. */
export function listPieces(ctx: Context, { sha256, bytes }: MediaRow): MediaPieces {
  const known = piecesOfFile.all(ctx, { file: sha256 })
  const pieces = known.length === pieceCount(bytes) ? known.map((piece) => piece.sha256) : null
  return { sha256, bytes, pieceBytes, pieces }
}

/**
 * Reads the videos and sounds whose pieces aren't known: those from before there were any. Only a file that's still what was stored
 * gets them, so no phone is told that damage is right.
 */
export async function readPieces(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  let pieces = 0
  for (const { sha256: file, bytes } of unreadMedia.all(ctx, { pieceBytes })) {
    if (stopping?.aborted) break
    const path = mediaFile(ctx, { sha256: file })
    if (!isWholeFile(path, bytes)) continue
    const found = await hashesOf(path)
    if (found.sha256 !== file) ctx.log.error('a stored file is damaged', { file: path })
    else pieces += transact(ctx, () => keepPieces(ctx, found))
  }
  return { pieces }
}
