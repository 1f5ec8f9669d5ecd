import { readFileSync } from 'node:fs'
import { CliError, exitCodes, usageError } from './exit-codes.ts'
import { deniedText, isDenied } from './system-error.ts'

/** A file that was named on the command line, its path resolved. */
export function readNamed(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

export const unreadable = (path: string, error: unknown) =>
  usageError(isDenied(error) ? deniedText(path) : `${path} can’t be read.`)

export const unwritable = (path: string, error: unknown) =>
  new CliError(exitCodes.failed, isDenied(error) ? deniedText(path) : `${path} can’t be written.`)
