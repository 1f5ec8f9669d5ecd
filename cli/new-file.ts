import { writeFileSync } from 'node:fs'
import { CliError, exitCodes } from './exit-codes.ts'

/** Never over a file that's there. It may hold personal data, so only its owner can read it. */
export function writeNewFile(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = isThere ? 'There’s already a file with that name. Name another.' : 'Can’t write it.'
    throw new CliError(isThere ? exitCodes.usage : exitCodes.failed, `${file}: ${why}`)
  }
}
