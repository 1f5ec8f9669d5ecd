import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import * as v from 'valibot'

/** What's been done so far, so that a run that was cut off goes on where it was. */
const file = 'dist/prove.json'

const Kills = v.object({ kills: v.number(), underWay: v.number(), caught: v.number(), acknowledged: v.number() })
const Full = v.object({ tried: v.number(), answer: v.string(), saved: v.number() })
const Minute = v.object({
  run: v.number(),
  sent: v.number(),
  failed: v.number(),
  p50: v.number(),
  p99: v.number(),
  slowest: v.number(),
  memory: v.number(),
  log: v.number(),
})
const Held = v.object({ left: v.number(), p99: v.number(), slowest: v.number(), memory: v.number(), after: v.number() })

const Part = v.object({
  commit: v.string(),
  day: v.string(),
  /** The machine's load of one minute, at each step. */
  loads: v.array(v.number()),
  /** What was wrong, in words. Empty is what we want. */
  faults: v.array(v.string()),
})

/** Each part has the commit it was run on. */
const State = v.object({
  machine: v.string(),
  parts: v.record(v.string(), Part),
  kills: v.record(v.string(), Kills),
  full: v.record(v.string(), Full),
  requests: v.object({ sent: v.number(), statuses: v.record(v.string(), v.record(v.string(), v.number())) }),
  load: v.object({ mix: v.string(), perSecond: v.number(), minutes: v.array(Minute) }),
  held: v.record(v.string(), Held),
})
export type State = v.InferOutput<typeof State>

const git = (...argv: string[]) => String(Bun.spawnSync(['git', ...argv]).stdout).trim()

const product = ['api', 'cli', 'pwa', 'shared', 'data']

/** The product's last one: a change of these scripts or of a page of docs voids no figure. */
function commitNow(): string {
  const changed = git('status', '--porcelain', '--', ...product)
  return git('log', '-1', '--format=%h', '--abbrev=10', '--', ...product) + (changed === '' ? '' : ' with changes')
}

const nothingYet = () => ({
  parts: {},
  kills: {},
  full: {},
  held: {},
  requests: { sent: 0, statuses: {} },
  load: { mix: '', perSecond: 0, minutes: [] },
})

export function openState(isFresh: boolean): State {
  const [processor] = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB of memory`
  const machine = `${cpus().length} cores of ${processor?.model.trim()}, ${memory}, ${process.platform}, Bun ${Bun.version}`
  if (isFresh || !existsSync(file)) return { machine, ...nothingYet() }
  return { ...v.parse(State, JSON.parse(readFileSync(file, 'utf8'))), machine }
}

const figuresOf = { kills: 'kills', disk: 'full', requests: 'requests', load: 'load', connections: 'held' } as const
export type PartName = keyof typeof figuresOf
export const partNames = ['kills', 'disk', 'requests', 'load', 'connections'] as const satisfies PartName[]

/** Goes on with a part, or starts it over: figures of another commit prove nothing about this one. */
export function beginPart(state: State, name: PartName): void {
  const commit = commitNow()
  if (state.parts[name]?.commit === commit) return
  const figures = figuresOf[name]
  Object.assign(state, { [figures]: nothingYet()[figures] })
  state.parts[name] = { commit, day: new Date().toISOString().slice(0, 10), loads: [], faults: [] }
}

export function saveState(state: State): void {
  mkdirSync('dist', { recursive: true })
  writeFileSync(file, JSON.stringify(state, null, 1))
}
