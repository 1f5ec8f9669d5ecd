import { loadavg } from 'node:os'
import type { Fixture } from '../bench/fixture.ts'
import { type State, saveState } from './state.ts'

export type Proof = {
  state: State
  /** A new copy of the seeded folder. */
  copyDataDir(): string
  /** Writes down what's wrong, and goes on: one fault mustn't hide the next. */
  found(faults: readonly string[]): void
  /** Shows how far it's got, and keeps it. */
  progress(what: string, done: number, of: number): void
}

export function openProof(state: State, fixture: Pick<Fixture, 'copyDataDir'>): Proof {
  const isShown = process.stderr.isTTY
  return {
    state,
    copyDataDir: fixture.copyDataDir,
    found(faults) {
      for (const fault of faults) console.error(`${isShown ? '\r' : ''}Fault: ${fault}`)
      state.faults.push(...faults)
    },
    progress(what, done, of) {
      const line = `${what}: ${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')}`
      if (isShown) process.stderr.write(`\r${line.padEnd(60)}${done >= of ? '\n' : ''}`)
      else if (done >= of || done % Math.ceil(of / 10) === 0) console.error(line)
      state.loads.push(loadavg()[0] ?? 0)
      saveState(state)
    },
  }
}
