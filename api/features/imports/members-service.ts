import { and, eq, exists, isNotNull, ne, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { importRows, mailRefusals } from '#api/db/schema/imports.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { mailAgreements, mailOptOuts, users } from '#api/db/schema/people.ts'
import { isKnownAddress } from '#api/features/auth/queries.ts'
import { setOverride } from '#api/features/members/access-service.ts'
import { eraseAccount } from '#api/features/members/removal-service.ts'
import { tickAsImported } from '#api/features/progress/service.ts'
import { addDays, londonDay, londonInstant } from '#shared/rules/london.ts'
import type { AppliedRow, ImportKind, ImportTask, PlannedRow } from './kind-rules.ts'
import { type MemberRow, openMembers } from './members-file-service.ts'

function planMember(ctx: Context, row: MemberRow): PlannedRow {
  const key = row.email
  const known = accountByEmail.get(ctx, { email: row.email })
  const cards = { 'cards-dropped': row.cards }
  if (known !== undefined) return { outcome: 'existing', key, madeId: known.id, facts: cards }
  if (isKnownAddress(ctx, row.email)) return { outcome: 'refused', reason: 'This is an owner’s address.', facts: cards }
  const [isAgreed, isPaid] = [agreesToMail(ctx, row), paysStill(ctx, row)]
  const { unreadDay, isComplimentary } = row
  return {
    ...{ outcome: 'new', key },
    ...(unreadDay === null || isComplimentary ? {} : { reason: unreadReason(unreadDay) }),
    facts: {
      ...{ ...cards, blocked: Number(row.block !== null) },
      ...{ subscribed: Number(isAgreed), 'not-subscribed': Number(!isAgreed && row.block === null) },
      ...{ 'free-access': Number(isPaid && !isComplimentary), complimentary: Number(isComplimentary) },
      ...{ expired: Number(row.paidUntil !== null && !isPaid), 'days-unread': Number(unreadDay !== null) },
      'no-access': Number(!getsIn(ctx, row)),
      ...{ 'lessons-ticked': row.lessonIds.length, 'lessons-unknown': row.unknownLessons },
      notes: Number(row.note !== ''),
    },
  }
}

const paysStill = (ctx: Context, { paidUntil }: MemberRow) =>
  paidUntil !== null && paidUntil >= londonDay(ctx.billingNow())

const getsIn = (ctx: Context, row: MemberRow) => row.isComplimentary || paysStill(ctx, row)

const unreadReason = ({ column, isMonthFirst }: NonNullable<MemberRow['unreadDay']>) =>
  isMonthFirst
    ? `“${column}” has the month first here, so they get no access. We read 03/04 as 3 April: write the whole column as 31/12/2026.`
    : `We can’t read the day in “${column}”, so they get no access. Write it as 31/12/2026.`

/** Only if the file says so, and no earlier one said that they had unsubscribed. */
const agreesToMail = (ctx: Context, { isSubscribed, block, email }: MemberRow): boolean =>
  isSubscribed && block === null && !hasRefused(ctx, email)

const hasRefused = (ctx: Context, address: string) =>
  refusalOf.get(ctx, { address }) !== undefined || blockOfAddress.get(ctx, { address }) !== undefined

// Compiled once: a file may have 200,000 rows.
const accountByEmail = preparedQuery<{ email: string }>()((db, { email }) =>
  db.select({ id: users.id }).from(users).where(eq(users.email, email)),
)
const refusalOf = preparedQuery<{ address: string }>()((db, { address }) =>
  db.select().from(mailRefusals).where(eq(mailRefusals.address, address)),
)
const blockOfAddress = preparedQuery<{ address: string }>()((db, { address }) =>
  db.select().from(suppressedAddresses).where(eq(suppressedAddresses.address, address)),
)

function applyMember(ctx: Context, row: MemberRow, task: ImportTask): AppliedRow {
  blockAddress(ctx, row, task)
  // Someone else may have made the account since the plan.
  if (isKnownAddress(ctx, row.email))
    return { madeId: null, reason: 'They’d joined by then, so we left their account alone.' }
  const id = ctx.newId()
  const now = ctx.now().toISOString()
  const { email, firstName, lastName, phone, businessName, trade } = row
  insertRow(ctx, users, {
    ...{ id, email, firstName: firstName || null, lastName: lastName || null, phone, businessName, trade },
    ...{ createdAt: joinedAt(ctx, row) ?? now, updatedAt: now },
  })
  if (getsIn(ctx, row)) setOverride(ctx, id, { override: 'granted', until: endOf(row), tier: task.options.tier })
  chooseMails(ctx, id, row, task)
  tickAsImported(ctx, id, row.lessonIds)
  if (row.note !== '') {
    const note = { about: 'members', aboutId: id, kind: 'note', text: row.note, createdAt: now } as const
    insertRow(ctx, inboxNotes, { id: ctx.newId(), ...note })
  }
  return { madeId: id }
}

function joinedAt(ctx: Context, { joined }: MemberRow): string | null {
  const at = joined === null ? null : londonInstant(joined, '12:00').toISOString()
  return at !== null && at < ctx.now().toISOString() ? at : null
}

/** Null: no end, as where they come from. */
const endOf = ({ paidUntil, isComplimentary }: MemberRow) =>
  paidUntil === null || isComplimentary ? null : londonInstant(addDays(paidUntil, 1), '00:00').toISOString()

/** They get emails about their membership alone, unless the file says that they wanted more. */
function chooseMails(ctx: Context, userId: string, row: MemberRow, task: ImportTask): void {
  const at = ctx.now().toISOString()
  if (agreesToMail(ctx, row)) {
    insertRow(ctx, mailAgreements, { userId, purpose: 'news', at, source: sourceOf(task) })
    return
  }
  insertRow(ctx, mailOptOuts, { userId, purpose: 'check-in', at })
  if (row.block !== null) insertRow(ctx, mailOptOuts, { userId, purpose: 'news', at })
}

/** A later row says that they don't want emails: that counts for more than an earlier one that says they do. */
function withdrawMails(ctx: Context, userId: string): void {
  const at = ctx.now().toISOString()
  ctx.db.delete(mailAgreements).where(eq(mailAgreements.userId, userId)).run()
  for (const purpose of ['check-in', 'news'] as const) insertIfAbsent(ctx, mailOptOuts, { userId, purpose, at })
}

const sourceOf = ({ fileName }: ImportTask) => `Moved in from ${fileName ?? 'a file'}`

/** It outlives an undo: who didn't want our emails there doesn't want them here. */
function blockAddress(ctx: Context, { email, block }: MemberRow, task: ImportTask): void {
  const at = ctx.now().toISOString()
  if (block === 'unsubscribed') insertIfAbsent(ctx, mailRefusals, { address: email, source: sourceOf(task), at })
  else if (block !== null) {
    const reason = `${block === 'bounced' ? 'Bounced' : 'Complained'} before. ${sourceOf(task)}.`
    insertIfAbsent(ctx, suppressedAddresses, { address: email, reason, since: at })
  }
}

/** Some exports have a row for each plan of a person. Their access ends with the last. */
function applyDouble(ctx: Context, row: MemberRow, task: ImportTask): void {
  const { id: importId, options } = task
  if (!getsIn(ctx, row) && row.block === null) return
  const until = endOf(row)
  const { madeId } = importRows
  const found = ctx.db
    .select({ id: users.id, until: users.accessUntil, override: users.accessOverride })
    .from(users)
    .innerJoin(importRows, eq(madeId, users.id))
    .where(and(eq(users.email, row.email), eq(importRows.importId, importId), eq(importRows.outcome, 'new')))
    .get()
  if (found === undefined) return
  if (row.block !== null) {
    blockAddress(ctx, row, task)
    withdrawMails(ctx, found.id)
  }
  if (!getsIn(ctx, row) || (found.until === null && found.override === 'granted')) return
  if (until !== null && found.until !== null && found.until >= until) return
  setOverride(ctx, found.id, { override: 'granted', until, tier: options.tier })
}

/** Until the person has logged in or paid, or an owner has done something about them. */
function undoMember(ctx: Context, madeId: string): 'undone' | 'used' {
  const { lastSeenAt, emailProvenAt, passwordHash } = users
  const hasCustomer = exists(ctx.db.select({ id: customers.id }).from(customers).where(eq(customers.userId, users.id)))
  const isHandled = exists(
    ctx.db
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(eq(auditEntries.targetId, users.id), ne(auditEntries.actor, 'system'))),
  )
  const isUsed = or(
    isNotNull(lastSeenAt),
    isNotNull(emailProvenAt),
    isNotNull(passwordHash),
    eq(users.isAdmin, true),
    hasCustomer,
    isHandled,
  )
  const account = { id: users.id, email: users.email }
  const found = ctx.db.select(account).from(users).where(eq(users.id, madeId)).get()
  if (found === undefined) return 'undone'
  const used = ctx.db
    .select(account)
    .from(users)
    .where(and(eq(users.id, madeId), isUsed))
    .get()
  if (used !== undefined) return 'used'
  eraseKeepingBlock(ctx, found)
  return 'undone'
}

/** With an account its block goes too. After an undo it stays: it came with the file, not with the account. */
function eraseKeepingBlock(ctx: Context, account: { id: string; email: string }): void {
  const address = account.email
  const [refused, blocked] = [refusalOf.get(ctx, { address }), blockOfAddress.get(ctx, { address })]
  eraseAccount(ctx, account)
  if (refused !== undefined) insertRow(ctx, mailRefusals, refused)
  if (blocked !== undefined) insertRow(ctx, suppressedAddresses, blocked)
}

export const membersKind: ImportKind<MemberRow> = {
  isQuick: true,
  open: openMembers,
  plan: planMember,
  apply: applyMember,
  applyDouble,
  undo: undoMember,
}
