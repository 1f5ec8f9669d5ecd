import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#api/context.ts'
import { errorMessage } from '#api/log.ts'
import { draw } from '#api/pictures/drawing.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file made from a brand's look, and cached until the look changes. */
export type Made = { look: string; name: string; make: () => Promise<Bytes> }

/** From disk if it was made before. Concurrent requests share one drawing. */
export function cachedPicture(ctx: Context, { look, name, make }: Made): Promise<Bytes> {
  const folder = folderOf(ctx, look)
  return withKeyLock(ctx, `brand:${name}`, async () => {
    const cached = folder === null ? null : await readFile(join(folder, name)).catch(() => null)
    if (cached !== null) return new Uint8Array(cached)
    const bytes = await make()
    if (folder !== null) await cachePicture(ctx, join(folder, name), bytes)
    return bytes
  })
}

/** Null for an in-memory database, which has no folder. */
const folderOf = ({ sqlite }: Context, look: string): string | null =>
  sqlite.memory ? null : join(dirname(sqlite.name), 'brand', look === '' ? 'shipped' : look)

/** Written atomically. If the folder isn't writable, the next reader just draws it again. */
async function cachePicture(ctx: Context, file: string, bytes: Bytes): Promise<void> {
  try {
    removeOtherLooks(dirname(file))
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${ctx.newId()}`
    await writeFile(unfinished, bytes, { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    ctx.log.warn('a picture of the brand was not kept', { reason: errorMessage(error) })
  }
}

function removeOtherLooks(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(dirname(folder))) {
    const other = join(dirname(folder), name)
    if (other !== folder) rmSync(other, { recursive: true, force: true })
  }
}

export const toPng = (svg: string): Promise<Bytes> => draw(Buffer.from(svg), { as: 'png', isOpaque: false })

/** Without an alpha channel, on white. */
export const toOpaquePng = (svg: string): Promise<Bytes> => draw(Buffer.from(svg), { as: 'png', isOpaque: true })
