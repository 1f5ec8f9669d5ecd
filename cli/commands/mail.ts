import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerMail(program: Command, io: Io): void {
  const mail = program.command('mail').description('What was mailed, and what became of it')
  mail
    .command('list')
    .description('The newest first, with status and the mail server’s last words')
    .option('-n, --limit <count>', 'at most that many')
    .option('-s, --status <status>', 'only these: waiting, sending, sent, refused or failed')
    .option('-t, --to <address>', 'only mail to this address')
    .action(async (_own, command: Command) => {
      const { listMail } = await import('#cli/actions/mail.ts')
      await listMail(io, command.optsWithGlobals())
    })
  mail
    .command('show <id>')
    .description('One mail: address, subject, attempts and times; never what it says')
    .action(async (id: string, _own, command: Command) => {
      const { showMail } = await import('#cli/actions/mail.ts')
      await showMail(io, command.optsWithGlobals(), id.trim())
    })
  mail
    .command('resend <id>')
    .description('Send one again that was refused or given up')
    .action(async (id: string, _own, command: Command) => {
      const { resendMail } = await import('#cli/actions/mail.ts')
      await resendMail(io, command.optsWithGlobals(), id.trim())
    })
}
