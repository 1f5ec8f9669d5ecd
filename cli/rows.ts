import type { Command } from 'commander'
import { type SharedOptions, withClient } from './client.ts'
import type { Client } from './connection.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { examples, helpWithoutFormats } from './help.ts'
import type { Io } from './io.ts'
import { type ListOptions, type PageQuery, printList, type RowPage } from './list.ts'
import { isForScript, note, type Output, printRecord, printShown } from './output.ts'
import { withProgress } from './progress.ts'
import type { FlatRecord, Table } from './table.ts'

type Options = SharedOptions & ListOptions & Readonly<Record<string, string | true | string[] | undefined>>

/**
 * One call of a row. `argument` is by position: a required one is never empty, and several words are one text. `isGiven` is true
 * for an empty one too.
 */
export type Call = {
  io: Io
  options: Options
  argument(at: number): string
  isGiven(at: number): boolean
  option(name: string): string | undefined
}

/** Flags in the parser's format, their explanation, and what completes their value. */
export type OptionRow = readonly [flags: string, description: string, repeats?: 'repeats']

export type Described = {
  /** The name and its arguments, such as `show <id-or-email>`; without a name it's what the noun itself does. */
  usage: string
  description: string
  options?: readonly OptionRow[]
  /** Without `alliance` and the noun. */
  examples: readonly string[]
  /** It may fill a new data folder, so it creates a missing database. */
  mayCreate?: true
}

type ListRow<Row> = Described & {
  table: Table<Row>
  /** Checks the options once, then reads page by page. */
  pages(call: Call): (client: Client, query: PageQuery) => Promise<RowPage<Row>>
}

type ShowRow<Value> = Described & {
  read(call: Call): (client: Client, siteUrl: string) => Promise<Value>
  output(value: Value, call: Call): Output | Promise<Output>
}

/**
 * What a change would do: the facts it depends on, the lines that describe it, and the question to confirm it; null if there's
 * nothing to confirm.
 */
export type Planned<Facts> = { facts: Facts; output: Output; question: string | null }

export type Done = { sentence: string; record: FlatRecord; notes?: readonly string[] } | Output

/** A change in two steps: `apply` does exactly what `--dry-run` prints. */
type ChangeRow<Facts> = Described & {
  /** It takes money, deletes or sends email, so it asks first, and takes `--yes`. */
  asks?: true
  plan(call: Call): (client: Client) => Promise<Planned<Facts>>
  apply(call: Call, facts: Facts): (client: Client) => Promise<Done>
}

/** A change that needs no plan, for one of the reasons in `command-table.ts`. It checks what's given, then does it. */
type ActRow = Described & {
  act(call: Call): ((client: Client) => Promise<Done>) | Promise<(client: Client) => Promise<Done>>
}

/** A row of any kind. `isOfMachine`: about this machine's files, so without `--api`; `hasOneFormat`: without `--json`. */
export type CommandRow = Described & {
  kind: 'list' | 'show' | 'file' | 'change' | 'act'
  asks?: true
  isOfMachine?: true
  hasOneFormat?: true
  run(call: Call, path: string): Promise<void>
}

const limitOption: OptionRow = ['-n, --limit <count>', 'how many rows at most']
export const planOptions: readonly OptionRow[] = [
  ['--dry-run', 'print the plan without doing it; save it with --json and run it with alliance apply'],
]
const askOptions: readonly OptionRow[] = [...planOptions, ['-y, --yes', 'don’t ask for confirmation']]

export const withPlanOptions = ({ options = [], asks }: Pick<CommandRow, 'options' | 'asks'>) =>
  options.concat(asks ? askOptions : planOptions)

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

export const actRow = ({ act, ...row }: ActRow): CommandRow => ({
  ...row,
  kind: 'act',
  async run(call) {
    const { io, options } = call
    const work = await act(call)
    const done = await withClient(
      withoutSignal(io),
      options,
      (client) => finishOnce(io, () => work(client)),
      opening(row),
    )
    await printDone(call, done)
  },
})

/** Null if only the plan was wanted. */
export async function doPlanned<Facts>(
  { call, path, row }: { call: Call; path: string; row: Pick<CommandRow, 'asks'> },
  planned: Planned<Facts>,
  work: (facts: Facts) => Promise<Done>,
): Promise<Done | null> {
  if (!(await mayBegin({ call, path, asks: row.asks === true }, planned))) return null
  return finishOnce(call.io, () => work(planned.facts))
}

const opening = ({ mayCreate }: Described) => (mayCreate ? { mayCreate } : {})
type Asking = { call: Pick<Call, 'io' | 'options'>; path: string; asks: boolean }

/** False if only the plan was wanted. The code for plans loads only then. */
export async function mayBegin({ call, path, asks }: Asking, planned: Planned<unknown>): Promise<boolean> {
  const { io, options } = call
  if (options.dryRun) {
    const output = (await import('./plan.ts')).planOutput(io, { options, path, planned })
    await printShown(call, { ...output, notes: [...(output.notes ?? []), 'Dry run: nothing was changed.'] })
    return false
  }
  if (io.plan !== undefined) (await import('./plan.ts')).assertSameWorld(io.plan, { path, facts: planned.facts })
  const question = asks ? planned.question : null
  // A plan can't answer for its owner; `apply --yes` does.
  const isAnswered = options.yes === true && io.plan === undefined
  if (question !== null) await (await import('./prompt.ts')).confirm(io, question, isAnswered)
  return true
}

/** Hides Ctrl-C from a change's requests: if one were cut off, we couldn't tell whether it happened. */
export const withoutSignal = (io: Io): Io => Object.create(io, { signal: { value: new AbortController().signal } })

/** Once a change has begun, Ctrl-C waits for it to finish. */
export function finishOnce<Result>(io: Io, work: () => Promise<Result>): Promise<Result> {
  if (io.signal.aborted) throw new CliError(exitCodes.cancelled)
  const result = work()
  io.underway?.(result)
  return result
}

export async function printDone(call: Call, done: Done): Promise<void> {
  const { io, options } = call
  if (!('sentence' in done)) return printShown(call, done)
  await (isForScript(options) ? printRecord(io, options, done.record) : note(io, options, done.sentence))
  for (const sentence of done.notes ?? []) await note(io, options, sentence)
}

export const registersRows =
  (rows: readonly CommandRow[]) =>
  (noun: Command, io: Io): void =>
    registerRows(noun, io, rows)

export function registerRows(noun: Command, io: Io, rows: readonly CommandRow[]): void {
  const path = pathOf(noun)
  for (const row of rows) {
    const { name, given } = partsOf(row.usage)
    const command = name === '' ? noun : noun.command(row.usage)
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
  const shown = rows.slice(0, 3)
  if (rows.every(({ usage }) => partsOf(usage).name !== ''))
    noun.addHelpText('after', examples(...shown.map((row) => `${path} ${row.examples[0]}`)))
}

export function partsOf(usage: string): { name: string; given: string } {
  const [, name = '', given = ''] = /^([a-z][\w-]*)?\s*(.*)$/.exec(usage) ?? []
  return { name, given }
}

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
