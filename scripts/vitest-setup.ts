import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { format } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { endFile, endTest, startTest } from '#api/testing/open-worlds.ts'

/** A test fails if the program calls `console.error`, even if every expectation holds. */
const errors: string[] = []
console.error = (...parts: unknown[]) => {
  errors.push(format(...parts))
}

/** Long timeouts, since a busy machine may be slow. */
const patience = { timeout: 60_000, interval: 50 }
const { waitFor } = vi
vi.waitFor = (look, options) => waitFor(look, typeof options === 'number' ? options : { ...patience, ...options })

/** A real hash takes a seventh of a second of both cores, so here they are small. */
const { hash } = Bun.password
Bun.password.hash = (password, how) =>
  hash(password, how === 'argon2id' ? { algorithm: how, memoryCost: 8, timeCost: 1 } : how)

/** What the full run didn't draw runs as every day: see vitest.config.ts. A worker takes one file after another. */
const undrawn = new Set(process.env.UNDRAWN_FILES?.split(' '))
const isUndrawn = undrawn.has(relative(process.cwd(), expect.getState().testPath ?? ''))
process.env.FULL_RUN ??= process.env.FULL ?? ''
process.env.FULL = isUndrawn ? '' : process.env.FULL_RUN

beforeEach(({ task, skip }) => {
  skip(isUndrawn && task.tags?.includes('full') === true)
  errors.length = 0
  startTest()
})

afterEach(() => {
  endTest()
  if (errors.length > 0) throw new Error(`console.error was called:\n${errors.join('\n')}`)
})

/** Data from worlds without their own folder. */
afterAll(() => {
  endFile()
  rmSync(join(tmpdir(), `alliance-world-${process.pid}`), { recursive: true, force: true })
})
