import { Argument, type Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerSandbox(program: Command, io: Io): void {
  const sandbox = program.command('sandbox').description('The payment sandbox, where there is no real provider')
  sandbox
    .command('advance <time>')
    .description('Move its billing clock forward, such as 31d, 12h or 90m: renewals and retries follow')
    .action(async (by: string, _own, command: Command) => {
      const { advanceSandbox } = await import('#cli/actions/sandbox.ts')
      await advanceSandbox(io, command.optsWithGlobals(), by)
    })
  sandbox
    .command('chaos')
    .addArgument(new Argument('[state]', 'without it, only tells').choices(['on', 'off']))
    .description('Deliver its webhooks twice, out of order and several at once')
    .action(async (state: 'on' | 'off' | undefined, _own, command: Command) => {
      const { changeChaos } = await import('#cli/actions/sandbox.ts')
      await changeChaos(io, command.optsWithGlobals(), state)
    })
}
