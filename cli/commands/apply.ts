import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { parsePlan } from '#cli/plan-file.ts'
import { readStdin } from '#cli/prompt.ts'

export function registerApply(apply: Command, io: Io): void {
  apply
    .argument('<plan>', 'a file that was written by --dry-run --json, or - for standard input')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('apply plan.json', 'apply plan.json --yes'))
    .action((file: string, _own, command: Command) => applyPlan(io, command.optsWithGlobals(), file))
}

type Options = SharedOptions & { yes?: true }

/** The command of the plan runs again, and does it only where it would plan the same. */
async function applyPlan(io: Io, options: Options, file: string): Promise<void> {
  const plan = parsePlan(file === '-' ? await readStdin(io) : readPlan(resolve(io.cwd, file)))
  if (options.api !== undefined && serverOrigin(io, options) !== plan.server) {
    throw usageError(`This plan is for ${plan.server ?? 'the data folder on this machine'}.`)
  }
  const argv = [
    ...plan.argv,
    ...(plan.server === null ? [] : [`--api=${plan.server}`]),
    ...(['json', 'csv', 'jq'] as const).flatMap((name) =>
      options[name] === undefined ? [] : [`--${name}=${options[name] === true ? '' : options[name]}`],
    ),
    ...(options.quiet ? ['--quiet'] : []),
  ]
  // Without a server in the plan, one of the environment is not meant.
  const env = plan.server === null ? { ...io.env, ALLIANCE_API: undefined } : io.env
  const isConfirmed = options.yes === true
  const changed = { plan: { value: plan }, env: { value: env }, isConfirmed: { value: isConfirmed } }
  const code = await io.run?.(argv, changed)
  if (code !== exitCodes.ok) throw new CliError(code ?? exitCodes.failed)
}

function readPlan(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw usageError(`${path} cannot be read.`)
  }
}
