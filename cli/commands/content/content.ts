import type { Command } from 'commander'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { siteCopyParts } from '#shared/contract/site-copy.ts'
import { checkContent } from './check.ts'
import { listChanges, resetContent } from './diff.ts'
import { editContent } from './edit.ts'
import { exportContent, importContent } from './transfer.ts'

export function registerContent(content: Command, io: Io): void {
  content.addHelpText('after', examples('content check', 'content edit home hero', 'content export site.json'))
  registerWords(content, io)
  content
    .command('export <file>')
    .description(
      'Write words, settings, tiers, videos, posts, episodes, the hours for calls and the files they name into a copy',
    )
    .option('--without <parts>', `leave out some: ${siteCopyParts.join(', ')}`)
    .addHelpText('after', examples('content export site.json', 'content export site.json --without videos,posts'))
    .action((file: string, _own, command: Command) => exportContent(io, command.optsWithGlobals(), file))
  content
    .command('import <file>')
    .description('Put the words, settings, tiers, videos, posts, episodes and hours of an exported file into this site')
    .option('--without <parts>', `leave out some: ${siteCopyParts.join(', ')}`)
    .option('--dry-run', 'show what the file holds, without changing anything')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('content import site.json --dry-run', 'content import site.json'))
    .action((file: string, _own, command: Command) => importContent(io, command.optsWithGlobals(), file))
}

function registerWords(content: Command, io: Io): void {
  content
    .command('check')
    .description('List what is not yet yours in the content, prices that no tier has, and words that do not fit')
    .addHelpText('after', examples('content check'))
    .action((_own, command: Command) => checkContent(io, command.optsWithGlobals()))
  content
    .command('edit <page> [entry]')
    .description('Change the words of a page, or of one entry of it, in your editor (VISUAL, EDITOR)')
    .option('--from <file>', 'take them from a file instead; - is standard input')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('content edit about', 'content edit home hero', 'content edit site brand.name'))
    .action((page: string, entry: string | undefined, _own, command: Command) =>
      editContent(io, command.optsWithGlobals(), { page, entry }),
    )
  content
    .command('diff [page]')
    .description('List what was changed, beside what the files hold')
    .addHelpText('after', examples('content diff', 'content diff about'))
    .action((page: string | undefined, _own, command: Command) => listChanges(io, command.optsWithGlobals(), page))
  content
    .command('reset <page> [entry]')
    .description('Bring back the words that came with the program, of a page or of one entry')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('content reset about', 'content reset home hero.promises'))
    .action((page: string, entry: string | undefined, _own, command: Command) =>
      resetContent(io, command.optsWithGlobals(), { page, entry }),
    )
}
