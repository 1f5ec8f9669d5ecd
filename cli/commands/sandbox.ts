import type { Command } from 'commander'
import type { Io } from '../io.ts'

export function registerSandbox(program: Command, io: Io): void {
  program
    .command('sandbox')
    .description('The payment sandbox, where there is no real provider')
    .command('advance <time>')
    .description('Move its billing clock forward, such as 31d, 12h or 90m: renewals and retries follow')
    .action(async (by: string, _own, command: Command) => {
      const { advanceSandbox } = await import('../actions/sandbox.ts')
      await advanceSandbox(io, command.optsWithGlobals(), by)
    })
}
