import { chmodSync, mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#api/context.ts'
import type { LegalDocument } from '#api/documents/legal-document.ts'
import { renderPdf } from '#api/documents/pdf-renderer.ts'
import { logoForDocument } from '#api/features/media/photograph-service.ts'
import { errorMessage } from '#api/log.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'

/** Drawn once, because it never changes. `by` is who asks: one at a time for each, so that no one blocks others. */
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

/** The name comes from what's printed. Null for an in-memory database, which has no folder. */
function pathOfPdf({ sqlite }: Context, document: LegalDocument): string | null {
  if (sqlite.memory) return null
  const content = new Bun.CryptoHasher('sha256').update(JSON.stringify(document)).digest('hex')
  return join(dirname(sqlite.name), 'documents', `${content}.pdf`)
}

/** Null if it hasn't been drawn or can't be read. Then it's drawn again. */
async function readStoredPdf(file: string | null): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return file === null ? null : new Uint8Array(await readFile(file))
  } catch {
    return null
  }
}

/** Written atomically. If the folder isn't writable, the next reader just draws it again. */
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
