import { Command } from 'commander'
import { applicationRows } from '#cli/commands/applications.ts'
import { backupRows } from '#cli/commands/backup/backup.ts'
import { bookingRows } from '#cli/commands/bookings.ts'
import { callRows } from '#cli/commands/calls.ts'
import { commissionRows } from '#cli/commands/commission/commission.ts'
import { rateRows } from '#cli/commands/commission/rates.ts'
import { commitmentRows } from '#cli/commands/commitments.ts'
import { contactRows } from '#cli/commands/contacts.ts'
import { contentRows } from '#cli/commands/content/content.ts'
import { copyRows } from '#cli/commands/copies.ts'
import { earnedRows } from '#cli/commands/earned.ts'
import { eventRows } from '#cli/commands/events.ts'
import { exportRows } from '#cli/commands/export.ts'
import { importRows } from '#cli/commands/import/import.ts'
import { invoiceRows } from '#cli/commands/invoices/invoices.ts'
import { jobRows } from '#cli/commands/jobs.ts'
import { mailRows } from '#cli/commands/mail/mail.ts'
import { mailingRows } from '#cli/commands/mailings.ts'
import { mediaRows } from '#cli/commands/media.ts'
import { memberRows } from '#cli/commands/members/members.ts'
import { migrateRows } from '#cli/commands/migrate.ts'
import { mrrRows } from '#cli/commands/mrr/mrr.ts'
import { orderRows } from '#cli/commands/orders.ts'
import { ownerRows } from '#cli/commands/owners.ts'
import { paymentRows } from '#cli/commands/payments.ts'
import { payoutRows } from '#cli/commands/payouts.ts'
import { questionRows } from '#cli/commands/questions.ts'
import { restoreRows, takeoverRows } from '#cli/commands/restore.ts'
import { sandboxRows } from '#cli/commands/sandbox.ts'
import { sessionRows } from '#cli/commands/sessions.ts'
import { settingRows } from '#cli/commands/settings.ts'
import { subscriptionRows } from '#cli/commands/subscriptions.ts'
import { tierPriceRows } from '#cli/commands/tiers/prices.ts'
import { tierRows } from '#cli/commands/tiers/tiers.ts'
import { tokenRows } from '#cli/commands/tokens.ts'
import { rollbackRows, updateRows } from '#cli/commands/update.ts'
import { vatRows } from '#cli/commands/vat.ts'
import { commands } from '#cli/commands.ts'
import type { Io } from '#cli/io.ts'
import { type CommandRow, partsOf } from '#cli/rows.ts'

/** `name` is empty if the noun itself is the command. */
export type TableEntry = { noun: string; name: string; arguments: string[]; row: CommandRow }

export function readCommandTable(): TableEntry[] {
  const nouns: [string, readonly CommandRow[]][] = [
    ['members', memberRows],
    ['invoices', invoiceRows],
    ['commission', commissionRows],
    ['commission rates', rateRows],
    ['applications', applicationRows],
    ['backup', backupRows],
    ['bookings', bookingRows],
    ['calls', callRows],
    ['commitments', commitmentRows],
    ['contacts', contactRows],
    ['earned', earnedRows],
    ['questions', questionRows],
    ['events', eventRows],
    ['content', contentRows],
    ['export', exportRows],
    ['import', importRows],
    ['jobs', jobRows],
    ['mail', mailRows],
    ['mailings', mailingRows],
    ['media', mediaRows],
    ['migrate', migrateRows],
    ['copies', copyRows],
    ['restore', restoreRows],
    ['takeover', takeoverRows],
    ['update', updateRows],
    ['rollback', rollbackRows],
    ['mrr', mrrRows],
    ['orders', orderRows],
    ['owners', ownerRows],
    ['payments', paymentRows],
    ['payouts', payoutRows],
    ['sandbox', sandboxRows],
    ['sessions', sessionRows],
    ['settings', settingRows],
    ['subscriptions', subscriptionRows],
    ['tokens', tokenRows],
    ['vat', vatRows],
    ['tiers', tierRows],
    ['tiers price', tierPriceRows],
  ]
  return nouns.flatMap(([noun, rows]) =>
    rows.map((row) => {
      const { name, given } = partsOf(row.usage)
      const needed = given.split(' ').filter((one) => one.startsWith('<'))
      return { noun, name, arguments: needed.map((one) => one.slice(1, -1)), row }
    }),
  )
}

type OwnCommand = {
  path: string
  /** A call that changes nothing. */
  line: string
  /**
   * `machine`: only this machine's files (no `--api`). `both`: the same bytes over HTTP. `terminal`: about this terminal itself.
   */
  where: 'machine' | 'both' | 'terminal'
  codes: readonly number[]
}

/**
 * Commands that aren't a list, a reading or a change: they check the machine, talk to a person, or are about the terminal itself.
 */
export const ownCommands: readonly OwnCommand[] = [
  { path: 'report', line: 'report daily --always', where: 'both', codes: [0] },
  { path: 'doctor', line: 'doctor', where: 'machine', codes: [0, 1] },
  { path: 'setup', line: 'setup', where: 'machine', codes: [2] },
  { path: 'api', line: 'api /api/admin/members/counts', where: 'both', codes: [0, 2] },
  { path: 'apply', line: 'apply no-such-plan.json', where: 'terminal', codes: [2] },
  { path: 'content check', line: 'content check', where: 'both', codes: [0, 1] },
  { path: 'content export', line: 'content export', where: 'both', codes: [2] },
  { path: 'desk', line: 'desk', where: 'both', codes: [0] },
  { path: 'completion', line: 'completion bash', where: 'terminal', codes: [0] },
  { path: 'login', line: 'login', where: 'terminal', codes: [2] },
  { path: 'logout', line: 'logout', where: 'terminal', codes: [2] },
]

/**
 * The changes that need no plan, by reason. Anything that takes money or deletes has one, and so has anything that sends more email
 * than a reply. A new change without a plan fails until it's listed here.
 */
export const unplanned: Readonly<Record<string, readonly string[]>> = {
  'it writes beside what is there, or what can be set back': [
    ...['members add', 'members uninvite', 'settings set', 'media add', 'media move', 'restore try'],
    ...['owners link', 'owners uninvite', 'tokens create'],
  ],
  'it copies into a file': ['members export', 'backup create', 'backup fetch', 'export accountant', 'export all'],
  'the server does the same by itself, within the hour or the night, and what is known already changes nothing': [
    'jobs run',
    'subscriptions sync',
    'subscriptions reconcile',
    'events replay',
  ],
  'a mail server runs it, and no one is there to read a plan': ['mail bounce'],
}

/** The same for commands that aren't rows; `doctor --fix` has a plan. */
export const unplannedOwn: Readonly<Record<string, readonly string[]>> = {
  'it changes nothing': ['report', 'content check', 'desk', 'completion'],
  'it copies into a file': ['content export'],
  'it asks for each answer, and keeps the file that was there': ['setup'],
  'it does a plan': ['apply'],
  'each call says itself what it does, and has --dry-run where it can': ['api'],
  'it is about this terminal': ['login', 'logout'],
}

export async function readParsedCommands(io: Io): Promise<string[]> {
  const program = new Command('alliance')
  for (const { name, load } of commands) await (await load())(program.command(name), io)
  return leavesOf(program)
}

const leavesOf = (command: Command): string[] =>
  command.commands.flatMap((below) =>
    below.commands.length === 0 ? [below.name()] : leavesOf(below).map((leaf) => `${below.name()} ${leaf}`),
  )
