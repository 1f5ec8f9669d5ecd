/**
 * `npm run prove -- [--quick] [--kills N] [--questions N] [--requests N] [--minutes M] [--rate N] [--rounds N] [--only kills,load,…]
 * [--fresh]`: what holds when the site is killed, full, sent nonsense and loaded. Its parts: kills, disk, questions, requests, load,
 * connections, copies. N kills are shared among the doors. Goes on where the last run was cut off, and writes docs/proven.md with
 * what was done so far.
 */
import { parseArgs } from 'node:util'
import { createFixture, openFixture } from '../bench/fixture.ts'
import { root } from '../bench/programs.ts'
import { proveConnections } from './connections.ts'
import { proveCopies } from './copies.ts'
import { proveFullDisk } from './disk.ts'
import { openDoors, proveKills } from './kills.ts'
import { proveLoad } from './load.ts'
import { openProof, openState, type PartName, type Proof, partNames } from './proof.ts'
import { proveQuestions } from './questions.ts'
import { writeReport } from './report.ts'
import { proveRequests } from './requests.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    kills: { type: 'string' },
    questions: { type: 'string' },
    requests: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string', default: '60' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
})
const chosen: readonly string[] = values.only?.split(',') ?? partNames
const usual = values.quick
  ? { kills: 140, questions: 120, requests: 10_000, minutes: 5, rounds: 12 }
  : { kills: 1_001, questions: 1_000, requests: 100_000, minutes: 30, rounds: 100 }

process.chdir(root)
const built = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
if (built.exitCode !== 0) process.exit(built.exitCode)
const fixture = openFixture(await createFixture())
const doors = await openDoors()
const promises = Object.fromEntries(Object.entries(doors.all).map(([name, { promise }]) => [name, promise]))
const state = openState(values.fresh)
process.on('exit', () => writeReport(state, promises))

const numberOf = (name: keyof typeof usual) => Number(values[name] ?? usual[name])
const parts: Record<PartName, (proof: Proof) => Promise<void>> = {
  kills: (proof) => proveKills(proof, doors.all, Math.ceil(numberOf('kills') / Object.keys(doors.all).length)),
  disk: proveFullDisk,
  questions: (proof) => proveQuestions(proof, numberOf('questions')),
  requests: (proof) => proveRequests(proof, numberOf('requests')),
  load: (proof) => proveLoad(proof, numberOf('minutes'), Number(values.rate)),
  connections: proveConnections,
  copies: (proof) => proveCopies(proof, numberOf('rounds')),
}
for (const name of partNames) if (chosen.includes(name)) await parts[name](openProof(state, fixture, name))
await doors.close()
const faults = partNames.flatMap((name) => state.parts[name]?.faults ?? [])
console.log(`${faults.length === 0 ? 'No faults' : `${faults.length} faults`}. See docs/proven.md.`)
process.exit(faults.length === 0 ? 0 : 1)
