import { and, eq, like } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailRefusals } from '#api/db/schema/imports.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { mailAgreements, mailOptOuts, users } from '#api/db/schema/people.ts'
import { eraseAccount } from '#api/features/profile/removal-service.ts'
import type { ImportTask, PlannedRow } from './kind-rules.ts'
import type { MemberRow } from './members-file-service.ts'
import type { Block } from './members-rules.ts'

/*
 * What a members' file says about our emails: who agreed, who said no, and which addresses are blocked.
 */

const movedIn = 'Moved in from '

/** Only if the file says so, and no earlier one said that they had unsubscribed. */
export const agreesToMail = (ctx: Context, { isSubscribed, block, email }: MemberRow): boolean =>
  isSubscribed && block === null && !hasRefused(ctx, email)

const hasRefused = (ctx: Context, address: string) => refusalReason(ctx, address).length > 0

export function refusalReason(ctx: Context, address: string): string[] {
  if (refusalOf.get(ctx, { address }) !== undefined)
    return ['They’ve unsubscribed here before, so they get no campaigns.']
  if (blockOfAddress.get(ctx, { address }) === undefined) return []
  return ['An email to them bounced, or they complained, so they get no campaigns.']
}

// Compiled once: a file may have 200,000 rows.
export const accountByEmail = preparedQuery<{ email: string }>()((db, { email }) =>
  db.select({ id: users.id, isAdmin: users.isAdmin }).from(users).where(eq(users.email, email)),
)
const importedAgreement = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ at: mailAgreements.at })
    .from(mailAgreements)
    .where(and(eq(mailAgreements.userId, userId), like(mailAgreements.source, `${movedIn}%`))),
)
const refusalOf = preparedQuery<{ address: string }>()((db, { address }) =>
  db.select().from(mailRefusals).where(eq(mailRefusals.address, address)),
)
const blockOfAddress = preparedQuery<{ address: string }>()((db, { address }) =>
  db.select().from(suppressedAddresses).where(eq(suppressedAddresses.address, address)),
)

type Account = { id: string; isAdmin: boolean }

/** Someone who's here already stays as they are. Only a no to our emails reaches them. */
export function planExisting(ctx: Context, row: MemberRow, known: Account): PlannedRow {
  const existing = { outcome: 'existing', key: row.email, madeId: known.id } as const
  const reason = stopOf(ctx, row, known)
  const facts = { 'cards-dropped': row.cards, 'emails-stopped': Number(reason !== null) }
  return { ...existing, ...(reason === null ? {} : { reason }), facts }
}

/** Why someone who's here gets fewer emails from now on. Null if nothing changes. A yes they gave here outweighs a mere no of the file. */
function stopOf(ctx: Context, { email: address, block, saysNo }: MemberRow, { id, isAdmin }: Account): string | null {
  if (isAdmin || blockOfAddress.get(ctx, { address }) !== undefined) return null
  if (block !== null) {
    const isKnown = block === 'unsubscribed' && refusalOf.get(ctx, { address }) !== undefined
    return isKnown ? null : stopWords[block]
  }
  const isWithdrawn = saysNo && importedAgreement.get(ctx, { userId: id }) !== undefined
  return isWithdrawn ? 'They’re here already. This file says no to emails, so they get no campaigns.' : null
}

const stopWords: Record<Block, string> = {
  unsubscribed: 'They’re here already. They unsubscribed, so they get no campaigns.',
  bounced: 'They’re here already. An email to them bounced, so their address gets blocked.',
  complained: 'They’re here already. They complained about an email, so their address gets blocked.',
}

export function applyExisting(ctx: Context, row: MemberRow, task: ImportTask): void {
  const known = accountByEmail.get(ctx, { email: row.email })
  if (known === undefined || stopOf(ctx, row, known) === null) return
  blockAddress(ctx, row, task)
  withdrawMails(ctx, known.id, row)
}

/** They get emails about their membership alone, unless the file says that they wanted more. */
export function chooseMails(ctx: Context, userId: string, row: MemberRow, task: ImportTask): void {
  const at = ctx.now().toISOString()
  if (agreesToMail(ctx, row)) {
    insertRow(ctx, mailAgreements, { userId, purpose: 'news', at, source: sourceOf(task) })
    return
  }
  insertRow(ctx, mailOptOuts, { userId, purpose: 'check-in', at })
  if (row.block !== null) insertRow(ctx, mailOptOuts, { userId, purpose: 'news', at })
}

/** A later row says that they don't want emails: that counts for more than an earlier one that says they do. */
export function withdrawMails(ctx: Context, userId: string, { block }: MemberRow): void {
  const at = ctx.now().toISOString()
  ctx.db.delete(mailAgreements).where(eq(mailAgreements.userId, userId)).run()
  insertIfAbsent(ctx, mailOptOuts, { userId, purpose: 'check-in', at })
  if (block !== null) insertIfAbsent(ctx, mailOptOuts, { userId, purpose: 'news', at })
}

const sourceOf = ({ fileName }: ImportTask) => `${movedIn}${fileName ?? 'a file'}`

/** It outlives an undo: who didn't want our emails there doesn't want them here. */
export function blockAddress(ctx: Context, { email, block }: MemberRow, task: ImportTask): void {
  const at = ctx.now().toISOString()
  if (block === 'unsubscribed') insertIfAbsent(ctx, mailRefusals, { address: email, source: sourceOf(task), at })
  else if (block !== null) {
    const reason = `${block === 'bounced' ? 'Bounced' : 'Complained'} before. ${sourceOf(task)}.`
    insertIfAbsent(ctx, suppressedAddresses, { address: email, reason, since: at })
  }
}

/** Erasing an account also deletes its block and its no to emails. After an undo we keep them, or moving in again would make it a yes. */
export function eraseKeepingBlock(ctx: Context, account: { id: string; email: string }): void {
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
