import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerContent(program: Command, io: Io): void {
  program
    .command('content')
    .description('The words of the site')
    .command('check')
    .description('List the monthly prices in them that are no tier’s price')
    .action(async (_own, command: Command) => {
      const { checkContent } = await import('#cli/actions/content.ts')
      await checkContent(io, command.optsWithGlobals())
    })
}
