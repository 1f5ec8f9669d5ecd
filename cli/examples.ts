import type { Command } from 'commander'

/** What stands at the end of a command's help, by its name; a group shows those of all its commands. */
const examples: Record<string, readonly string[]> = {
  'members list': ['members list', 'members list --email sam@example.com', 'members list --csv > members.csv'],
  'members show': ['members show sam@example.com'],
  'members refund': ['members refund sam@example.com'],
  'members remove': ['members remove sam@example.com --dry-run', 'members remove sam@example.com'],
  mrr: ['mrr', 'mrr --json --api https://example.com'],
  'mrr months': ['mrr months', 'mrr months --csv > months.csv'],
  'invoices list': ['invoices list --month 2026-06', 'invoices list --member sam@example.com'],
  'invoices fix': ['invoices fix --dry-run', 'invoices fix --member sam@example.com'],
  'invoices delete': ['invoices delete sam@example.com --dry-run', 'invoices delete sam@example.com'],
  'invoices export': ['invoices export --from 2026-04-01 --to 2026-06-30 > quarter.csv'],
  'commission list': ['commission list --month 2026-06'],
  'commission statement': ['commission statement 2026-06', 'commission statement 2026-06 --csv > june.csv'],
  'commission pay': ['commission pay sam@example.com --month 2026-06'],
  'commission unpay': ['commission unpay sam@example.com --month 2026-06'],
  'commission rates': ['commission rates'],
  'commission rates set': ['commission rates set xl 12 --from 2027-01-01'],
  'mail list': ['mail list --status refused', 'mail list --to sam@example.com'],
  'mail show': ['mail show 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'],
  'mail resend': ['mail resend 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'],
  'owners link': ['owners link olive@example.com'],
  'reactivation link': [
    'reactivation link sam@example.com',
    'reactivation link kim@example.com --name Kim --last-payment 2026-05-31',
  ],
  'quotient orders': ['quotient orders --csv > orders.csv'],
  'content check': ['content check'],
  'jobs list': ['jobs list'],
  'jobs run': ['jobs run month-end', 'jobs run reconcile --all'],
  sync: ['sync sam@example.com'],
  doctor: ['doctor', 'doctor --json'],
  'sandbox advance': ['sandbox advance 31d'],
  'sandbox chaos': ['sandbox chaos', 'sandbox chaos on'],
  login: ['login --api https://example.com'],
  logout: ['logout --api https://example.com'],
}

/** Ends the help of every command below `command` with its examples. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  for (const child of command.commands) {
    const name = [...path, child.name()]
    const lines = linesOf(name.join(' '))
    if (lines.length > 0) child.addHelpText('after', `\nSuch as:\n${lines.join('\n')}`)
    addExamples(child, name)
  }
}

const linesOf = (name: string): string[] =>
  Object.entries(examples)
    .filter(([key]) => key === name || key.startsWith(`${name} `))
    .flatMap(([, lines]) => lines.map((line) => `  alliance ${line}`))
