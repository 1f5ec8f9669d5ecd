import { and, asc, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { transact } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { mailOutbox, suppressedAddresses } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import { issueLink, passwordLinkUrl } from '#api/features/accounts/login/link-service.ts'
import { currentSubscription, customerOfUser, hasAccessAt } from '#api/identity/access-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { breathe } from '#api/jobs/turns.ts'
import { errorMessage } from '#api/log.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { welcomeLinkDays } from '#api/mail/retry.ts'
import { withOwnersTexts } from '#api/mail/templates/samples.ts'
import { movedInMail } from '#api/mail/templates/welcome.ts'
import { contentOf } from '#api/site/content.ts'
import type { ImportKindName, ImportLetters, ImportLettersRequest } from '#shared/contract/imports.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isOfPeople } from '#shared/rules/imports.ts'
import { ownImport } from './service.ts'
import { freeAccountOf } from './stripe-people-service.ts'

const hasArrived = or(isNotNull(users.lastSeenAt), isNotNull(users.passwordHash))

/** The mail server refused the letter, or the address is blocked. */
const hasBounced = sql`(exists (select 1 from ${mailOutbox} where ${mailOutbox.userId} = ${users.id}
  and ${mailOutbox.cause} like 'moved-in:%' and ${mailOutbox.status} in ('refused', 'failed'))
  or exists (select 1 from ${suppressedAddresses} where ${suppressedAddresses.address} = ${users.email}))`

/** A second letter, once: a week after the first, when its link has run out. */
const isDue = (ctx: Context): SQL | undefined =>
  and(
    eq(importRows.letters, 1),
    lte(importRows.lastLetterAt, new Date(ctx.now().getTime() - welcomeLinkDays * dayMs).toISOString()),
    sql`not (${hasArrived})`,
    sql`not ${hasBounced}`,
  )

const isUnwritten = and(eq(importRows.letters, 0), sql`not (${hasArrived})`, sql`not ${hasBounced}`)

const ofImport = (importId: string) =>
  and(eq(importRows.importId, importId), eq(importRows.outcome, 'new'), isNull(importRows.undoneAt))

/**
 * The person a row made. A row from Stripe made a membership, and an account only for someone who had none: the others know their
 * way in.
 */
function personOf(kind: ImportKindName): SQL | undefined {
  if (kind === 'members') return eq(users.id, importRows.madeId)
  const payer = sql`(select ${customers.userId} from ${subscriptions} as "taken"
    join ${customers} on ${customers.id} = "taken"."customerId" where "taken"."id" = ${importRows.madeId})`
  const madeByIt = sql`exists (select 1 from ${auditEntries} where ${auditEntries.targetId} = ${users.id}
    and ${auditEntries.action} = 'member.added' and ${auditEntries.detail} ->> '$.import' = ${importRows.importId})`
  return and(sql`${users.id} = coalesce(${payer}, ${freeAccountOf(importRows.madeId)})`, madeByIt)
}

export function readLetters(ctx: Context, id: string): ImportLetters {
  const { kind } = importOfPeople(ctx, id)
  const sumOf = (condition: SQL | undefined) => sql`coalesce(sum(${condition}), 0)`.mapWith(Number)
  const counted = ctx.db
    .select({
      people: sql`count(*)`.mapWith(Number),
      unwritten: sumOf(isUnwritten),
      written: sumOf(sql`${importRows.letters} > 0`),
      bounced: sumOf(hasBounced),
      arrived: sumOf(hasArrived),
      due: sumOf(isDue(ctx)),
      withoutAccess: sumOf(and(or(isUnwritten, isDue(ctx)), sql`not (${hasAccessAt(ctx.billingNow())})`)),
    })
    .from(importRows)
    .innerJoin(users, personOf(kind))
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(ofImport(id))
    .get()
  const { subject, heading, blocks } = letterOf(ctx, { email: 'danny@example.com', firstName: 'Danny' }, '…')
  const lines = blocks.map((block) =>
    block.kind === 'text' ? block.text : block.kind === 'button' ? `[ ${block.label} ]` : '',
  )
  const none = { people: 0, unwritten: 0, written: 0, bounced: 0, arrived: 0, due: 0, withoutAccess: 0 }
  return { ...(counted ?? none), subject, text: [heading, ...lines].filter(Boolean).join('\n\n') }
}

/** In one transaction, of a few milliseconds. Turns wouldn't say how many were written before one failed. */
const lettersAtOnce = 10

/**
 * Nothing is mailed until an owner asks, and then to the next few only. The log and the answer say how many were written, even if
 * the rest couldn't be: someone who sees an error would send to the next ones.
 */
export async function sendLetters(ctx: Context, owner: Owner, id: string, { count, isAgain }: ImportLettersRequest) {
  const { kind, fileName } = importOfPeople(ctx, id)
  const people = ctx.db
    .select({ line: importRows.line, id: users.id })
    .from(importRows)
    .innerJoin(users, personOf(kind))
    .where(and(ofImport(id), isAgain ? isDue(ctx) : isUnwritten))
    .orderBy(asc(importRows.line))
    .limit(count)
    .all()
  if (people.length > 1) assertOwnerProven(ctx, owner)
  let sent = 0
  try {
    for (let at = 0; at < people.length; at += lettersAtOnce) {
      await whenWritable(ctx)
      const next = people.slice(at, at + lettersAtOnce)
      sent += transact(ctx, () => next.filter((person) => writeTo(ctx, id, person, isAgain ? 2 : 1)).length)
      await breathe()
    }
  } catch (error) {
    if (sent === 0) throw error
    ctx.log.warn('letters not all written', { id, sent, reason: errorMessage(error) })
  }
  if (sent > 0) {
    // They're on their way by now, so it waits as long as a job would.
    await whenWritable(ctx, jobPatienceMs)
    audit(ctx, owner.actor, 'import.letters', { targetId: id, detail: { file: fileName, letters: sent } })
  }
  return { sent, letters: readLetters(ctx, id) }
}

function importOfPeople(ctx: Context, id: string) {
  const row = ownImport(ctx, id)
  if (!isOfPeople(row.kind) || row.state !== 'applied')
    throw new AppError('conflict', 'There are no members of this import to write to yet.')
  return row
}

/** Whether it did: the person may have gone since, or have been written to by another request. */
function writeTo(ctx: Context, importId: string, { line, id }: { line: number; id: string }, letters: number): boolean {
  const { email, firstName } = users
  const person = ctx.db.select({ id: users.id, email, firstName }).from(users).where(eq(users.id, id)).get()
  const isNext = and(eq(importRows.importId, importId), eq(importRows.line, line), eq(importRows.letters, letters - 1))
  const written = { letters, lastLetterAt: ctx.now().toISOString() }
  if (person === undefined || ctx.db.update(importRows).set(written).where(isNext).run().changes === 0) return false
  const { token, expiresAt } = issueLink(ctx, person.email, 'password', welcomeLinkDays * 24 * 60)
  const cause = `moved-in:${person.id}:${letters}`
  const envelope = { cause, to: person.email, userId: person.id, lapsesAt: expiresAt }
  queueMessage(ctx, envelope, movedIn(ctx, person, passwordLinkUrl(ctx, token)))
  return true
}

type Addressee = { email: string; firstName: string | null }

function movedIn(ctx: Context, { email, firstName }: Addressee, url: string) {
  const forgotUrl = `${ctx.settings.publicUrl}/forgot-password`
  const siteName = contentOf(ctx).read().site.brand.name
  return movedInMail({ firstName, email, siteName, url, days: welcomeLinkDays, forgotUrl })
}

/** As it goes out, with the owners' own words. */
const letterOf = (ctx: Context, to: Addressee, url: string) =>
  withOwnersTexts(movedIn(ctx, to, url), contentOf(ctx).read().mails['moved-in'])
