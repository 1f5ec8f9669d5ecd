import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerMrr(program: Command, io: Io): void {
  const mrr = program
    .command('mrr')
    .description('Monthly recurring revenue, and the commission forecast by tier')
    .action(async (_own, command: Command) => {
      const { showMrr } = await import('#cli/actions/mrr.ts')
      await showMrr(io, command.optsWithGlobals())
    })
  mrr
    .command('months')
    .description('What each month began with, gained, lost and ended with; ended months are frozen')
    .action(async (_own, command: Command) => {
      const { showRevenueMonths } = await import('#cli/actions/mrr.ts')
      await showRevenueMonths(io, command.optsWithGlobals())
    })
}
