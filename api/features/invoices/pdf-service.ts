import { chmodSync, mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#api/context.ts'
import type { LegalDocument } from '#api/documents/legal-document.ts'
import { renderPdf } from '#api/documents/pdf-renderer.ts'
import { logoForDocument } from '#api/features/media/photograph-service.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { errorMessage } from '#api/log.ts'

/**
 * The PDF of an issued document. It never changes, so it is drawn once and stored beside the database. `by` is who asks:
 * one document at a time is drawn for each, so that nobody who opens hundreds keeps the others waiting.
 */
export async function documentBytes(
  ctx: Context,
  document: LegalDocument,
  by: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = pathOfPdf(ctx, document)
  const stored = await readStoredPdf(file)
  if (stored !== null) return stored
  return withKeyLock(ctx, `pdf:${by}`, async () => {
    const drawnMeanwhile = await readStoredPdf(file)
    if (drawnMeanwhile !== null) return drawnMeanwhile
    const { logo } = document.seller
    const picture = await logoForDocument(ctx, logo)
    const bytes = await renderPdf(document, picture)
    if (logo === undefined || picture !== null) await storePdf(ctx, file, bytes)
    return bytes
  })
}

/** Named by what is printed; null for a database in memory, which has no folder. */
function pathOfPdf({ sqlite }: Context, document: LegalDocument): string | null {
  if (sqlite.memory) return null
  const content = new Bun.CryptoHasher('sha256').update(JSON.stringify(document)).digest('hex')
  return join(dirname(sqlite.name), 'documents', `${content}.pdf`)
}

/** Null where it has not been drawn, or cannot be read: then it is drawn again. */
async function readStoredPdf(file: string | null): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return file === null ? null : new Uint8Array(await readFile(file))
  } catch {
    return null
  }
}

/** Whole or not at all. A folder that cannot be written to costs the next reader a drawing, and this one nothing. */
async function storePdf(ctx: Context, file: string | null, bytes: Uint8Array): Promise<void> {
  if (file === null) return
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    chmodSync(dirname(file), 0o700)
    const unfinished = `${file}.${ctx.newId()}`
    await writeFile(unfinished, bytes, { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    ctx.log.warn('document not kept', { reason: errorMessage(error) })
  }
}
