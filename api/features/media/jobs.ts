import { readdirSync, rmSync, statSync } from 'node:fs'
import type { Context } from '#api/context.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { oldUploads, uploadById } from './library-queries.ts'
import { forgetUpload, uploadFile, uploadFolder } from './upload-service.ts'

const retentionDays = 7

/** Removes uploads abandoned for a week, and what a killed server left of them. Returns how many. */
export function removeOldUploads(ctx: Context): number {
  const now = ctx.now().getTime()
  const daysAgo = (days: number) => new Date(now - days * dayMs).toISOString()
  const old = oldUploads.all(ctx, { before: daysAgo(retentionDays), doneBefore: daysAgo(1) })
  for (const { id } of old) forgetUpload(ctx, id)
  for (const name of leftFiles(ctx)) rmSync(uploadFile(ctx, name), { force: true })
  return old.length
}

/** Files without a row. Both are created in the same transaction. */
function leftFiles(ctx: Context): string[] {
  if (statSync(uploadFolder(ctx), { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(uploadFolder(ctx)).filter((name) => uploadById.get(ctx, { id: name }) === undefined)
}
