import { machineChangeRow } from '#cli/machine-rows.ts'
import { countsOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import type { FlatRecord } from '#cli/table.ts'

type Facts = { file: string; madeAt: string; counts: Record<string, number> }

/** Of this machine: the files can be larger than any upload. */
export const allRow = machineChangeRow<Facts>({
  usage: 'all <file>',
  description: 'Take in a ZIP of “export all” from another site of yours: people, progress, videos, posts and media',
  examples: ['all everything.zip --dry-run', 'all everything.zip'],
  asks: true,
  mayCreate: true,
  async plan({ io, argument }) {
    const { planImportAll } = await import('#cli/machine/import-all.ts')
    const facts = await planImportAll(io, argument(0))
    const shown = Object.fromEntries(Object.entries(facts.counts).filter(([, count]) => count > 0))
    const output = countsOutput(facts, `Made on ${facts.madeAt.slice(0, 10)}`, shown)
    return { facts, output, question: 'Take in all but the money? What’s here already stays as it is.' }
  },
  async apply({ io, options }, { file }) {
    const { importAll } = await import('#cli/machine/import-all.ts')
    const taken = await withProgress(io, options, 'Importing', () => importAll(io, file))
    const refused = taken.reduce((sum, one) => sum + one.refused, 0)
    const rows = taken.filter(({ added, there, refused: left }) => added + there + left > 0)
    const counts: FlatRecord = Object.fromEntries(
      rows.map(({ file: name, added, there }) => [name, wordsOf(added, there)]),
    )
    return {
      ...countsOutput({ taken }, 'Imported', { ...counts, refused }),
      notes: taken.flatMap(({ file: name, problems }) =>
        problems.map((problem) => `Not imported: ${name}: ${problem}`),
      ),
      hasFailed: refused > 0,
    }
  },
})

const wordsOf = (added: number, there: number) => (there === 0 ? String(added) : `${added}, ${there} were here`)
