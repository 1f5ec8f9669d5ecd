import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { AppError, closeIfWhole, loadReturn } from '#api/compiled.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { unreadable } from '#cli/named-file.ts'
import { openOrCreate } from '#cli/transport-local.ts'

/** What a ZIP of `export all` says it holds. */
export async function planImportAll(io: Io, given: string) {
  const file = resolve(io.cwd, given)
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw unreadable(file, error)
  }
  const { readManifest } = await loadReturn()
  const { madeAt, counts } = await inWords(() => readManifest(file))
  return { file, madeAt, counts }
}

/** What's here already stays as it is. */
export async function importAll(io: Io, file: string) {
  const { takeEverything } = await loadReturn()
  const ctx = openOrCreate(io)
  try {
    return await inWords(() => takeEverything(ctx, ctx.localActor, file))
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
