import { type Command, CommanderError, Option } from 'commander'
import { unknownTier } from '#shared/values/tier-words.ts'
import { CliError, type ExitCode, exitCodes } from './exit-codes.ts'
import { type Io, notify, write } from './io.ts'

/** On a terminal, plain `alliance` opens the desk. A script that forgot its command gets the help. */
export function shouldOpenDesk(argv: readonly string[], io: Io): boolean {
  const isServerAlone = argv.length === 0 || (argv[0] === '--api' ? argv.length === 2 : /^--api=/.test(argv.join(' ')))
  // Asks for the screen last: opening its streams takes as long as the rest of `--version`.
  return isServerAlone && io.isTTY.stdin && io.isTTY.stdout && io.screen !== undefined
}

/** Without a value the option means all fields. */
export const fieldsOption = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((fields: string): string | true => fields === '' || fields)

/**
 * Takes a list of fields as the option's value only if it can't be an argument: `--json email` for a list, `--json a,b` for
 * anything.
 */
export function joinFields(program: Command, argv: readonly string[]): string[] {
  const names = new Set<number>()
  let leaf = program
  for (const [at, word] of argv.entries()) {
    const below = leaf.commands.find((one) => one.name() === word)
    if (below !== undefined) names.add(at)
    leaf = below ?? leaf
  }
  const isFields = leaf.registeredArguments.length === 0 ? /^[A-Za-z][\w.]*(,[\w.]+)*$/ : /^[A-Za-z][\w.]*(,[\w.]+)+$/
  const joined: string[] = []
  for (const [at, word] of argv.entries()) {
    if (word === '--') return [...joined, ...argv.slice(at)]
    const option = joined.at(-1)
    const takesFields = (option === '--json=' || option === '--csv=') && argv[at - 1] === option.slice(0, -1)
    if (takesFields && !names.has(at) && isFields.test(word)) joined[joined.length - 1] = option + word
    else joined.push(word === '--json' || word === '--csv' ? `${word}=` : word)
  }
  return joined
}

/** Refuses `help memebrs` the way it refuses `memebrs`, suggesting the right name. The parser itself would print the whole help. */
export function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  let leaf = program
  for (const [at, word] of argv.entries()) {
    const below = leaf.commands.find((one) => one.name() === word)
    if (below !== undefined) {
      leaf = below
      continue
    }
    const asked = argv[at + 1]
    const isVain =
      word === 'help' && asked !== undefined && /^\w/.test(asked) && leaf.commands.every((one) => one.name() !== asked)
    return isVain && leaf.commands.length > 0 && leaf.registeredArguments.length === 0 ? argv.toSpliced(at, 1) : argv
  }
  return argv
}

export function refusalLine(program: Command, argv: readonly string[], text: string): string {
  const [message = '', suggestion] = text.trim().split(/\n\((.*)\)$/)
  const path = calledCommands(program, argv).map((command) => command.name())
  const next = otherLine(argv, message) ?? suggestion ?? fieldsLine(argv, message) ?? `See: ${path.join(' ')} --help`
  return `${message.replace(/\.$/, '')}. ${next}`
}

/** What’s written in the browser, and its calls. It has no commands of its own. */
const inBrowser = {
  announcements: 'announcements',
  calendar: 'calendar',
  episodes: 'podcast',
  posts: 'blog',
  videos: 'videos',
}

const elsewhere = { churn: 'mrr churn', reactivation: 'members reactivation-link' }

/** A tier’s price had options of `tiers set`. */
function tierPriceLine(argv: readonly string[], message: string): string | undefined {
  const at = argv.indexOf('tiers')
  const isPrice = argv[at + 1] === 'set' && /unknown option '--(?:price|from|move-members)'/.test(message)
  return isPrice ? `tiers price set ${argv[at + 2] ?? 'TIER'} month POUNDS` : undefined
}

function otherLine(argv: readonly string[], message: string): string | undefined {
  const of = (names: Record<string, string>) =>
    Object.entries(names).find(([noun]) => message.endsWith(`unknown command '${noun}'`))?.[1]
  const [path, command] = [of(inBrowser), of(elsewhere) ?? tierPriceLine(argv, message)]
  if (path !== undefined) return `That’s done in the browser, or with: alliance api /api/admin/${path}`
  return command && `That’s: alliance ${command}`
}

/** If a command has arguments, a single field after `--json` is taken for one of them. */
function fieldsLine(argv: readonly string[], message: string): string | undefined {
  const at = argv.findIndex((word) => word === '--json' || word === '--csv')
  const field = argv[at + 1] ?? ''
  const isField = at !== -1 && message.includes('too many arguments') && /^[A-Za-z][\w.]*$/.test(field)
  return isField ? `For that field alone: ${argv[at]}=${field}` : undefined
}

function calledCommands(program: Command, argv: readonly string[]): Command[] {
  const called = [program]
  for (const word of argv) {
    const below = called.at(-1)?.commands.find((one) => one.name() === word)
    if (below !== undefined) called.push(below)
  }
  return called
}

/** Where to look for what the server didn't find. What this program refuses says so itself. */
function listLine(program: Command | undefined, argv: readonly string[], { code, message }: CliError): string {
  if (code === 'member_not_found' || code === 'account_exists') return ' See: alliance members list --search <words>'
  if (message === unknownTier) return ' See: alliance tiers list'
  if (code !== 'not_found') return ''
  const noun = program && calledCommands(program, argv)[1]
  const hasList = noun?.commands.some((one) => one.name() === 'list')
  return hasList ? ` See: alliance ${noun?.name()} list` : ''
}

/** Ctrl-C ends the wait, and the process ends with it. A change that has begun finishes first. */
export function untilCancelled(io: Io, work: Promise<unknown>, begun: readonly Promise<unknown>[]): Promise<unknown> {
  const { signal } = io
  const cancelled = new Promise((_resolve, reject) => {
    const cancel = async () => {
      // Only the typed command says so. A command inside it, such as a plan's, has both waiting for it.
      if (begun.length > 0 && io.underway === undefined) await notify(io, 'Finishing what’s already started …')
      await Promise.allSettled(begun)
      if (begun.length > 0) await work.catch(() => {})
      reject(new CliError(exitCodes.cancelled))
    }
    if (signal.aborted) reject(new CliError(exitCodes.cancelled))
    signal.addEventListener('abort', () => void cancel(), { once: true })
  })
  return Promise.race([work, cancelled])
}

/** Called by the shells while you type, so it's not in the help. */
export function registerComplete(program: Command, io: Io): void {
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { completeWords } = await import('./complete.ts')
      await write(io.stdout, (await completeWords(program, io, words)).map((word) => `${word}\n`).join(''))
    })
}

async function messageOf(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? (await import('./system-error.ts')).systemErrorText(error) : error.message
}

export async function reportError(io: Io, error: unknown, program: Command | undefined): Promise<ExitCode> {
  // The parser has already printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (io.signal.aborted) return exitCodes.cancelled
  const message = await messageOf(error)
  const next = error instanceof CliError ? listLine(program, io.argv ?? [], error) : ''
  if (message !== '') await notify(io, message + next)
  return error instanceof CliError ? error.exitCode : exitCodes.failed
}
