import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerOwners(program: Command, io: Io): void {
  program
    .command('owners')
    .description('The two owners')
    .command('link <email>')
    .description('Make a one-time link with which an owner sets a password')
    .action(async (email: string, _own, command: Command) => {
      const { makeOwnerLink } = await import('#cli/actions/owners.ts')
      await makeOwnerLink(io, command.optsWithGlobals(), email)
    })
}
