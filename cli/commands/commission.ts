import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerCommission(program: Command, io: Io): void {
  const commission = program.command('commission').description('What the sales partner has earned, and what was paid')
  commission
    .command('list')
    .description('Each member’s months: what was paid, the commission, and whether it is paid')
    .option('-m, --month <YYYY-MM>', 'only this month')
    .action(async (_own, command: Command) => {
      const { listCommission } = await import('#cli/actions/commission.ts')
      await listCommission(io, command.optsWithGlobals())
    })
  commission
    .command('statement <month>')
    .description('A month (YYYY-MM) of the account: opening, every line, closing')
    .action(async (month: string, _own, command: Command) => {
      const { showStatement } = await import('#cli/actions/commission.ts')
      await showStatement(io, command.optsWithGlobals(), month)
    })
  for (const commissionPaid of [true, false]) {
    commission
      .command(`${commissionPaid ? 'pay' : 'unpay'} <id-or-email>`)
      .description(commissionPaid ? 'Mark what is due of a month as paid' : 'Take back that a month was paid')
      .option('-m, --month <YYYY-MM>', 'instead of the running month')
      .action(async (idOrEmail: string, _own, command: Command) => {
        const { setCommissionPaid } = await import('#cli/actions/commission.ts')
        await setCommissionPaid(io, command.optsWithGlobals(), { idOrEmail: idOrEmail.trim(), commissionPaid })
      })
  }
  registerRates(commission, io)
}

function registerRates(commission: Command, io: Io): void {
  const rates = commission
    .command('rates')
    .description('The rate of each tier in per cent, and from when')
    .action(async (_own, command: Command) => {
      const { listRates } = await import('#cli/actions/commission.ts')
      await listRates(io, command.optsWithGlobals())
    })
  rates
    .command('set <tier> <rate>')
    .description('Another rate from a day on; what is written stays as it is')
    .option('--from <YYYY-MM-DD>', 'instead of today')
    .action(async (tier: string, rate: string, _own, command: Command) => {
      const { setRate } = await import('#cli/actions/commission.ts')
      await setRate(io, command.optsWithGlobals(), [tier, rate])
    })
}
