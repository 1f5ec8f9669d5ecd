import { announcementRows } from '#cli/commands/announcements.ts'
import { applicationRows } from '#cli/commands/applications.ts'
import { backupRows } from '#cli/commands/backup/backup.ts'
import { bookingRows } from '#cli/commands/bookings.ts'
import { callRows } from '#cli/commands/calendar/calendar.ts'
import { churnRows } from '#cli/commands/churn.ts'
import { commissionGroups } from '#cli/commands/commission/commission.ts'
import { rateRows } from '#cli/commands/commission/rates.ts'
import { contactRows } from '#cli/commands/contacts.ts'
import { contentRows } from '#cli/commands/content/content.ts'
import { eventRows } from '#cli/commands/events.ts'
import { exportRows } from '#cli/commands/export.ts'
import { invoiceGroups } from '#cli/commands/invoices/invoices.ts'
import { jobRows } from '#cli/commands/jobs.ts'
import { mailRows } from '#cli/commands/mail/mail.ts'
import { mediaRows } from '#cli/commands/media.ts'
import { memberGroups } from '#cli/commands/members/members.ts'
import { migrateRows } from '#cli/commands/migrate.ts'
import { mrrRows } from '#cli/commands/mrr/mrr.ts'
import { orderRows } from '#cli/commands/orders.ts'
import { ownerRows } from '#cli/commands/owners.ts'
import { paymentRows } from '#cli/commands/payments.ts'
import { payoutRows } from '#cli/commands/payouts.ts'
import { postRows } from '#cli/commands/posts/posts.ts'
import { quotientRows } from '#cli/commands/quotient.ts'
import { reactivationRows } from '#cli/commands/reactivation.ts'
import { sessionRows } from '#cli/commands/sessions.ts'
import { settingRows } from '#cli/commands/settings.ts'
import { subscriptionRows } from '#cli/commands/subscriptions.ts'
import { syncRows } from '#cli/commands/sync.ts'
import { tierRows } from '#cli/commands/tiers/tiers.ts'
import { tokenRows } from '#cli/commands/tokens.ts'
import { vatRows } from '#cli/commands/vat.ts'
import { videoRows } from '#cli/commands/videos.ts'
import { type CommandRow, partsOf, type RowGroup } from '#cli/rows.ts'

/** `name` is empty where the noun itself is the command. */
export type TableEntry = { noun: string; name: string; arguments: string[]; row: CommandRow }

const rowsOf = async (groups: readonly RowGroup[]) => (await Promise.all(groups.map(({ load }) => load()))).flat()

/** Every command that is a row, with the names of the arguments that it needs. */
export async function readCommandTable(): Promise<TableEntry[]> {
  const nouns: [string, readonly CommandRow[]][] = [
    ['members', await rowsOf(memberGroups)],
    ['invoices', await rowsOf(invoiceGroups)],
    ['commission', await rowsOf(commissionGroups)],
    ['commission rates', rateRows],
    ['applications', applicationRows],
    ['backup', backupRows],
    ['bookings', bookingRows],
    ['calls', callRows],
    ['churn', churnRows],
    ['contacts', contactRows],
    ['events', eventRows],
    ['content', contentRows],
    ['export', exportRows],
    ['jobs', jobRows],
    ['mail', mailRows],
    ['media', mediaRows],
    ['migrate', migrateRows],
    ['mrr', mrrRows],
    ['orders', orderRows],
    ['owners', ownerRows],
    ['payments', paymentRows],
    ['payouts', payoutRows],
    ['quotient', quotientRows],
    ['reactivation', reactivationRows],
    ['sessions', sessionRows],
    ['settings', settingRows],
    ['subscriptions', subscriptionRows],
    ['sync', syncRows],
    ['tokens', tokenRows],
    ['vat', vatRows],
    ['videos', videoRows],
    ['posts', postRows],
    ['announcements', announcementRows],
    ['tiers', tierRows],
  ]
  return nouns.flatMap(([noun, rows]) =>
    rows.map((row) => {
      const { name, given } = partsOf(row.usage)
      const needed = given.split(' ').filter((one) => one.startsWith('<'))
      return { noun, name, arguments: needed.map((one) => one.slice(1, -1)), row }
    }),
  )
}
