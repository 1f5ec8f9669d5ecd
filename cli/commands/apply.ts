import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { unreadable } from '#cli/named-file.ts'
import { type Plan, parsePlan } from '#cli/plan-file.ts'

export function registerApply(apply: Command, io: Io): void {
  apply
    .argument('<plan>', 'a file that was written by --dry-run --json, or - for standard input')
    .option('-y, --yes', 'don’t ask for confirmation')
    .addHelpText('after', examples('apply plan.json', 'apply plan.json --yes'))
    .action((file: string, _own, command: Command) => applyPlan(io, command.optsWithGlobals(), file))
}

type Options = SharedOptions & { yes?: true }

/** Runs the plan's command again, and only makes the change if it would make the same plan now. */
async function applyPlan(io: Io, options: Options, file: string): Promise<void> {
  const plan = parsePlan(file === '-' ? await textOf(io.stdin) : await readPlan(resolve(io.cwd, file)))
  assertMeant(io, options, plan)
  const argv = [
    ...plan.argv,
    ...(plan.server === null ? [] : [`--api=${plan.server}`]),
    ...(['json', 'csv', 'jq'] as const).flatMap((name) =>
      options[name] === undefined ? [] : [`--${name}=${options[name] === true ? '' : options[name]}`],
    ),
    ...(options.quiet ? ['--quiet'] : []),
  ]
  // A plan without a server ignores one in the environment.
  const env = plan.server === null ? { ...io.env, ALLIANCE_API: undefined } : io.env
  const isConfirmed = options.yes === true
  const changed = { plan: { value: plan }, env: { value: env }, isConfirmed: { value: isConfirmed } }
  const code = await io.run?.(argv, changed)
  if (code !== exitCodes.ok) throw new CliError(code ?? exitCodes.failed)
}

/** A token in the environment goes to whichever server we ask, so the plan's file mustn't choose the server on its own. */
function assertMeant(io: Io, options: Options, { server }: Plan): void {
  const isNamed = serverOrigin(io, options) === server
  if (options.api !== undefined && !isNamed) {
    throw usageError(`This plan is for ${server ?? 'the data folder on this machine'}.`)
  }
  if (server !== null && io.env.ALLIANCE_TOKEN && !isNamed) {
    throw usageError(`This plan is for ${server}. If you mean that site, add --api ${server}.`)
  }
}

const mostMegabytes = 16

/** The file may be a pipe, so we have to read it to know how long it is. */
async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > mostMegabytes * 1024 ** 2) {
      throw usageError(`This isn’t a plan: it’s larger than ${mostMegabytes} MB.`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readPlan(path: string): Promise<string> {
  try {
    return await textOf(createReadStream(path))
  } catch (error) {
    if (error instanceof CliError) throw error
    throw unreadable(path, error)
  }
}
