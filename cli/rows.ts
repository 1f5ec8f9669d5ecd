import type { Command } from 'commander'
import { type SharedOptions, withClient } from './client.ts'
import type { Client } from './connection.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { examples, helpWithoutFormats } from './help.ts'
import type { Io } from './io.ts'
import { type ListOptions, type PageQuery, printList, type RowPage } from './list.ts'
import { note, type Output, printOutcome, printShown } from './output.ts'
import { withProgress } from './progress.ts'
import type { FlatRecord, Table } from './table.ts'

/** What was given on the command line, beside what every command takes. */
type Options = SharedOptions & ListOptions & Readonly<Record<string, string | true | string[] | undefined>>

/** One call of a row. `argument` is by position; one that is required is never empty, and several words are one text; `isGiven` is an empty one too. */
export type Call = {
  io: Io
  options: Options
  argument(at: number): string
  isGiven(at: number): boolean
  option(name: string): string | undefined
}

/** Flags as the parser reads them, with their explanation, and what completes their value. */
export type OptionRow = readonly [flags: string, description: string, repeats?: 'repeats']

/** What every row says of itself; help, completions and the tests' matrix are read from it. */
export type Described = {
  /** The name and its arguments, such as `show <id-or-email>`; without a name it is what the noun itself does. */
  usage: string
  /** It works, and stands in no help: a name that it once had. */
  isHidden?: true
  description: string
  options?: readonly OptionRow[]
  /** Without `alliance` and the noun. */
  examples: readonly string[]
  /** A fresh data folder may be filled by it, so that one without a database gets one. */
  mayCreate?: true
}

/** A list: its pages and its table are all there is to it. */
type ListRow<Row> = Described & {
  table: Table<Row>
  /** Checks the options once, and then reads page after page. */
  pages(call: Call): (client: Client, query: PageQuery) => Promise<RowPage<Row>>
}

/** Something that is read and shown. */
type ShowRow<Value> = Described & {
  read(call: Call): (client: Client, siteUrl: string) => Promise<Value>
  output(value: Value, call: Call): Output | Promise<Output>
}

/**
 * What a change would do: the facts that it was decided by, the lines that say so, and the question before it is done; null where
 * nothing needs to be asked after all.
 */
export type Planned<Facts> = { facts: Facts; output: Output; question: string | null }

/** What a change did: a sentence for people with values for scripts, or an output of its own. */
export type Done = { sentence: string; record: FlatRecord; notes?: readonly string[] } | Output

/** A change, in two steps: what `--dry-run` prints is all that `apply` does. */
type ChangeRow<Facts> = Described & {
  /** It takes money, deletes or mails: it asks first, and takes `--dry-run` and `--yes`. */
  asks?: true
  /** It can be looked at by `--dry-run` and applied as a plan, but does nothing that would have to be asked for. */
  plans?: true
  plan(call: Call): (client: Client) => Promise<Planned<Facts>>
  apply(call: Call, facts: Facts): (client: Client) => Promise<Done>
}

/** A row as the table holds it, whatever its shape; `isOfMachine`: of the files of this machine, so without `--api`; `hasOneFormat`: without `--json`. */
export type CommandRow = Described & {
  kind: 'list' | 'show' | 'file' | 'change'
  asks?: true
  plans?: true
  isOfMachine?: true
  hasOneFormat?: true
  run(call: Call, path: string): Promise<void>
}

const limitOption: OptionRow = ['-n, --limit <count>', 'how many rows at most']
export const planOptions: readonly OptionRow[] = [
  ['--dry-run', 'print the plan without doing it; save it with --json and run it with alliance apply'],
]
const askOptions: readonly OptionRow[] = [...planOptions, ['-y, --yes', 'don’t ask for confirmation']]

/** A row's own options, and those by which it is planned and confirmed. */
export const withPlanOptions = ({ options = [], asks, plans }: Pick<CommandRow, 'options' | 'asks' | 'plans'>) =>
  options.concat(asks ? askOptions : plans ? planOptions : [])

export const listRow = <Row>({ table, pages, ...row }: ListRow<Row>): CommandRow => ({
  ...row,
  kind: 'list',
  options: [limitOption, ...(row.options ?? [])],
  run: async (call) => printList(call.io, call.options, { table, requestPage: pages(call) }),
})

export const showRow = <Value>({ read, output, ...row }: ShowRow<Value>): CommandRow => ({
  ...row,
  kind: 'show',
  async run(call) {
    const { io, options } = call
    const work = read(call)
    const value = await withProgress(io, options, 'Reading', () => withClient(io, options, work, opening(row)))
    await printShown(call, await output(value, call))
  },
})

export const changeRow = <Facts>({ plan, apply, ...row }: ChangeRow<Facts>): CommandRow => ({
  ...row,
  kind: 'change',
  options: withPlanOptions(row),
  async run(call, path) {
    const prepare = plan(call)
    const done = await withClient(
      withoutSignal(call.io),
      call.options,
      async (client) => doPlanned({ call, path, row }, await prepare(client), (facts) => apply(call, facts)(client)),
      opening(row),
    )
    if (done !== null) await printDone(call, done)
  },
})

