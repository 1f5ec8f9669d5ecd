import type { Command } from 'commander'
import type { Check } from '#api/features/operations/doctor/check-rules.ts'
import type { SharedOptions } from '#cli/client.ts'
import { type Fix, fixesOutput, planFixes } from '#cli/doctor/fixes.ts'
import { runChecks } from '#cli/doctor/run-checks.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { csvOfRows, note, type Output, print } from '#cli/output.ts'
import { reportBytes } from '#cli/progress.ts'
import { confirm } from '#cli/prompt.ts'
import { mayBegin, planOptions } from '#cli/rows.ts'
import { type Column, csvFields, tableText } from '#cli/table.ts'
import { plural } from '#shared/rules/plural.ts'

type DoctorOptions = SharedOptions & { films?: true; fix?: true; yes?: true; dryRun?: true; verbose?: true }

export function registerDoctor(doctor: Command, io: Io): void {
  doctor
    .option('--verbose', 'print each message in full')
    .option('--films', 'read every video and file, to find any that are damaged (takes minutes)')
    .option('--fix', 'run the commands that fix what was found, asking before each')
    .option('-y, --yes', 'with --fix: don’t ask')
    .addHelpText(
      'after',
      examples(
        'doctor',
        'doctor --verbose',
        'doctor --films',
        'doctor --fix --dry-run',
        'doctor --fix',
        'doctor --json',
      ),
    )
    .action((_own, command: Command) => printChecks(io, command.optsWithGlobals()))
  for (const [flags, description] of planOptions) doctor.option(flags, `with --fix: ${description}`)
}

async function printChecks(io: Io, options: DoctorOptions): Promise<void> {
  if (options.api !== undefined) {
    throw usageError('doctor checks the data folder on this machine and doesn’t support --api.')
  }
  if (options.dryRun && !options.fix) throw usageError('--dry-run goes with --fix. On its own, doctor changes nothing.')
  const checks = await check(io, options)
  // Prints only the plan then, because the output is a file for apply.
  if (!options.dryRun) await print(io, options, checksOutput(checks, options.verbose))
  const after = options.fix ? await fixFindings(io, options, checks) : checks
  if (!options.dryRun && after.some(({ state }) => state === 'failed')) throw new CliError(exitCodes.failed)
}

async function check(io: Io, options: DoctorOptions): Promise<Check[]> {
  if (options.films !== true) return runChecks(io)
  const progress = reportBytes(io, options)
  return runChecks(io, progress.add).finally(progress.end)
}

async function fixFindings(io: Io, options: DoctorOptions, checks: readonly Check[]): Promise<readonly Check[]> {
  const isPlanned = options.dryRun === true || io.plan !== undefined
  const fixes = await planFixes(io, checks, { isPlanned })
  if (fixes.length === 0 && checks.some(({ state }) => state !== 'ok')) {
    await note(io, options, 'No command can fix these on its own.')
  }
  const planned = { facts: { fixes }, output: fixesOutput(fixes), question: null }
  if (!(await mayBegin({ call: { io, options }, path: 'doctor', asks: false }, planned))) return checks
  for (const fix of fixes) await runOne(io, options, fix)
  return fixes.length === 0 ? checks : runChecks(io)
}

async function runOne(io: Io, options: DoctorOptions, { command, plan }: Fix): Promise<void> {
  try {
    await confirm(io, `Run "alliance ${command}"?`, options.yes === true)
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.cancelled && !io.signal.aborted) return
    throw error
  }
  await io.run?.(command.split(' '), { plan: { value: plan ?? undefined } })
}

const columns: readonly Column<Check>[] = [
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CHECK', text: ({ name }) => name },
  { title: 'MESSAGE', text: ({ message }) => message },
]

/** The message, and the command that fixes it. */
function withRemedy({ message, remedy }: Check): string {
  return remedy === null || remedy.isNamed ? message : `${message} See: alliance ${remedy.command}`
}

const longestLine = 160

/** Beside the message stand the state and the name, with two spaces after each. */
function inOneLine(checks: readonly Check[]): string[] {
  const beside = Math.max(...checks.map(({ name }) => name.length)) + 'warning'.length + 4
  return checks.map((check) => shortened(withRemedy(check), check, longestLine - beside))
}

/** As much as fits, and the command that fixes it whole. */
function shortened(whole: string, { message, remedy }: Check, width: number): string {
  const line = whole.replace(/\s+/g, ' ')
  if (line.length <= width) return line
  const command = remedy === null ? '' : ` See: alliance ${remedy.command}`
  const words = message.replace(/\s+/g, ' ').slice(0, width - command.length - 1)
  return `${words.slice(0, Math.max(words.lastIndexOf(' '), 1)).replace(/[\s.,:;]+$/, '')}…${command}`
}

const fixOf = ({ remedy }: Check) => remedy?.command ?? null
const factsOf = ({ name, state, message }: Check) => ({ name, state, message })

const csv = [
  ...csvFields(['state']),
  { name: 'check', cell: ({ name }: Check) => name },
  { name: 'message', cell: ({ message }: Check) => message },
  { name: 'fix', cell: fixOf },
]

export function checksOutput(checks: readonly Check[], isVerbose = false): Output {
  const whole = checks.map(withRemedy)
  const messages = isVerbose ? whole : inOneLine(checks)
  const isCut = messages.some((message, at) => message !== whole[at])
  const summary = `${summaryOf(checks)}${isCut ? ' In full: alliance doctor --verbose' : ''}`
  const shown = checks.map((check, at) => ({ ...check, message: messages[at] ?? '' }))
  return {
    json: {
      isHealthy: checks.every(({ state }) => state !== 'failed'),
      checks: checks.map((check) => ({ ...factsOf(check), fix: fixOf(check) })),
    },
    csv: () => csvOfRows(csv, checks),
    text: () => `${tableText(columns, shown)}${summary}\n`,
    async terminal(width) {
      const { drawDoctor } = await import('#cli/views/doctor.tsx')
      return drawDoctor(shown, summary, width)
    },
  }
}

function summaryOf(checks: readonly Check[]): string {
  const failures = checks.filter(({ state }) => state === 'failed').length
  const warnings = checks.filter(({ state }) => state === 'warning').length
  if (failures + warnings === 0) return 'No problems found.'
  return `${plural(failures, 'check')} failed, ${plural(warnings, 'warning')}.`
}
