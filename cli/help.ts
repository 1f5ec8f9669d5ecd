import { type Command, Help, type HelpConfiguration, type Option } from 'commander'

/** Lines to copy, for `addHelpText('after', …)`. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  alliance ${line}`).join('\n')}`

const formats = ['json', 'csv', 'jq']

export function helpWithoutFormats(command: Command): void {
  const shared = (one: Command): Option[] => (one.parent === null ? [...one.options] : shared(one.parent))
  const visibleGlobalOptions = (one: Command) =>
    shared(one).filter((option) => !formats.includes(option.attributeName()))
  command.configureHelp({ ...command.configureHelp(), visibleGlobalOptions })
}

const widestTerm = (width: number) => Math.min(30, Math.floor(width * 0.4))

/** A term that’s wider than its column stands on a line of its own, above what it means. */
export const helpInColumns: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  padWidth: (command, helper) =>
    Math.min(Help.prototype.padWidth.call(helper, command, helper), widestTerm(helper.helpWidth ?? 80)),
  formatItem(term, width, description, helper) {
    const format = (first: string) => Help.prototype.formatItem.call(helper, first, width, description, helper)
    return description === '' || helper.displayWidth(term) <= width ? format(term) : `  ${term}\n${format('')}`
  },
}

/** Folds what’s wider between words: a terminal would cut words in two. A command goes on as a shell reads it. */
export const foldHelp = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (Bun.stringWidth(line) <= width ? line : foldLine(line, width)))
    .join('\n')

function foldLine(line: string, width: number): string {
  const isExample = line.startsWith('  alliance ')
  const indent = isExample ? 6 : line.startsWith('Usage: ') ? 7 : line.length - line.trimStart().length
  const end = isExample ? ' \\' : ''
  const lines: string[] = []
  // In a command, what’s between quotes stays together.
  const words = isExample ? /(?:"[^"]*"|'[^']*'|\S)+/g : /\S+/g
  for (const word of line.match(words) ?? []) {
    const [last] = lines.slice(-1)
    const first = ' '.repeat(line.length - line.trimStart().length) + word
    if (last === undefined) lines.push(first)
    else if (Bun.stringWidth(`${last} ${word}${end}`) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines.join(`${end}\n`)
}
