import { Command, CommanderError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { registerCommission } from './commands/commission.ts'
import { registerContent } from './commands/content.ts'
import { registerDoctor } from './commands/doctor.ts'
import { registerInvoices } from './commands/invoices.ts'
import { registerJobs, registerSync } from './commands/jobs.ts'
import { registerLogin } from './commands/login.ts'
import { registerMail } from './commands/mail.ts'
import { registerMembers } from './commands/members.ts'
import { registerMrr } from './commands/mrr.ts'
import { registerOwners } from './commands/owners.ts'
import { registerQuotient } from './commands/quotient.ts'
import { registerReactivation } from './commands/reactivation.ts'
import { registerSandbox } from './commands/sandbox.ts'
import { addExamples } from './examples.ts'
import { type ExitCode, exitCodes, Stop } from './exit.ts'
import { type Io, say, write } from './io.ts'

/** Runs one command and answers its exit code: data on stdout, talk on stderr. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  const said: Promise<void>[] = []
  try {
    const parsing = buildProgram(io, said).parseAsync([...argv], { from: 'user' })
    await untilCancelled(io.signal, parsing).finally(() => Promise.all(said))
    return exitCodes.done
  } catch (error) {
    return await explain(io, error)
  }
}

/** What the parser itself says goes into `said`, to be waited for. */
function buildProgram(io: Io, said: Promise<void>[]): Command {
  const program = new Command('alliance')
    .description('The Alliance from the terminal: members, revenue and the state of the data.')
    .version(packageJson.version)
    .addOption(new Option('--api <url>', 'a server, instead of the data folder here (or ALLIANCE_API)'))
    .addOption(new Option('--json', 'print the answer as JSON').conflicts('csv'))
    .addOption(new Option('--csv', 'print it as CSV'))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void said.push(write(io.stdout, text)),
      writeErr: (text) => void said.push(write(io.stderr, text)),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .addHelpText('after', helpEnd)
    .exitOverride()
  for (const register of [
    registerMembers,
    registerMrr,
    registerInvoices,
    registerCommission,
    registerMail,
    registerOwners,
    registerReactivation,
    registerQuotient,
    registerContent,
    registerJobs,
    registerSync,
    registerDoctor,
    registerSandbox,
    registerLogin,
  ]) {
    register(program, io)
  }
  addExamples(program)
  return program
}

const helpEnd = `
Such as:
  alliance members list --csv > members.csv
  alliance members show sam@example.com
  alliance mail list --status refused
  alliance mrr --json --api https://example.com
  alliance commission statement 2026-06 --csv > june.csv
  alliance sandbox advance 31d

Without --api a command works on the data folder here (DATA_DIR),
with an owner's rights, whether or not the server runs. With --api, or
ALLIANCE_API, it asks that server as the person who logged in there.
ALLIANCE_TOKEN goes before the login that is kept.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 not allowed,
130 cancelled.`

/** Ctrl-C ends the wait; what was under way ends with the process. */
function untilCancelled(signal: AbortSignal, work: Promise<unknown>): Promise<unknown> {
  const cancelled = new Promise((_resolve, reject) => {
    const stop = () => reject(new Stop(exitCodes.cancelled))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, cancelled])
}

/** One line for the person, and the code for the script. */
async function explain(io: Io, error: unknown): Promise<ExitCode> {
  // The parser has said its own line already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (io.signal.aborted) return exitCodes.cancelled
  const message = error instanceof Error ? error.message : String(error)
  if (message !== '') await say(io, message)
  return error instanceof Stop ? error.exitCode : exitCodes.failed
}
