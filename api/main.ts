import { sandboxPassword } from '#data/seed/people.ts'
import { seededPeople } from './features/sandbox/seed-service.ts'
import { assertSetUp } from './release.ts'
import { type Server, startServer } from './server.ts'
import { readSettings, StartupError } from './settings.ts'
import { contentOf } from './site/content.ts'

async function main(): Promise<void> {
  // Hides files made from now on from the machine's other users. Startup does the same for existing ones.
  process.umask(0o077)
  assertSetUp(process.env, '.env')
  const settings = readSettings(process.env)
  const server = await startServer(settings, { onWait: () => void print('waiting for the server before\n') })
  if (settings.isSandbox) await printSandboxAccounts(server)
  stopOnSignal(server)
  await print(`ready http://localhost:${settings.port}\n`)
}

/**
 * What can't be written, because the disk is full or its reader gone, is lost, as a line of the log is: the site itself must
 * start.
 */
async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, text).catch(() => 0)
}

async function printSandboxAccounts({ ctx, seededPassword }: Server): Promise<void> {
  const { settings } = ctx
  const rows = seededPeople(ctx).map(({ email, role }) => `  ${email.padEnd(24)} ${role}`)
  const password = settings.isProduction ? (seededPassword ?? 'that the first start printed') : `${sandboxPassword}`
  return print(
    [
      contentOf(ctx).read().site.brand.name,
      'Payment sandbox: no money moves. Accounts, all with the password',
      `${password}:`,
      ...rows,
      `Try it out, step by step: ${settings.publicUrl}/sandbox`,
      `Emails: ${settings.publicUrl}/sandbox/mail    Card that pays: 4242 4242 4242 4242`,
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
  process.stderr.write(`Alliance didn’t start. ${line}\n`)
  process.exit(1)
}
