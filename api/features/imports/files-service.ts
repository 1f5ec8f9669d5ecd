import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '#api/context.ts'
import { openInProcess } from '#api/file-process.ts'
import type { OpenedFile, ReadFile, ReadRow } from './kind-rules.ts'

/** Only the site's user may read what people moved in from. */
const folder = ({ settings }: Context) => join(settings.dataDir, 'imports')

export const importFile = (ctx: Context, id: string) => join(folder(ctx), id)

export function takeFile(ctx: Context, id: string, from: string): void {
  mkdirSync(folder(ctx), { recursive: true, mode: 0o700 })
  renameSync(from, importFile(ctx, id))
}

export const hasFile = (ctx: Context, id: string) =>
  statSync(importFile(ctx, id), { throwIfNoEntry: false }) !== undefined

export const removeFile = (ctx: Context, id: string) => rmSync(importFile(ctx, id), { recursive: true, force: true })

export const listFiles = (ctx: Context): string[] =>
  statSync(folder(ctx), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder(ctx))

/** Opens it in a process of its own. `as` names its reader there. */
export async function openImportFile<Row>(
  file: string | null,
  how: Parameters<typeof openInProcess>[1],
): Promise<OpenedFile<Row>> {
  const { head, ...opened } = await openInProcess<Omit<ReadFile<Row>, 'rows'>, ReadRow<Row>>(file ?? '', how)
  return { ...head, ...opened }
}
