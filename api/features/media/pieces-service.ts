import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mediaPieces } from '#api/db/schema/media.ts'
import type { MediaPieces } from '#shared/contract/media.ts'
import { pieceBytes } from '#shared/rules/media.ts'
import { type MediaRow, piecesOfFile, unreadMedia } from './queries.ts'
import { isWholeFile, mediaFile } from './store-service.ts'

const pieceCount = (bytes: number) => Math.ceil(bytes / pieceBytes)

/** Null until all of them are known. */
export function listPieces(ctx: Context, { sha256, bytes }: MediaRow): MediaPieces {
  const known = piecesOfFile.all(ctx, { file: sha256 })
  const pieces = known.length === pieceCount(bytes) ? known.map((piece) => piece.sha256) : null
  return { sha256, bytes, pieceBytes, pieces }
}

/**
 * Reads the films and sounds whose pieces aren't known: those from before there were any. Each piece is stored as it's read, so a
 * stopped run goes on where it was.
 */
export async function readPieces(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  let pieces = 0
  for (const { sha256, bytes } of unreadMedia.all(ctx, { pieceBytes })) {
    const path = mediaFile(ctx, { sha256 })
    // A damaged file is reported where it's asked for.
    if (!isWholeFile(path, bytes)) continue
    for (let index = piecesOfFile.all(ctx, { file: sha256 }).length; index < pieceCount(bytes); index++) {
      if (stopping?.aborted) return { pieces }
      const piece = Bun.file(path).slice(index * pieceBytes, (index + 1) * pieceBytes)
      const hash = new Bun.CryptoHasher('sha256').update(await piece.arrayBuffer()).digest('hex')
      transact(ctx, () => insertIfAbsent(ctx, mediaPieces, { file: sha256, index, sha256: hash }))
      pieces++
    }
  }
  return { pieces }
}