/** Null where the plan was all that was wanted, or somebody said no. */
export async function doPlanned<Facts>(
  { call, path, row }: { call: Call; path: string; row: Pick<CommandRow, 'asks' | 'plans'> },
  planned: Planned<Facts>,
  work: (facts: Facts) => Promise<Done>,
): Promise<Done | null> {
  const { asks = false, plans = false } = row
  if ((asks || plans) && !(await mayBegin({ call, path, asks }, planned))) return null
  return finishOnce(call.io, () => work(planned.facts))
}

const opening = ({ mayCreate }: Described) => (mayCreate ? { mayCreate } : {})
type Asking = { call: Pick<Call, 'io' | 'options'>; path: string; asks: boolean }

/** False where the plan was all that was wanted. The code of plans is loaded for those alone. */
export async function mayBegin({ call, path, asks }: Asking, planned: Planned<unknown>): Promise<boolean> {
  const { io, options } = call
  if (options.dryRun) {
    const output = (await import('./plan.ts')).planOutput(io, { options, path, planned })
    await printShown(call, { ...output, notes: [...(output.notes ?? []), 'Dry run: nothing was changed.'] })
    return false
  }
  if (io.plan !== undefined) (await import('./plan.ts')).assertSameWorld(io.plan, { path, facts: planned.facts })
  const question = asks ? planned.question : null
  // A plan does not answer for its owner: `apply --yes` does.
  const isAnswered = options.yes === true && io.plan === undefined
  if (question !== null) await (await import('./prompt.ts')).confirm(io, question, isAnswered)
  return true
}

/** The requests of a change do not see Ctrl-C: one that is cut off would leave nobody knowing whether it was done. */
const withoutSignal = (io: Io): Io => Object.create(io, { signal: { value: new AbortController().signal } })

/** Once a change has begun, Ctrl-C waits until it is whole. */
function finishOnce<Result>(io: Io, work: () => Promise<Result>): Promise<Result> {
  if (io.signal.aborted) throw new CliError(exitCodes.cancelled)
  const result = work()
  io.underway?.(result)
  return result
}

export async function printDone(call: Call, done: Done): Promise<void> {
  const { io, options } = call
  if (!('sentence' in done)) return printShown(call, done)
  await printOutcome(io, options, done)
  for (const sentence of done.notes ?? []) await note(io, options, sentence)
}

/** Rows of a noun that are loaded together, by the names that they have. */
export type RowGroup = { names: readonly string[]; load(): Promise<readonly CommandRow[]> }

/** Declares rows that are loaded as one. */
export const registersRows =
  (rows: readonly CommandRow[]) =>
  (noun: Command, io: Io): void =>
    registerRows(noun, io, rows)

/** Declares the group that is called; where none is, as in a help, all of them. */
export const registerGroups =
  (groups: readonly RowGroup[]) =>
  async (noun: Command, io: Io): Promise<void> => {
    const called = groups.filter(({ names }) => names.some((name) => io.argv?.includes(name)))
    const loaded = await Promise.all((called.length > 0 ? called : groups).map(({ load }) => load()))
    registerRows(noun, io, loaded.flat())
  }

/** Declares a noun's rows to the parser. */
export function registerRows(noun: Command, io: Io, rows: readonly CommandRow[]): void {
  const path = pathOf(noun)
  for (const row of rows) {
    const { name, given } = partsOf(row.usage)
    const command = name === '' ? noun : noun.command(row.usage, { hidden: row.isHidden === true })
    if (name === '' && given !== '') noun.arguments(given)
    if (row.hasOneFormat) helpWithoutFormats(command)
    if (!command.description()) command.description(row.description)
    for (const [flags, description, repeats] of row.options ?? []) {
      if (repeats) command.option(flags, description, collect)
      else command.option(flags, description)
    }
    command
      .addHelpText('after', examples(...row.examples.map((example) => `${path} ${example}`.trim())))
      .action((...words: unknown[]) => row.run(toCall(io, command, words), pathOf(command)))
  }
  const shown = rows.filter(({ isHidden }) => !isHidden).slice(0, 3)
  if (rows.every(({ usage }) => partsOf(usage).name !== ''))
    noun.addHelpText('after', examples(...shown.map((row) => `${path} ${row.examples[0]}`)))
}

/** The name of a row and its arguments, as its usage has them. */
export function partsOf(usage: string): { name: string; given: string } {
  const [, name = '', given = ''] = /^([a-z][\w-]*)?\s*(.*)$/.exec(usage) ?? []
  return { name, given }
}

/** `commission rates set`: the words that lead to a command. */
const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const collect = (one: string, all: string[] = []) => [...all, one]

function toCall(io: Io, command: Command, given: readonly unknown[]): Call {
  const options = command.optsWithGlobals<Options>()
  const words = given
    .slice(0, command.registeredArguments.length)
    .map((one) => (Array.isArray(one) ? one : [one ?? '']))
  return {
    io,
    options,
    argument: (at) => words[at]?.join(' ') ?? '',
    isGiven: (at) => given[at] !== undefined && words[at]?.length !== 0,
    option: (name) => (typeof options[name] === 'string' ? options[name] : undefined),
  }
}
