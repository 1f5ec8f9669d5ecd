import { Command, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import {
  fieldsOption,
  joinFields,
  refusalLine,
  registerComplete,
  reportError,
  shouldOpenDesk,
  untilCancelled,
  withoutVainHelp,
} from './command-line.ts'
import { commands } from './commands.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { helpOfAll, registerGroupNames } from './first-page.ts'
import { foldHelp } from './help.ts'
import { type ByteOutput, type Io, wrapForTerminal, write, writeBeside } from './io.ts'

/** Runs one command and returns its exit code. Data goes to stdout, everything else to stderr. */
export async function runCli(typed: readonly string[], io: Io): Promise<ExitCode> {
  const argv = shouldOpenDesk(typed, io) ? ['desk', ...typed] : typed
  const writes: Promise<void>[] = []
  const begun: Promise<unknown>[] = []
  const called: Io = Object.create(io, {
    argv: { value: argv },
    run: { value: (argv: string[], changed: PropertyDescriptorMap) => runCli(argv, Object.create(called, changed)) },
    underway: {
      value(work: Promise<unknown>) {
        begun.push(work)
        io.underway?.(work)
      },
    },
  })
  let program: Command | undefined
  try {
    program = await createProgram(argv, called, writes)
    const parsing = program.parseAsync(joinFields(program, withoutVainHelp(program, argv)), { from: 'user' })
    await untilCancelled(io, parsing, begun).finally(() => Promise.all(writes))
    return exitCodes.ok
  } catch (error) {
    return await reportError(called, error, program)
  }
}

/** The parser doesn't wait for its writes, so each waits here for the one before, and `writes` for all of them. */
async function createProgram(argv: readonly string[], io: Io, writes: Promise<void>[]): Promise<Command> {
  const inTurn = (work: () => Promise<void>) => void writes.push((writes.at(-1) ?? Promise.resolve()).then(work))
  const program: Command = new Command('alliance')
    .version(packageJson.version)
    .addOption(new Option('--api <url>', 'use a remote server instead of the data folder (env: ALLIANCE_API)'))
    .addOption(
      fieldsOption('--json [fields]', 'print JSON, all of it or these fields: --json email,tierName').conflicts('csv'),
    )
    .addOption(fieldsOption('--csv [fields]', 'print CSV, all columns or these'))
    .addOption(new Option('--bom', 'start the output with the mark that Excel needs for CSV with £ and accents'))
    .addOption(new Option('--jq <path>', "print one path of the JSON: --jq '.[].email'").conflicts(['json', 'csv']))
    .addOption(new Option('-q, --quiet', 'print only the output, no messages'))
    .configureHelp(helpOfAll)
    .helpCommand('help [command]', 'Show the help of a command')
    .configureOutput({
      writeOut: (text) => inTurn(() => write(io.stdout, foldHelp(text, io.columns))),
      writeErr: (text) => inTurn(() => writeBeside(io, text)),
      outputError: (text, write) => write(`${wrapForTerminal(io, refusalLine(program, argv, text))}\n`),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .hook('preAction', async (_program, command) => {
      if (program.getOptionValue('bom')) io.stdout = withMark(io.stdout)
      if (io.plan !== undefined) (await import('./plan.ts')).assertPlans(command)
    })
    .exitOverride()
  await registerNouns(program, argv, io)
  registerComplete(program, io)
  return program
}

async function registerNouns(program: Command, argv: readonly string[], io: Io): Promise<void> {
  // The help and the hint after a typing error need every noun. A command that starts with a noun needs only that one.
  const isCalled = commands.some(({ name }) => name === argv.find((word) => !word.startsWith('-')))
  for (const { name, description, load } of commands) {
    // Anywhere in the arguments, as in `alliance --json members` or `alliance help members`. One too many does no harm.
    const isNamed = argv.includes(name)
    if (isCalled && !isNamed) continue
    const command = program.command(name).description(description)
    if (isNamed) await (await load())(command, io)
  }
  if (!isCalled) registerGroupNames(program)
}

/** A byte order mark before the first text. What a pipe reads starts without one. */
function withMark(output: ByteOutput): ByteOutput {
  let mark = '\uFEFF'
  return {
    write(text, done) {
      const marked = typeof text === 'string' ? mark + text : text
      mark = ''
      return output.write(marked, done)
    },
  }
}
