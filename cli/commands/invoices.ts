import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerInvoices(program: Command, io: Io): void {
  const invoices = program.command('invoices').description('Our VAT invoices and credit notes')
  invoices
    .command('list')
    .description('The newest first, with what credit notes took back')
    .option('-n, --limit <count>', 'at most that many')
    .option('-m, --member <id-or-email>', 'only of this person')
    .option('--month <YYYY-MM>', 'only with a tax point in this month')
    .action(async (_own, command: Command) => {
      const { listInvoices } = await import('#cli/actions/invoices.ts')
      await listInvoices(io, command.optsWithGlobals())
    })
  invoices
    .command('fix')
    .description('Read the payment provider afresh and issue what is missing or lacks an address')
    .option('-m, --member <id-or-email>', 'only of this person')
    .option('--dry-run', 'only tell what would be issued')
    .action(async (_own, command: Command) => {
      const { fixInvoices } = await import('#cli/actions/invoices.ts')
      await fixInvoices(io, command.optsWithGlobals())
    })
  invoices
    .command('delete <id-or-email>')
    .description('Drafts at the provider, and retroactive invoices by a credit note; final ones stay')
    .option('--dry-run', 'only tell what would go')
    .option('-y, --yes', 'without asking')
    .action(async (idOrEmail: string, _own, command: Command) => {
      const { deleteInvoices } = await import('#cli/actions/invoices.ts')
      await deleteInvoices(io, command.optsWithGlobals(), idOrEmail.trim())
    })
  invoices
    .command('export')
    .description('Invoices and credit notes as CSV for the accountant')
    .option('--from <YYYY-MM-DD>', 'from this day on')
    .option('--to <YYYY-MM-DD>', 'up to this day')
    .action(async (_own, command: Command) => {
      const { exportInvoices } = await import('#cli/actions/invoices.ts')
      await exportInvoices(io, command.optsWithGlobals())
    })
}
