import { Command, CommanderError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { CliError, type ExitCode, exitCodes } from './exit-codes.ts'
import { type Io, notify, write } from './io.ts'

type Register = (command: Command, io: Io) => void
type Registration = { name: string; description: string; load: () => Promise<Register> }

/** Only names and descriptions, so that `--version` and `--help` load no command. */
const commands: readonly Registration[] = [
  {
    name: 'members',
    description: 'List, show, refund and remove members',
    load: async () => (await import('./commands/members.ts')).registerMembers,
  },
  {
    name: 'subscriptions',
    description: 'Start a dearer tier today',
    load: async () => (await import('./commands/subscriptions.ts')).registerSubscriptions,
  },
  {
    name: 'mrr',
    description: 'Show monthly recurring revenue and the commission forecast',
    load: async () => (await import('./commands/mrr.ts')).registerMrr,
  },
  {
    name: 'invoices',
    description: 'List, repair, delete and export VAT invoices',
    load: async () => (await import('./commands/invoices.ts')).registerInvoices,
  },
  {
    name: 'commission',
    description: "Manage the sales partner's commission",
    load: async () => (await import('./commands/commission/commission.ts')).registerCommission,
  },
  {
    name: 'calendar',
    description: 'Set the coaches’ hours; list, move and cancel calls',
    load: async () => (await import('./commands/calendar/calendar.ts')).registerCalendar,
  },
  {
    name: 'mail',
    description: 'List, show and resend mail',
    load: async () => (await import('./commands/mail.ts')).registerMail,
  },
  {
    name: 'owners',
    description: 'Manage the accounts of the owners',
    load: async () => (await import('./commands/owners.ts')).registerOwners,
  },
  {
    name: 'sessions',
    description: 'List and end open logins',
    load: async () => (await import('./commands/sessions.ts')).registerSessions,
  },
  {
    name: 'reactivation',
    description: 'Invite former members back',
    load: async () => (await import('./commands/reactivation.ts')).registerReactivation,
  },
  {
    name: 'quotient',
    description: 'List orders of the Quotient set-up',
    load: async () => (await import('./commands/quotient.ts')).registerQuotient,
  },
  {
    name: 'content',
    description: "Edit, check and carry over the texts of the site's pages",
    load: async () => (await import('./commands/content/content.ts')).registerContent,
  },
  {
    name: 'media',
    description: 'Store the pictures that pages show',
    load: async () => (await import('./commands/media.ts')).registerMedia,
  },
  {
    name: 'settings',
    description: 'Show and set the firm’s details and the addresses that pages link to',
    load: async () => (await import('./commands/settings.ts')).registerSettings,
  },
  {
    name: 'tiers',
    description: 'Show and change the tiers and their prices',
    load: async () => (await import('./commands/tiers.ts')).registerTiers,
  },
  {
    name: 'jobs',
    description: 'List and run background jobs',
    load: async () => (await import('./commands/jobs.ts')).registerJobs,
  },
  {
    name: 'sync',
    description: 'Read one member again from the payment provider',
    load: async () => (await import('./commands/sync.ts')).registerSync,
  },
  {
    name: 'doctor',
    description: 'Check the settings, database and data folder on this machine',
    load: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  {
    name: 'migrate',
    description: "Bring this machine's database to this version, with the server stopped",
    load: async () => (await import('./commands/migrate.ts')).registerMigrate,
  },
  {
    name: 'sandbox',
    description: 'Control the payment sandbox',
    load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
  },
  {
    name: 'login',
    description: 'Log in to a server',
    load: async () => (await import('./commands/login.ts')).registerLogin,
  },
  {
    name: 'logout',
    description: 'Log out of a server',
    load: async () => (await import('./commands/login.ts')).registerLogout,
  },
]

/** Runs one command and returns its exit code. Data goes to stdout, everything else to stderr. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  const writes: Promise<void>[] = []
  try {
    const program = await createProgram(argv, io, writes)
    const parsing = program.parseAsync([...argv], { from: 'user' })
    await untilCancelled(io.signal, parsing).finally(() => Promise.all(writes))
    return exitCodes.ok
  } catch (error) {
    return await reportError(io, error)
  }
}

/** The parser writes without waiting; `writes` collects what has to be waited for. */
async function createProgram(argv: readonly string[], io: Io, writes: Promise<void>[]): Promise<Command> {
  const program = new Command('alliance')
    .description('Manage the site: members, revenue, invoices, mail and words.')
    .version(packageJson.version)
    .addOption(new Option('--api <url>', 'use a remote server instead of the data folder (env: ALLIANCE_API)'))
    .addOption(new Option('--json', 'print JSON').conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV'))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void writes.push(write(io.stdout, text)),
      writeErr: (text) => void writes.push(write(io.stderr, text)),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .addHelpText('after', helpFooter)
    .exitOverride()
  for (const { name, description, load } of commands) {
    const command = program.command(name).description(description)
    // Anywhere in the arguments, as in `alliance --json members` or `alliance help members`. One too many does no harm.
    if (argv.includes(name)) (await load())(command, io)
  }
  return program
}

const helpFooter = `
Examples:
  alliance members list --csv > members.csv
  alliance members show sam@example.com
  alliance mail list --status refused
  alliance mrr --json --api https://example.com
  alliance commission statement 2026-06 --csv > june.csv
  alliance sandbox advance 31d

Without --api, commands work on the data folder on this machine
(DATA_DIR) with an owner's rights, whether or not the server is running.
With --api or ALLIANCE_API they use that server, as the account that
logged in there. ALLIANCE_TOKEN takes precedence over a saved login.

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 not found,
4 not allowed, 130 cancelled.`

/** Ctrl-C ends the wait; work in progress ends with the process. */
function untilCancelled(signal: AbortSignal, work: Promise<unknown>): Promise<unknown> {
  const cancelled = new Promise((_resolve, reject) => {
    const cancel = () => reject(new CliError(exitCodes.cancelled))
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
  })
  return Promise.race([work, cancelled])
}

/** One line on stderr for people, an exit code for scripts. */
async function reportError(io: Io, error: unknown): Promise<ExitCode> {
  // The parser has already written its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (io.signal.aborted) return exitCodes.cancelled
  const message = error instanceof Error ? error.message : String(error)
  if (message !== '') await notify(io, message)
  return error instanceof CliError ? error.exitCode : exitCodes.failed
}
