import { type Command, Help, type HelpConfiguration } from 'commander'
import { commandGroups } from './commands.ts'
import { helpInColumns } from './help.ts'

/** What most people need of the options; the help of each command has all of them. */
const firstOptions = ['--api', '--json', '--csv', '--jq']

/** The help of `alliance` itself: every noun by its group, on one screen of 24 lines. */
function firstPage(program: Command, helper: Help): string {
  const row = (term: string, text: string) => helper.formatItem(term, 16, text, helper)
  const options = program.options.filter(({ long }) => firstOptions.includes(long ?? ''))
  return `${[
    `Usage: ${helper.commandUsage(program)}`,
    '',
    ...commandGroups.map(({ heading, nouns }) => row(heading, nouns.map(({ name }) => name).join(', '))),
    '',
    row('alliance money', 'what each command of a group does'),
    row('alliance mrr -h', 'what a command can do, with examples'),
    '',
    ...options.map((option) => row(helper.optionTerm(option), option.description)),
    '',
    'Read more, in the site’s folder: docs/terminal.md',
  ].join('\n')}\n`
}

/** A group’s name prints what its nouns are for. It isn’t in the help’s list. */
export function registerGroupNames(program: Command): void {
  for (const { heading, page, nouns } of commandGroups) {
    const formatHelp = (_group: Command, helper: Help) =>
      `${[
        ...nouns.map(({ name, description }) => helper.formatItem(name, 14, description, helper)),
        '',
        `What one can do: alliance ${nouns[0]?.name} --help`,
        `Read more, in the site’s folder: ${page}`,
      ].join('\n')}\n`
    const group = program.command(heading.toLowerCase(), { hidden: true })
    group.configureHelp({ ...helpInColumns, formatHelp }).action(() => group.outputHelp())
  }
}

/** The first page for `alliance` itself, and the usual help for every command. */
export const helpOfAll: HelpConfiguration = {
  ...helpInColumns,
  formatHelp: (command, helper) =>
    command.parent === null ? firstPage(command, helper) : Help.prototype.formatHelp.call(helper, command, helper),
}
