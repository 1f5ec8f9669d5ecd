/** `bun run bench [family…]`: the product's speed, each figure beside its floor in the same run. Exit 1 where one falls short. */
import { availableParallelism, loadavg } from 'node:os'
import { type House, openHouse } from './house.ts'
import { measureOffline } from './offline.ts'
import { measureList, measurePage, measureRead } from './reads.ts'
import type { Result } from './result.ts'
import { measureScriptSize } from './script-size.ts'
import { measureStart } from './starts.ts'
import { report } from './table.ts'
import { measureTerminal } from './terminal.ts'
import { measureSync, measureTick } from './ticks.ts'

const families: Record<string, (house: House) => Promise<Result[]>> = {
  read: measureRead,
  list: measureList,
  page: measurePage,
  tick: measureTick,
  sync: measureSync,
  start: measureStart,
  terminal: measureTerminal,
  scripts: measureScriptSize,
  offline: measureOffline,
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(families)
const unknown = chosen.filter((name) => !(name in families))
if (unknown.length > 0) {
  console.error(`No such row: ${unknown.join(', ')}. There are: ${Object.keys(families).join(', ')}.`)
  process.exit(2)
}

/** What could not be measured is not met, and no reason to leave out the rest. */
async function measure(name: string, house: House): Promise<Result[]> {
  try {
    return (await families[name]?.(house)) ?? []
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return [{ row: name, floor: '', product: 'not measured', ratio: '', limit: '', isMet: false, note }]
  }
}

const [loadBefore = 0] = loadavg()

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const house = await openHouse()
process.on('exit', house.close)
const results: Result[] = []
for (const name of chosen) {
  console.error(`${name} …`)
  results.push(...(await measure(name, house)))
}
console.log(report(results))
const [loadAfter = 0] = loadavg()
if (loadBefore > 1 || loadAfter > availableParallelism() + 2) {
  console.log(
    `Other work was under way (load ${loadBefore.toFixed(1)}, then ${loadAfter.toFixed(1)}): measure again without it.`,
  )
}
process.exit(results.every(({ isMet }) => isMet) ? 0 : 1)
