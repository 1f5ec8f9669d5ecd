import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { brokenFile, CliError, exitCodes } from './exit-codes.ts'
import { unwritable } from './named-file.ts'

/**
 * Never over a file that's there, and gone again if the rest doesn't come. It may hold personal data, so only its owner can read it.
 * Returns its size.
 */
export async function writeNewFile(file: string, content: ReadableStream): Promise<number> {
  const descriptor = openNew(file)
  let bytes = 0
  try {
    for await (const chunk of content) bytes += writeSync(descriptor, chunk)
    return bytes
  } catch (error) {
    rmSync(file, { force: true })
    throw brokenFile(error)
  } finally {
    closeSync(descriptor)
  }
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    if (!isThere) throw unwritable(file, error)
    throw new CliError(exitCodes.usage, `${file}: There’s already a file with that name. Name another.`)
  }
}
