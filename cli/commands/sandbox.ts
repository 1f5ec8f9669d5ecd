import type { Command } from 'commander'
import { SandboxAdvanceAnswer, SandboxAdvanceRequest } from '#shared/contract/admin.ts'
import { ask, typed } from '../ask.ts'
import { type SharedOptions, withClient } from '../client.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { clockReport } from '../reports/clock.ts'

export function registerSandbox(program: Command, io: Io): void {
  program
    .command('sandbox')
    .description('The payment sandbox, where there is no real provider')
    .command('advance <time>')
    .description('Move its billing clock forward, such as 31d, 12h or 90m: renewals and retries follow')
    .action(async (by: string, _own, command: Command) => {
      const options: SharedOptions = command.optsWithGlobals()
      const body = typed(SandboxAdvanceRequest, { by })
      const clock = await withClient(io, options, (client) =>
        ask(SandboxAdvanceAnswer, client.api.admin.sandbox.advance.post(body)),
      )
      await print(io, options, clockReport(clock))
    })
}
