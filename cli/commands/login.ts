import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerLogin(program: Command, io: Io): void {
  program
    .command('login')
    .description('Log in to a server, and keep the token for it')
    .option('-e, --email <address>', 'whose account; asked for on a terminal')
    .option('--password-stdin', 'read the password from standard input, for scripts')
    .action(async (_own, command: Command) => {
      const { login } = await import('#cli/actions/login.ts')
      await login(io, command.optsWithGlobals())
    })
  program
    .command('logout')
    .description('End the login at a server')
    .action(async (_own, command: Command) => {
      const { logout } = await import('#cli/actions/login.ts')
      await logout(io, command.optsWithGlobals())
    })
}
