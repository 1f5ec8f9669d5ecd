import type { Command } from 'commander'
import { Mrr } from '#shared/contract/admin.ts'
import { ask } from '../ask.ts'
import { type SharedOptions, withClient } from '../client.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { mrrReport } from '../reports/mrr.ts'

export function registerMrr(program: Command, io: Io): void {
  program
    .command('mrr')
    .description('Monthly recurring revenue, and the commission forecast by tier')
    .action(async (_own, command: Command) => {
      const options: SharedOptions = command.optsWithGlobals()
      const mrr = await withClient(io, options, (client) => ask(Mrr, client.api.admin.mrr.get()))
      await print(io, options, mrrReport(mrr))
    })
}
