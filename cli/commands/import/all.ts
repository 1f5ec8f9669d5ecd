import { machineChangeRow } from '#cli/machine-rows.ts'
import { countsOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import type { FlatRecord } from '#cli/table.ts'

type Taken = { file: string; added: number; there: number; refused: number; problems: string[] }
type Left = { name: string; old: string; new: string; command: string }
type Found = { taken: Taken[]; left: Left[] }
type Facts = Found & { file: string; madeAt: string }

/** Of this machine: the files can be larger than any upload. */
export const allRow = machineChangeRow<Facts>({
  usage: 'all <file>',
  description: 'Take in a ZIP of “export all” from another site of yours: people, progress, videos, posts and media',
  examples: ['all everything.zip --dry-run', 'all everything.zip'],
  asks: true,
  mayCreate: true,
  async plan({ io, argument, options }) {
    const { planImportAll } = await import('#cli/machine/import-all.ts')
    const facts = await withProgress(io, options, 'Reading', () => planImportAll(io, argument(0)))
    const output = { ...countsOf(facts, `Made on ${facts.madeAt.slice(0, 10)}`), notes: notesOf(facts) }
    return { facts, output, question: 'Take in all but the money? What’s here already stays as it is.' }
  },
  async apply({ io, options }, { file }) {
    const { importAll } = await import('#cli/machine/import-all.ts')
    const found = await withProgress(io, options, 'Importing', () => importAll(io, file))
    const hasFailed = found.taken.some(({ refused }) => refused > 0)
    return { ...countsOf(found, 'Imported'), notes: notesOf(found), hasFailed }
  },
})

function countsOf(found: Found, title: string) {
  const refused = found.taken.reduce((sum, one) => sum + one.refused, 0)
  const rows = found.taken.filter(({ added, there, refused: out }) => added + there + out > 0)
  const counts: FlatRecord = Object.fromEntries(rows.map(({ file, added, there }) => [file, wordsOf(added, there)]))
  return countsOutput(found, title, { ...counts, refused })
}

const wordsOf = (added: number, there: number) => (there === 0 ? String(added) : `${added}, ${there} were here`)

const notesOf = ({ taken, left }: Found): string[] => [
  ...taken.flatMap(({ file, problems }) => problems.map((problem) => `Not imported: ${file}: ${problem}`)),
  ...left.map(
    ({ name, old, new: value, command }) =>
      `Not imported: settings: ${name}. Here it’s ${shown(old)}, there it was ${shown(value)}. To set it: ${command}`,
  ),
]

const shown = (value: string) => (value === '' ? 'not set' : `“${value}”`)
