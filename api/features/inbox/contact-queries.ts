import { and, eq, getTableColumns, notExists, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { contacts, inboxNotes } from '#api/db/schema/forms.ts'
import { type ContactQuery, type ContactRecord, unanswered } from '#shared/contract/inbox-entries.ts'
import { type Limited, shownOf } from './queries.ts'

const { isSpam: _, ...fields } = getTableColumns(contacts)

const listing: Listing<'received' | 'name'> = {
  id: contacts.id,
  sorts: { received: contacts.createdAt, name: sql`fold(${contacts.name})` },
  defaultSort: '-received',
  search: [contacts.name, contacts.email, contacts.trade, contacts.message],
}

export function listContacts(ctx: Context, request: Limited<ContactQuery>): ListPage<ContactRecord> {
  const { show } = request
  const notes = and(eq(inboxNotes.aboutId, contacts.id), isOneOf(inboxNotes.about, 'contacts'))
  const isUnanswered = notExists(ctx.db.select({ id: inboxNotes.id }).from(inboxNotes).where(notes))
  const shown = show === unanswered ? and(shownOf(contacts, undefined), isUnanswered) : shownOf(contacts, show)
  return readPage<'received' | 'name', ContactRecord>(listing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(contacts)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countWhere(ctx, contacts, and(shown, ...where)),
  })
}
