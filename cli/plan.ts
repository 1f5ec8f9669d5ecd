import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from './client.ts'
import { CliError, exitCodes, usageError } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Output } from './output.ts'
import { changedSince, type Plan } from './plan-file.ts'
import type { Planned } from './rows.ts'

type Made = { options: SharedOptions; path: string; planned: Planned<unknown> }

/** For people what would happen, in the command's own layout; as JSON the plan `apply` reads. */
export function planOutput(io: Io, { options, path, planned }: Made): Output {
  const argv = withoutShared(io.argv ?? [])
  const { facts, question, output } = planned
  const plan: Plan = {
    plan: 1,
    command: path,
    argv,
    server: serverOrigin(io, options),
    question: question ?? '',
    facts,
  }
  return { ...output, json: plan }
}

/** Drops what only concerns this call: its format, its server and `--dry-run`. */
function withoutShared(argv: readonly string[]): string[] {
  const own = argv.filter((word) => !/^(--dry-run|--yes|-y|--quiet|-q|--json(=.*)?|--csv(=.*)?|--api=.*)$/.test(word))
  const at = own.indexOf('--api')
  return at === -1 ? own : own.toSpliced(at, 2)
}

/** Throws if the command makes no plans: it would compare nothing, and do whatever the file says. */
export function assertPlans({ options }: Command): void {
  if (!options.some(({ long }) => long === '--dry-run')) throw otherCommand()
}

export const otherCommand = () => usageError('This plan is for another command.')

/** Throws if the facts have changed, because then the plan isn't what its owner saw. */
export function assertSameWorld(plan: Plan, now: { path: string; facts: unknown }): void {
  if (plan.command !== now.path) throw otherCommand()
  const facts: unknown = JSON.parse(JSON.stringify(now.facts))
  if (Bun.deepEquals(plan.facts, facts)) return
  throw new CliError(exitCodes.failed, `${changedSince} Make a new one with --dry-run.`)
}
