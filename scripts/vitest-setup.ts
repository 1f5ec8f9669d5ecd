import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

/** A test in which the program calls `console.error` fails, even if every expectation holds. */
const errors: string[] = []
console.error = (...parts: unknown[]) => {
  errors.push(format(...parts))
}

/** What a test waits for comes or does not: how soon is the machine's affair, which may have other work. */
const patience = { timeout: 60_000, interval: 50 }
const { waitFor } = vi
vi.waitFor = (look, options) => waitFor(look, typeof options === 'number' ? options : { ...patience, ...options })

beforeEach(() => {
  errors.length = 0
})

afterEach(() => {
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`)
})

/** What tests have stored in worlds without a folder of their own. */
afterAll(() => rmSync(join(tmpdir(), `alliance-world-${process.pid}`), { recursive: true, force: true }))
