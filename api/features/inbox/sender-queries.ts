import { eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { users } from '#api/db/schema/people.ts'
import { notFound } from '#api/errors.ts'
import type { InboxParams } from '#shared/contract/inbox.ts'

export type Sender = { name: string; email: string }

const tables = {
  'membership-applications': membershipApplications,
  'coaching-applications': coachingApplications,
  'coaching-bookings': coachingBookings,
  contacts,
  'quotient-orders': quotientOrders,
  members: users,
}

/** Who sent what an owner writes about. */
export function senderOf(ctx: Context, { kind, id }: InboxParams): Sender {
  const table = tables[kind]
  const name = 'name' in table ? sql`${table.name}` : sql`concat_ws(' ', ${table.firstName}, ${table.lastName})`
  const sender = ctx.db
    .select({ name: name.mapWith(String), email: table.email })
    .from(table)
    .where(eq(table.id, id))
    .get()
  if (sender === undefined) throw notFound('This entry')
  return sender
}
