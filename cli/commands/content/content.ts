import type { Command } from 'commander'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { registerRows } from '#cli/rows.ts'
import { checkContent } from './check.ts'
import { exportContent, importRow } from './transfer.ts'

export const contentRows = [importRow]

export function registerContent(content: Command, io: Io): void {
  content
    .command('check')
    .description('List samples left in the content, prices no tier has, and edits that don’t fit')
    .option('--live', 'fail if there are samples left, so the site isn’t ready to go live')
    .addHelpText('after', examples('content check', 'content check --live'))
    .action((_own, command: Command) => checkContent(io, command.optsWithGlobals()))
  content
    .command('export <file>')
    .description('Export content, settings, tiers, videos, posts, episodes, call hours and their files')
    .addHelpText('after', examples('content export site.json'))
    .action((file: string, _own, command: Command) => exportContent(io, command.optsWithGlobals(), file))
  registerRows(content, io, contentRows)
}
