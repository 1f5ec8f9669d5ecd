import { availableParallelism, loadavg } from 'node:os'
import { type House, openHouse } from './house.ts'
import type { Result } from './result.ts'
import { report } from './table.ts'

/** Rows that are measured together, by their name. */
export type Families = Record<string, (house: House) => Promise<Result[]>>

/** Measures one family after the other and prints the table. Answers whether everything holds. */
export async function measureAll(families: Families): Promise<boolean> {
  const [loadBefore = 0] = loadavg()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const house = await openHouse()
  process.on('exit', house.close)
  const results: Result[] = []
  for (const [name, family] of Object.entries(families)) {
    console.error(`${name} …`)
    results.push(...(await measure(name, () => family(house))))
  }
  console.log(report(results))
  const [loadAfter = 0] = loadavg()
  if (loadBefore > 1 || loadAfter > availableParallelism() + 2) {
    console.log(
      `Other work was under way (load ${loadBefore.toFixed(1)}, then ${loadAfter.toFixed(1)}): measure again without it.`,
    )
  }
  return results.every(({ isMet }) => isMet)
}

/** What could not be measured is not met, and no reason to leave out the rest. */
async function measure(name: string, work: () => Promise<Result[]>): Promise<Result[]> {
  try {
    return await work()
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return [{ row: name, floor: '', product: 'not measured', ratio: '', limit: '', isMet: false, note }]
  }
}
