import { peopleSeeds, sandboxPassword } from '#data/seed/people.ts'
import { type Server, startServer } from './server.ts'
import { readSettings, type Settings, StartupError } from './settings.ts'

/** Starts the server, prints its address, and stops it in order at a signal. */
async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const server = await startServer(settings)
  if (settings.isSandbox) printSandboxAccounts(settings)
  stopOnSignal(server)
  process.stdout.write(`ready http://localhost:${settings.port}\n`)
}

function printSandboxAccounts(settings: Settings): void {
  const rows = peopleSeeds.map(({ email, role }) => `  ${email.padEnd(24)} ${role}`)
  process.stdout.write(
    [
      'Payment sandbox: no money moves. Accounts, all with the password',
      `${sandboxPassword}:`,
      ...rows,
      `Mail: ${settings.publicUrl}/sandbox/mail    Card that pays: 4242 4242 4242 4242`,
      '',
    ].join('\n'),
  )
}

function stopOnSignal(server: Server): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await server.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  await main()
} catch (error) {
  const line = error instanceof StartupError ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`Alliance did not start. ${line}\n`)
  process.exit(1)
}
