import type { Command } from 'commander'
import type { Io } from '../io.ts'

export function registerMrr(program: Command, io: Io): void {
  program
    .command('mrr')
    .description('Monthly recurring revenue, and the commission forecast by tier')
    .action(async (_own, command: Command) => {
      const { showMrr } = await import('../actions/mrr.ts')
      await showMrr(io, command.optsWithGlobals())
    })
}
