import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerMembers(program: Command, io: Io): void {
  const members = program.command('members').description('People with an account')
  members
    .command('list')
    .description('Everybody, with tier, status and videos completed')
    .option('-n, --limit <count>', 'at most that many')
    .option('-e, --email <address>', 'only the person with this address')
    .action(async (_own, command: Command) => {
      const { listMembers } = await import('#cli/actions/members.ts')
      await listMembers(io, command.optsWithGlobals())
    })
  members
    .command('show <id-or-email>')
    .description('One person: tier, status, next billing date and ticks')
    .action(async (idOrEmail: string, _own, command: Command) => {
      const { showMember } = await import('#cli/actions/members.ts')
      await showMember(io, command.optsWithGlobals(), idOrEmail.trim())
    })
  members
    .command('refund <id-or-email>')
    .description('The 14-day guarantee: gives back all of a new membership and ends it')
    .option('-y, --yes', 'without asking')
    .action(async (idOrEmail: string, _own, command: Command) => {
      const { refundMember } = await import('#cli/actions/members.ts')
      await refundMember(io, command.optsWithGlobals(), idOrEmail.trim())
    })
  members
    .command('remove <id-or-email>')
    .description('For ever: ends the membership at once, without a refund, and deletes the account; the books stay')
    .option('--dry-run', 'only tell what would go and what would stay')
    .option('-y, --yes', 'without asking')
    .action(async (idOrEmail: string, _own, command: Command) => {
      const { removeMember } = await import('#cli/actions/members.ts')
      await removeMember(io, command.optsWithGlobals(), idOrEmail.trim())
    })
}
