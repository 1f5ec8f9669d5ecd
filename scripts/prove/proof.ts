import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Round } from '#cli/testing/copy-rounds.ts'
import type { Fixture } from '../bench/fixture.ts'

/** What's been done so far, so that a run that was cut off goes on where it was. */
const file = 'dist/prove.json'

export type Part = {
  /** The one it was run on, and when. */
  commit: string
  day: string
  machine?: string
  /** The machine's load of one minute, at each step. */
  loads: number[]
  /** What was wrong, in words. Empty is what we want. */
  faults: string[]
}
type Kills = { kills: number; underWay: number; caught: number; acknowledged: number }
/** `wrong` aside: how much was sent by how many, and what failed meanwhile. `longestWait`: pieces that went while a tick waited. */
type Questions = Record<
  'members' | 'asked' | 'files' | 'pieces' | 'cut' | 'disturbed' | 'killed' | 'serverKills' | 'longestWait',
  number
>
type Minute = Record<'run' | 'sent' | 'failed' | 'p50' | 'p99' | 'slowest' | 'memory' | 'log', number>

const nothingYet = () => ({
  kills: {} as Record<string, Kills>,
  disk: {} as Record<string, { tried: number; answer: string; saved: number }>,
  questions: {
    members: 0,
    asked: 0,
    files: 0,
    pieces: 0,
    cut: 0,
    disturbed: 0,
    killed: 0,
    serverKills: 0,
    longestWait: 0,
  } as Questions,
  requests: { sent: 0, statuses: {} as Record<string, Record<string, number>> },
  load: { mix: '', perSecond: 0, minutes: [] as Minute[] },
  copies: { rounds: [] as Omit<Round, 'faults'>[] },
  connections: {} as Record<string, Record<'left' | 'p99' | 'slowest' | 'memory' | 'after', number>>,
})
type Figures = ReturnType<typeof nothingYet>
export type PartName = keyof Figures
export const partNames = [
  'kills',
  'disk',
  'questions',
  'requests',
  'load',
  'connections',
  'copies',
] as const satisfies PartName[]
export type State = Figures & { machine: string; parts: Partial<Record<PartName, Part>> }

const git = (...argv: string[]) => String(Bun.spawnSync(['git', ...argv]).stdout).trim()
const product = ['api', 'cli', 'pwa', 'shared', 'data']

/** The product's last one: a change of these scripts or of a page of docs voids no figure. */
function commitNow(): string {
  const changed = git('status', '--porcelain', '--', ...product)
  return git('log', '-1', '--format=%h', '--abbrev=10', '--', ...product) + (changed === '' ? '' : ' with changes')
}

export function openState(isFresh: boolean): State {
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB of memory`
  const processor = `${cpus().length} cores of ${cpus()[0]?.model.trim()}`
  const machine = `${processor}, ${memory}, ${process.platform}, Bun ${Bun.version}`
  const kept = isFresh || !existsSync(file) ? {} : JSON.parse(readFileSync(file, 'utf8'))
  return { parts: {}, ...nothingYet(), ...kept, machine }
}

export type Proof = ReturnType<typeof openProof>

/** Goes on with a part, or starts it over: figures of another commit prove nothing about this one. */
export function openProof(state: State, { copyDataDir }: Pick<Fixture, 'copyDataDir'>, name: PartName) {
  const isShown = process.stderr.isTTY
  const [commit, day] = [commitNow(), new Date().toISOString().slice(0, 10)]
  const old = state.parts[name]
  if (old?.commit !== commit) Object.assign(state, { [name]: nothingYet()[name] })
  const part = old?.commit === commit ? old : { commit, day, machine: state.machine, loads: [], faults: [] }
  state.parts[name] = part
  return {
    state,
    /** What's wrong so far. */
    faults: part.faults,
    /** A new copy of the seeded folder. */
    copyDataDir,
    /** Writes down what's wrong, and goes on: one fault mustn't hide the next. */
    found(more: readonly string[]) {
      for (const fault of more) console.error(`${isShown ? '\r' : ''}Fault: ${fault}`)
      part.faults.push(...more)
    },
    /** Shows how far it's got, and keeps it. */
    progress(what: string, done: number, of: number) {
      const line = `${what}: ${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')}`
      if (isShown) process.stderr.write(`\r${line.padEnd(60)}${done >= of ? '\n' : ''}`)
      else if (done >= of || done % Math.ceil(of / 10) === 0) console.error(line)
      part.loads.push(loadavg()[0] ?? 0)
      mkdirSync('dist', { recursive: true })
      writeFileSync(file, JSON.stringify(state, null, 1))
    },
  }
}
