import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, beforeEach } from 'vitest'

/** A test in which the program calls `console.error` fails, even if every expectation holds. */
const errors: string[] = []
console.error = (...parts: unknown[]) => {
  errors.push(format(...parts))
}

beforeEach(() => {
  errors.length = 0
})

afterEach(() => {
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`)
})

/** What tests have stored in worlds without a folder of their own. */
afterAll(() => rmSync(join(tmpdir(), `alliance-world-${process.pid}`), { recursive: true, force: true }))
