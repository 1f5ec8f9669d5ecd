import { format } from 'node:util'
import { afterEach, beforeEach } from 'vitest'

/** A test that makes the program complain fails, even where every expectation holds. */
const complaints: string[] = []
console.error = (...words: unknown[]) => {
  complaints.push(format(...words))
}

beforeEach(() => {
  complaints.length = 0
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(`console.error was called:\n${complaints.join('\n')}`)
})
