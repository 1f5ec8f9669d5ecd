import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { closeIfWhole } from '#api/db/damage.ts'
import { AppError } from '#api/errors.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { unreadable } from '#cli/named-file.ts'
import { openOrCreate } from '#cli/transport-local.ts'
import { onCopy } from './rehearsal.ts'

/** What a ZIP of `export all` would bring, tried on a copy of the database. */
export async function planImportAll(io: Io, given: string) {
  const file = resolve(io.cwd, given)
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw unreadable(file, error)
  }
  const { readManifest } = await import('#api/features/move-out/return-service.ts')
  const { madeAt } = await inWords(() => readManifest(file))
  const found = await onCopy(io, (copied) => take(copied, { path: file, isRehearsal: true }))
  return { file, madeAt, ...found }
}

/** What's here already stays as it is. */
export const importAll = (io: Io, file: string) => take(io, { path: file })

async function take(io: Io, source: { path: string; isRehearsal?: boolean }) {
  const { takeEverything } = await import('#api/features/move-out/return-service.ts')
  const ctx = openOrCreate(io)
  try {
    return await inWords(() => takeEverything(ctx, ctx.localActor, source))
  } finally {
    closeIfWhole(ctx)
  }
}

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw new CliError(exitCodes.failed, error.message)
    throw error
  }
}
