import { applicationRows } from '#cli/commands/applications.ts'
import { bookingRows } from '#cli/commands/bookings.ts'
import { contactRows } from '#cli/commands/contacts.ts'
import { memberGroups } from '#cli/commands/members/members.ts'
import { orderRows } from '#cli/commands/orders.ts'
import { postRows } from '#cli/commands/posts.ts'
import { tierRows } from '#cli/commands/tier-move.ts'
import { videoRows } from '#cli/commands/videos.ts'
import type { CommandRow } from '#cli/rows.ts'

export type TableEntry = { noun: string; name: string; arguments: string[]; row: CommandRow }

/** Every command that is a row, with the names of the arguments that it needs. */
export async function readCommandTable(): Promise<TableEntry[]> {
  const members = (await Promise.all(memberGroups.map(({ load }) => load()))).flat()
  const nouns: [string, readonly CommandRow[]][] = [
    ['members', members],
    ['applications', applicationRows],
    ['bookings', bookingRows],
    ['contacts', contactRows],
    ['orders', orderRows],
    ['videos', videoRows],
    ['posts', postRows],
    ['tiers', tierRows],
  ]
  return nouns.flatMap(([noun, rows]) =>
    rows.map((row) => {
      const [name = '', ...given] = row.usage.split(' ')
      const needed = given.filter((one) => one.startsWith('<')).map((one) => one.slice(1, -1))
      return { noun, name, arguments: needed, row }
    }),
  )
}
