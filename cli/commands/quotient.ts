import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerQuotient(program: Command, io: Io): void {
  const quotient = program.command('quotient').description('The quoting set-up')
  quotient
    .command('orders')
    .description('Orders, the newest first, with what was paid; --csv and --json hold all that was typed')
    .option('-n, --limit <count>', 'at most that many')
    .action(async (_own, command: Command) => {
      const { listOrders } = await import('#cli/actions/quotient.ts')
      await listOrders(io, command.optsWithGlobals())
    })
}
