import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf, isTrue, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { mailOutbox, suppressedAddresses } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { findSenderStop } from '#api/mail/sender-refusals.ts'
import type { AdminMail, AdminMailQuery, MailStop, SuppressedAddress } from '#shared/contract/mail.ts'

const { id, to, cause, status, nextAttemptAt } = mailOutbox

/** Without text and full cause, because both can hold things only the addressee should see. */
const fields = {
  id,
  to,
  memberId: nullable(
    users.id,
    sql`coalesce(${mailOutbox.userId}, (select ${users.id} from ${users} where ${eq(users.email, to)}))`,
  ),
  subject: mailOutbox.subject,
  kind: sql`substr(${cause}, 1, instr(${cause} || ':', ':') - 1)`.mapWith(cause),
  status,
  attempts: mailOutbox.attempts,
  lastError: mailOutbox.lastError,
  createdAt: mailOutbox.createdAt,
  nextAttemptAt: nullable(nextAttemptAt, sql`iif(${inArray(status, ['waiting', 'sending'])}, ${nextAttemptAt}, null)`),
  sentAt: mailOutbox.sentAt,
  canResend: isTrue(sql`${inArray(status, ['refused', 'failed'])} and ${ne(mailOutbox.text, '')}`),
}

const listing: Listing<'queued' | 'to'> = {
  id,
  // Ids sort by time.
  sorts: { queued: id, to },
  defaultSort: '-queued',
  search: [to, mailOutbox.subject],
}

/** To the account, or to its address before it existed. */
const isForMember = ({ db }: Context, member: string) =>
  or(
    eq(mailOutbox.userId, member),
    inArray(to, db.select({ email: users.email }).from(users).where(eq(users.id, member))),
  )

export function listMail(ctx: Context, query: AdminMailQuery & { limit: number }): ListPage<AdminMail> {
  const isMeant = [
    query.status === undefined ? undefined : eq(status, query.status),
    query.to === undefined ? undefined : eq(to, query.to),
    query.member === undefined ? undefined : isForMember(ctx, query.member),
  ]
  return readPage(listing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(mailOutbox)
        .where(and(...isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (found) => countWhere(ctx, mailOutbox, and(...isMeant, ...found)),
  })
}

/** Why the newest attempted mail to a user was refused; null if it arrived. For a query of `users`. */
export const refusalOfNewestMail = sql`(
  select iif(${isOneOf(status, 'refused')}, ${mailOutbox.lastError}, null) from ${mailOutbox}
  where ${eq(to, users.email)} and ${isOneOf(status, 'sent', 'refused')} order by ${id} desc limit 1)`

export const findMail = (ctx: Context, mailId: string): AdminMail | null =>
  ctx.db.select(fields).from(mailOutbox).where(eq(id, mailId)).get() ?? null

export const findMailOfCause = (ctx: Context, mailCause: string): AdminMail | null =>
  ctx.db.select(fields).from(mailOutbox).where(eq(cause, mailCause)).get() ?? null

export function findMailByMessageId(ctx: Context, messageId: string): AdminMail | null {
  // It contains the mail's id, which is indexed.
  const mailId = /^<([^@<>]{1,36})@/.exec(messageId)?.[1]
  if (mailId === undefined) return null
  const isMeant = and(eq(id, mailId), eq(mailOutbox.messageId, messageId))
  return ctx.db.select(fields).from(mailOutbox).where(isMeant).get() ?? null
}

/** Null while the mail server takes our emails. */
export function readMailStop(ctx: Context): MailStop | null {
  const stop = findSenderStop(ctx)
  return stop && { ...stop, waiting: countWhere(ctx, mailOutbox, inArray(status, ['waiting', 'sending'])) }
}

const suppressedFields = {
  email: suppressedAddresses.address,
  reason: suppressedAddresses.reason,
  since: suppressedAddresses.since,
}

export const listSuppressed = ({ db }: Context): SuppressedAddress[] =>
  db
    .select(suppressedFields)
    .from(suppressedAddresses)
    .orderBy(desc(suppressedAddresses.since), suppressedAddresses.address)
    .all()

export const findSuppressed = preparedQuery<{ email: string }>()((db, { email }) =>
  db.select(suppressedFields).from(suppressedAddresses).where(eq(suppressedAddresses.address, email)),
)
