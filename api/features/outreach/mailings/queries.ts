import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  type SQL,
  sql,
} from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { displayName } from '#api/db/customers.ts'
import { isOneOf, jsonOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { mailingRecipients, mailings, mailingTiers } from '#api/db/schema/outreach.ts'
import { users } from '#api/db/schema/people.ts'
import type {
  Mailing,
  MailingQuery,
  MailingRecipient,
  MailingRecipientQuery,
  MailingReport,
  Segment,
} from '#shared/contract/mailing.ts'
import { TierSlug } from '#shared/contract/tier.ts'

const { segment: _segment, ...columns } = getTableColumns(mailings)

const tiers =
  sql`${sql`(select json_group_array(${mailingTiers.tierSlug}) from ${mailingTiers} where ${mailingTiers.mailingId} = ${mailings.id})`}`.mapWith(
    jsonOf(v.array(TierSlug)),
  )

/** With the tiers of its segment, which have their own table. */
const fields = { ...columns, narrowed: mailings.segment, tiers }

const withSegment = <Row extends { narrowed: Omit<Segment, 'tiers'>; tiers: TierSlug[] }>({
  narrowed,
  tiers: ofTiers,
  ...row
}: Row) => ({ ...row, segment: { tiers: ofTiers, ...narrowed } })

export type MailingRow = typeof mailings.$inferSelect & { segment: Segment }

/** Stores a segment's tiers. Its other entries are the row's. Call it in the caller's transaction. */
export function setMailingTiers({ db }: Context, mailingId: string, slugs: readonly TierSlug[]): void {
  db.delete(mailingTiers).where(eq(mailingTiers.mailingId, mailingId)).run()
  for (const tierSlug of new Set(slugs)) db.insert(mailingTiers).values({ mailingId, tierSlug }).run()
}

/** One mail per person and mailing, however often sending is interrupted. */
export const causeOf = (mailingId: string, userId: string) => `mailing:${mailingId}:${userId}`

const isMailOf = eq(
  mailOutbox.cause,
  sql`'mailing:' || ${mailingRecipients.mailingId} || ':' || ${mailingRecipients.userId}`,
)

/** What became of someone's mail. One removed from the outbox, because they or the owners stopped it, was never sent. */
const outcome = sql`case ${mailingRecipients.status}
  when 'waiting' then 'waiting' when 'left_out' then 'left-out' when 'stopped' then 'stopped'
  else case ${mailOutbox.status} when 'sent' then 'arrived' when 'refused' then 'refused' when 'failed' then 'failed'
    when 'waiting' then 'waiting' when 'sending' then 'waiting' else 'stopped' end end`.mapWith(
  String as (value: unknown) => MailingRecipient['status'],
)

function reportsOf(ctx: Context, rows: readonly MailingRow[]): Map<string, MailingReport> {
  const ids = rows.map(({ id }) => id)
  const counted = ctx.db
    .select({ mailingId: mailingRecipients.mailingId, outcome, people: count() })
    .from(mailingRecipients)
    .leftJoin(mailOutbox, isMailOf)
    .where(inArray(mailingRecipients.mailingId, ids))
    .groupBy(mailingRecipients.mailingId, outcome)
    .all()
  return new Map(
    rows.map(({ id, people }) => {
      const of = (wanted: MailingRecipient['status']) =>
        counted.find((row) => row.mailingId === id && row.outcome === wanted)?.people ?? 0
      const here = counted.reduce((sum, row) => (row.mailingId === id ? sum + row.people : sum), 0)
      const report = {
        waiting: of('waiting'),
        arrived: of('arrived'),
        refused: of('refused'),
        failed: of('failed'),
        leftOut: of('left-out'),
        stopped: of('stopped'),
        gone: people - here,
      }
      return [id, report]
    }),
  )
}

function toMailings(ctx: Context, rows: readonly MailingRow[]): Mailing[] {
  const reports = reportsOf(ctx, rows)
  return rows.map(({ people: _, createdAt: __, cause: ___, ...row }) => ({
    ...row,
    status: row.status === 'draft' && row.sendAt !== null ? 'scheduled' : row.status,
    report: row.status === 'draft' ? null : (reports.get(row.id) ?? null),
  }))
}

const listing: Listing<'changed' | 'subject'> = {
  id: mailings.id,
  sorts: { changed: mailings.updatedAt, subject: sql`fold(${mailings.subject})` },
  defaultSort: '-changed',
  search: [mailings.subject, mailings.text],
}

function isShown(wanted: Mailing['status']): SQL | undefined {
  if (wanted === 'scheduled') return isNotNull(mailings.sendAt)
  return and(eq(mailings.status, wanted), isNull(mailings.sendAt))
}

export function listMailings(ctx: Context, query: MailingQuery & { limit: number }): ListPage<Mailing> {
  const isMeant = query.show && isShown(query.show)
  const page = readPage<'changed' | 'subject', MailingRow>(listing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(mailings)
        .where(and(isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all()
        .map(withSegment),
    total: (found) => countWhere(ctx, mailings, and(isMeant, ...found)),
  })
  return { ...page, rows: toMailings(ctx, page.rows) }
}

export const mailingRow = (ctx: Context, id: string) => rowWhere(ctx, eq(mailings.id, id))

export const mailingOfCause = (ctx: Context, cause: string) => rowWhere(ctx, eq(mailings.cause, cause))

function rowWhere({ db }: Context, isMeant: SQL): MailingRow | undefined {
  const row = db.select(fields).from(mailings).where(isMeant).get()
  return row && withSegment(row)
}

export function findMailing(ctx: Context, id: string): Mailing | null {
  const row = mailingRow(ctx, id)
  return row === undefined ? null : (toMailings(ctx, [row])[0] ?? null)
}

const recipientListing: Listing<'name'> = {
  id: users.id,
  sorts: { name: sql`fold(${displayName})` },
  defaultSort: 'name',
  search: [displayName, users.email],
}

type Recipients = MailingRecipientQuery & { id: string; limit: number }

export function listRecipients(ctx: Context, { id, ...query }: Recipients): ListPage<MailingRecipient> {
  const isMeant = and(eq(mailingRecipients.mailingId, id), query.show && eq(outcome, query.show))
  const found = (where: SQL[]) => and(isMeant, ...where)
  return readPage(recipientListing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({
          id: users.id,
          name: displayName,
          email: users.email,
          status: outcome,
          position,
          why: nullable(mailOutbox.lastError, sql`coalesce(${mailingRecipients.reason}, ${mailOutbox.lastError})`),
          at: nullable(mailOutbox.sentAt, sql`coalesce(${mailOutbox.sentAt}, ${mailingRecipients.queuedAt})`),
        })
        .from(mailingRecipients)
        .innerJoin(users, eq(users.id, mailingRecipients.userId))
        .leftJoin(mailOutbox, isMailOf)
        .where(found(where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) =>
      ctx.db
        .select({ people: count() })
        .from(mailingRecipients)
        .innerJoin(users, eq(users.id, mailingRecipients.userId))
        .leftJoin(mailOutbox, isMailOf)
        .where(found(where))
        .get()?.people ?? 0,
  })
}

export const sendingMailings = preparedQuery()((db) =>
  db.select().from(mailings).where(isOneOf(mailings.status, 'sending')).orderBy(asc(mailings.startedAt)),
)

/** Scheduled for now or before, the first due first. */
export const dueMailings = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select({ id: mailings.id })
    .from(mailings)
    .where(and(isOneOf(mailings.status, 'draft'), lte(mailings.sendAt, now)))
    .orderBy(asc(mailings.sendAt)),
)

export const nextRecipients = preparedQuery<{ mailingId: string; limit: number }>()((db, { mailingId, limit }) =>
  db
    .select({ userId: mailingRecipients.userId })
    .from(mailingRecipients)
    .where(and(eq(mailingRecipients.mailingId, mailingId), isOneOf(mailingRecipients.status, 'waiting')))
    .orderBy(asc(mailingRecipients.userId))
    .limit(limit),
)

/** How many of a mailing's mails were queued since then, and how many are waiting in total. */
export const inOutbox = preparedQuery<{ mailingId: string; since: string }>()((db, { mailingId, since }) =>
  db
    .select({
      lately: sql`sum(${mailingRecipients.queuedAt} > ${since})`.mapWith(Number),
      waiting: sql`sum(${isOneOf(mailOutbox.status, 'waiting', 'sending')})`.mapWith(Number),
    })
    .from(mailingRecipients)
    .leftJoin(mailOutbox, isMailOf)
    .where(and(eq(mailingRecipients.mailingId, mailingId), isOneOf(mailingRecipients.status, 'queued'))),
)

/** Removes queued mails not tried yet. A semicolon is the character after a colon, so it ends the range. */
export const takeBackMails = ({ db }: Context, mailingId: string): number =>
  db
    .delete(mailOutbox)
    .where(
      and(
        gt(mailOutbox.cause, `mailing:${mailingId}:`),
        lt(mailOutbox.cause, `mailing:${mailingId};`),
        isOneOf(mailOutbox.status, 'waiting'),
        isNull(mailOutbox.sentAt),
      ),
    )
    .run().changes
