import type { Command } from 'commander'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { registerRows } from '#cli/rows.ts'
import { checkContent } from './check.ts'
import { listChanges, resetRow } from './diff.ts'
import { editContent } from './edit.ts'
import { exportContent, importRow, withoutOption } from './transfer.ts'

/** Overwriting or resetting words goes through a plan. */
export const contentRows = [importRow, resetRow]

export function registerContent(content: Command, io: Io): void {
  registerTexts(content, io)
  content
    .command('export <file>')
    .description('Export content, settings, tiers, videos, posts, episodes, call hours and their files')
    .option(...withoutOption)
    .addHelpText('after', examples('content export site.json', 'content export site.json --without videos,posts'))
    .action((file: string, _own, command: Command) => exportContent(io, command.optsWithGlobals(), file))
  registerRows(content, io, contentRows)
}

function registerTexts(content: Command, io: Io): void {
  content
    .command('check')
    .description('List samples left in the content, prices no tier has, and edits that don’t fit')
    .option('--live', 'fail if there are samples left, so the site isn’t ready to go live')
    .addHelpText('after', examples('content check', 'content check --live'))
    .action((_own, command: Command) => checkContent(io, command.optsWithGlobals()))
  content
    .command('edit <page> [entry]')
    .description('Edit a page, or one entry of it, in your editor (VISUAL, EDITOR)')
    .option('--from <file>', 'take them from a file instead; - is standard input')
    .option('-y, --yes', 'don’t ask for confirmation')
    .addHelpText('after', examples('content edit about', 'content edit home hero', 'content edit site brand.name'))
    .action((page: string, entry: string | undefined, _own, command: Command) =>
      editContent(io, command.optsWithGlobals(), { page, entry }),
    )
  content
    .command('diff [page]')
    .description('List what’s been changed, next to the file’s own text')
    .addHelpText('after', examples('content diff', 'content diff about'))
    .action((page: string | undefined, _own, command: Command) => listChanges(io, command.optsWithGlobals(), page))
}
