import type { Command } from 'commander'
import type { Check } from '#api/features/doctor/check-rules.ts'
import type { SharedOptions } from '#cli/client.ts'
import { runChecks } from '#cli/doctor/run-checks.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { csvSheet, type Output, print } from '#cli/output.ts'
import { type Column, csvFields, tableText } from '#cli/table.ts'
import { plural } from '#shared/rules/plural.ts'

export function registerDoctor(doctor: Command, io: Io): void {
  doctor
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action((_own, command: Command) => printChecks(io, command.optsWithGlobals()))
}

/** Exits as failed when a check has failed; warnings alone do not. */
async function printChecks(io: Io, options: SharedOptions): Promise<void> {
  if (options.api !== undefined) {
    throw usageError('doctor checks the data folder on this machine and does not support --api.')
  }
  const checks = await runChecks(io)
  await print(io, options, checksOutput(checks))
  if (checks.some(({ state }) => state === 'failed')) throw new CliError(exitCodes.failed)
}

const columns: readonly Column<Check>[] = [
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CHECK', text: ({ name }) => name },
  { title: 'MESSAGE', text: ({ message }) => message },
]

const csv = [
  ...csvFields(['state']),
  { name: 'check', cell: ({ name }: Check) => name },
  { name: 'message', cell: ({ message }: Check) => message },
]

export function checksOutput(checks: readonly Check[]): Output {
  const summary = summaryOf(checks)
  return {
    json: { isHealthy: checks.every(({ state }) => state !== 'failed'), checks },
    csv: () => csvSheet(csv, checks),
    text: () => `${tableText(columns, checks)}${summary}\n`,
    async terminal(width) {
      const { drawDoctor } = await import('#cli/views/doctor.tsx')
      return drawDoctor(checks, summary, width)
    },
  }
}

function summaryOf(checks: readonly Check[]): string {
  const failures = checks.filter(({ state }) => state === 'failed').length
  const warnings = checks.filter(({ state }) => state === 'warning').length
  if (failures + warnings === 0) return 'No problems found.'
  return `${plural(failures, 'check')} failed, ${plural(warnings, 'warning')}.`
}
