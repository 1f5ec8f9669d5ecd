import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#api/context.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { errorMessage } from '#api/log.ts'
import { draw } from '#api/pictures/drawing.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is made from the look of a brand, and kept until it is another. `name` is that of its file. */
export type Made = { look: string; name: string; make: () => Promise<Bytes> }

/** From the disk, where it was made before; two who ask for it at once wait for the same one. */
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

/** Null for a database in memory, which has no folder. */
const folderOf = ({ sqlite }: Context, look: string): string | null =>
  sqlite.memory ? null : join(dirname(sqlite.name), 'brand', look === '' ? 'shipped' : look)

/** Whole or not at all. A folder that cannot be written to costs the next reader a drawing, and this one nothing. */
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
