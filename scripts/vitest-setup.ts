import { format } from 'node:util'
import { afterEach, beforeEach } from 'vitest'

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
