import { existsSync } from 'node:fs'
import { type TestOptions, test } from 'vitest'
import { litestreamProgram } from './litestream.ts'

/** A test with Litestream itself. Where there's none, one in its place says so. */
export function testWithLitestream(name: string, options: TestOptions, work: () => Promise<void>): void {
  const lacks = `Not run, as npm has no Litestream for ${process.platform} ${process.arch}: ${name}`
  if (existsSync(litestreamProgram)) test(name, options, work)
  else test(lacks, () => console.info(lacks))
}
