import { availableParallelism, loadavg } from 'node:os'
import { type Column, tableText } from '#cli/table.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { root } from './programs.ts'
import type { Result } from './result.ts'

export type Families = Record<string, (fixture: Fixture) => Promise<Result[]>>

/** Measures the families and prints the table. Returns whether every limit is met. */
export async function measureAll(families: Families): Promise<boolean> {
  const [loadBefore = 0] = loadavg()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  build()
  const fixture = await createFixture()
  process.on('exit', fixture.close)
  const results: Result[] = []
  for (const [name, family] of Object.entries(families)) {
    console.error(`${name} …`)
    results.push(...(await measure(name, () => family(fixture))))
  }
  console.log(formatReport(results))
  const [loadAfter = 0] = loadavg()
  if (loadBefore > 1 || loadAfter > availableParallelism() + 2) {
    console.log(
      `Other work was under way (load ${loadBefore.toFixed(1)}, then ${loadAfter.toFixed(1)}): measure again without it.`,
    )
  }
  return results.every(({ isMet }) => isMet)
}

/** Measures what `npm start` runs. */
function build(): void {
  const { exitCode } = Bun.spawnSync([process.execPath, 'scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (exitCode !== 0) throw new Error('The site and the programs could not be built.')
}

/** A family that fails counts as a missed limit, and the others are still measured. */
async function measure(name: string, work: () => Promise<Result[]>): Promise<Result[]> {
  try {
    return await work()
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error)
    return [{ row: name, floor: '', product: 'not measured', ratio: '', limit: '', isMet: false, note }]
  }
}

const columns: Column<Result>[] = [
  { title: 'Row', text: ({ row }) => row },
  { title: 'Floor', text: ({ floor }) => floor, align: 'right' },
  { title: 'Product', text: ({ product }) => product, align: 'right' },
  { title: 'Ratio', text: ({ ratio }) => ratio, align: 'right' },
  { title: 'Limit', text: ({ limit }) => limit, align: 'right' },
  { title: '', text: ({ isMet }) => (isMet ? 'ok' : 'short') },
]

function formatReport(results: readonly Result[]): string {
  const notes = results.flatMap(({ row, note }) => (note === undefined ? [] : [`${row}: ${note}.`]))
  const missed = results.filter(({ isMet }) => !isMet).map(({ row }) => row)
  const verdict = missed.length === 0 ? 'Everything holds.' : `Falls short: ${missed.join('; ')}.`
  return ['', tableText(columns, results), ...notes, ...(notes.length > 0 ? [''] : []), verdict].join('\n')
}
