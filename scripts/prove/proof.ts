import { loadavg } from 'node:os'
import type { Fixture } from '../bench/fixture.ts'
import { beginPart, type PartName, type State, saveState } from './state.ts'

export type Proof = {
  state: State
  /** What's wrong so far. */
  faults: readonly string[]
  /** A new copy of the seeded folder. */
  copyDataDir(): string
  /** Writes down what's wrong, and goes on: one fault mustn't hide the next. */
  found(faults: readonly string[]): void
  /** Shows how far it's got, and keeps it. */
  progress(what: string, done: number, of: number): void
}

export function openProof(state: State, { copyDataDir }: Pick<Fixture, 'copyDataDir'>, name: PartName): Proof {
  const isShown = process.stderr.isTTY
  beginPart(state, name)
  const { loads = [], faults = [] } = state.parts[name] ?? {}
  return {
    state,
    faults,
    copyDataDir,
    found(more) {
      for (const fault of more) console.error(`${isShown ? '\r' : ''}Fault: ${fault}`)
      faults.push(...more)
    },
    progress(what, done, of) {
      const line = `${what}: ${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')}`
      if (isShown) process.stderr.write(`\r${line.padEnd(60)}${done >= of ? '\n' : ''}`)
      else if (done >= of || done % Math.ceil(of / 10) === 0) console.error(line)
      loads.push(loadavg()[0] ?? 0)
      saveState(state)
    },
  }
}
