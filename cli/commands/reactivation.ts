import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerReactivation(program: Command, io: Io): void {
  program
    .command('reactivation')
    .description('Members who come back')
    .command('link <email>')
    .description('Make a signed link to delayed billing: the first payment comes 30 days after the last one')
    .option('--last-payment <day>', 'the day of the last payment, YYYY-MM-DD, where we know of none')
    .option('--name <name>', 'how the page greets them')
    .option('--days <count>', 'days until the link expires (14)')
    .action(async (email: string, _own, command: Command) => {
      const { makeReactivationLink } = await import('#cli/actions/reactivation.ts')
      await makeReactivationLink(io, command.optsWithGlobals(), email)
    })
}
