import type { Check } from '#api/features/operations/doctor/check-rules.ts'
import { exitCodes } from '#cli/exit-codes.ts'
import type { ByteOutput, Io } from '#cli/io.ts'
import { type Output, tableOutput } from '#cli/output.ts'
import { type Plan, parsePlan } from '#cli/plan-file.ts'
import { csvFields, type Table } from '#cli/table.ts'

/** A command `doctor --fix` runs: what it fixes and, if the command has one, its own plan. */
export type Fix = { command: string; findings: readonly string[]; plan: Plan | null }

/**
 * Each command once, in the order of the findings. Makes its plan only if asked: that may query Stripe about every member, which
 * takes as long as doing it.
 */
export async function planFixes(io: Io, checks: readonly Check[], { isPlanned }: { isPlanned: boolean }) {
  const findings = new Map<string, string[]>()
  const planning = new Set<string>()
  for (const { name, message, remedy } of checks) {
    if (!remedy?.isSafe) continue
    findings.set(remedy.command, [...(findings.get(remedy.command) ?? []), `${name}: ${message}`])
    if (remedy.hasPlan) planning.add(remedy.command)
  }
  const fixes: Fix[] = []
  for (const [command, found] of findings) {
    const plan = isPlanned && planning.has(command) ? await planOf(io, command) : null
    fixes.push({ command, findings: found, plan })
  }
  return fixes
}

async function planOf(io: Io, command: string): Promise<Plan | null> {
  let text = ''
  const stdout: ByteOutput = {
    write(piece, done) {
      text += String(piece)
      done()
    },
  }
  const overrides = { stdout: { value: stdout }, plan: { value: undefined } }
  const code = await io.run?.([...command.split(' '), '--dry-run', '--json'], overrides)
  return code === exitCodes.ok ? parsePlan(text) : null
}

const fixesTable: Table<Fix> = {
  title: 'Would run',
  empty: 'Nothing to run.',
  columns: [
    { title: 'COMMAND', text: ({ command }) => `alliance ${command}`, identifies: true, minWidth: 16 },
    { title: 'REASON', text: ({ findings }) => findings.join(' '), minWidth: 16 },
  ],
  csv: [...csvFields(['command']), { name: 'findings', cell: ({ findings }) => findings.join(' ') }],
}

export const fixesOutput = (fixes: readonly Fix[]): Output => tableOutput(fixesTable, fixes)
