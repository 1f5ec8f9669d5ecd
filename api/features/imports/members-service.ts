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
import type {
  AppliedRow,
  FirstLine,
  ImportConsent,
  ImportKind,
  ImportTask,
  PlannedDouble,
  PlannedRow,
} from './kind-rules.ts'
import { type MemberRow, openMembers } from './members-file-service.ts'

function planMember(ctx: Context, row: MemberRow): PlannedRow {
  const key = row.email
  const known = accountByEmail.get(ctx, { email: row.email })
  const cards = { 'cards-dropped': row.cards }
  if (known !== undefined) return { outcome: 'existing', key, madeId: known.id, facts: cards }
  if (isKnownAddress(ctx, row.email)) return { outcome: 'refused', reason: 'This is an owner’s address.', facts: cards }
  const [isAgreed, isPaid] = [agreesToMail(ctx, row), paysStill(ctx, row)]
  const { unreadDay, isComplimentary } = row
  const reasons = [
    ...(unreadDay === null || isComplimentary ? [] : [unreadReason(unreadDay)]),
    ...(row.isSubscribed && row.block === null ? refusalReason(ctx, row.email) : []),
  ]
  const isMonthFirst = unreadDay?.isMonthFirst === true
  return {
    ...{ outcome: 'new', key, consent: consentOf(row, isAgreed) },
    ...(reasons.length === 0 ? {} : { reason: reasons.join(' ') }),
    facts: {
      ...{ ...cards, blocked: Number(row.block !== null) },
      ...{ subscribed: Number(isAgreed), 'not-subscribed': Number(!isAgreed && row.block === null) },
      ...{ 'free-access': Number(isPaid && !isComplimentary), complimentary: Number(isComplimentary) },
      ...{ expired: Number(row.paidUntil !== null && !isPaid), 'days-month-first': Number(isMonthFirst) },
      'days-unread': Number(unreadDay !== null && !isMonthFirst),
      'no-access': Number(!getsIn(ctx, row)),
      ...{ 'lessons-ticked': row.lessonIds.length, 'lessons-unknown': row.unknownLessons },
      notes: Number(row.note !== ''),
    },
  }
}

const consentOf = ({ saysNo, block }: MemberRow, isAgreed: boolean): ImportConsent | undefined =>
  saysNo || block !== null ? 'no' : isAgreed ? 'yes' : undefined

/** A no on any line counts for more than a yes on another. */
function planDouble({ saysNo, block, isSubscribed }: MemberRow, { line, consent }: FirstLine): PlannedDouble {
  const same = `The same address as line ${line}.`
  if (!saysNo && block === null) {
    if (!isSubscribed || consent === undefined || consent === 'yes') return { reason: same }
    const where = consent === 'no' ? 'They said no to emails there' : 'They say no to emails on another line'
    return { reason: `${same} ${where}, so it’s no.` }
  }
  if (consent !== 'yes') return { reason: same, consent: consent ?? 'withdrawn' }
  const becomes = block === null ? 'not-subscribed' : 'blocked'
  const facts = { subscribed: -1, [becomes]: 1 }
  return { reason: `${same} They say no to emails here, so it’s no.`, consent: 'withdrawn', facts }
}

const paysStill = (ctx: Context, { paidUntil }: MemberRow) =>
  paidUntil !== null && paidUntil >= londonDay(ctx.billingNow())

const getsIn = (ctx: Context, row: MemberRow) => row.isComplimentary || paysStill(ctx, row)

const unreadReason = ({ column, isMonthFirst }: NonNullable<MemberRow['unreadDay']>) =>
  isMonthFirst
    ? `“${column}” has days with the month first, so they get no access. Write the whole column as 31/12/2026.`
    : `We can’t read the day in “${column}”, so they get no access. Write it as 31/12/2026.`

/** Only if the file says so, and no earlier one said that they had unsubscribed. */
const agreesToMail = (ctx: Context, { isSubscribed, block, email }: MemberRow): boolean =>
  isSubscribed && block === null && !hasRefused(ctx, email)

const hasRefused = (ctx: Context, address: string) => refusalReason(ctx, address).length > 0

function refusalReason(ctx: Context, address: string): string[] {
  if (refusalOf.get(ctx, { address }) !== undefined) return ['They unsubscribed here before, so it stays no.']
  if (blockOfAddress.get(ctx, { address }) === undefined) return []
  return ['An email to them bounced or they complained before, so it stays no.']
}

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
function withdrawMails(ctx: Context, userId: string, { block }: MemberRow): void {
  const at = ctx.now().toISOString()
  ctx.db.delete(mailAgreements).where(eq(mailAgreements.userId, userId)).run()
  insertIfAbsent(ctx, mailOptOuts, { userId, purpose: 'check-in', at })
  if (block !== null) insertIfAbsent(ctx, mailOptOuts, { userId, purpose: 'news', at })
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
  const isWithdrawn = row.saysNo || row.block !== null
  if (!getsIn(ctx, row) && !isWithdrawn) return
  const until = endOf(row)
  const { madeId } = importRows
  const found = ctx.db
    .select({ id: users.id, until: users.accessUntil, override: users.accessOverride })
    .from(users)
    .innerJoin(importRows, eq(madeId, users.id))
    .where(and(eq(users.email, row.email), eq(importRows.importId, importId), eq(importRows.outcome, 'new')))
    .get()
  if (found === undefined) return
  blockAddress(ctx, row, task)
  if (isWithdrawn) withdrawMails(ctx, found.id, row)
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

/** Erasing an account also deletes its block and its no to emails. After an undo we keep them, or moving in again would make it a yes. */
function eraseKeepingBlock(ctx: Context, account: { id: string; email: string }): void {
  const address = account.email
  const [refused, blocked] = [refusalOf.get(ctx, { address }), blockOfAddress.get(ctx, { address })]
  const stopped = ctx.db
    .select({ at: mailOptOuts.at })
    .from(mailOptOuts)
    .where(and(eq(mailOptOuts.userId, account.id), eq(mailOptOuts.purpose, 'news')))
    .get()
  eraseAccount(ctx, account)
  if (refused !== undefined) insertRow(ctx, mailRefusals, refused)
  else if (stopped !== undefined && blocked === undefined)
    insertRow(ctx, mailRefusals, { address, source: 'Unsubscribed here', at: stopped.at })
  if (blocked !== undefined) insertRow(ctx, suppressedAddresses, blocked)
}

export const membersKind: ImportKind<MemberRow> = {
  isQuick: true,
  open: openMembers,
  plan: planMember,
  planDouble,
  apply: applyMember,
  applyDouble,
  undo: undoMember,
}
