import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { mailAgreements, mailOptOuts } from '#api/db/schema/people.ts'
import { isSameSecret, keyedHash } from '#api/secrets.ts'
import { unsubscribePath } from '#api/serving/paths.ts'
import { agreedPurposes, type MailPurpose, mailPurposes } from '#shared/contract/mail.ts'
import type { NewsChoice } from '#shared/contract/member-record.ts'

export type Recipient = { userId: string; purpose: MailPurpose }

/** Whether a member gets emails of this purpose: until they opt out, or, for opt-in purposes, once they've agreed. */
export const isMailWanted = (ctx: Context, to: Recipient): boolean =>
  agreedPurposes.includes(to.purpose) ? hasSaid(ctx, mailAgreements, to) : !hasSaid(ctx, mailOptOuts, to)

export const hasChosen = (ctx: Context, to: Recipient): boolean =>
  hasSaid(ctx, mailAgreements, to) || hasSaid(ctx, mailOptOuts, to)

const hasSaid = (ctx: Context, table: typeof mailAgreements | typeof mailOptOuts, { userId, purpose }: Recipient) =>
  ctx.db
    .select({ at: table.at })
    .from(table)
    .where(and(eq(table.userId, userId), eq(table.purpose, purpose)))
    .get() !== undefined

export function newsChoiceOf({ db }: Context, userId: string): NewsChoice | null {
  const of = (table: typeof mailAgreements | typeof mailOptOuts) =>
    and(eq(table.userId, userId), eq(table.purpose, 'news'))
  const agreed = db.select().from(mailAgreements).where(of(mailAgreements)).get()
  if (agreed !== undefined) return { isWanted: true, at: agreed.at, source: agreed.source }
  const stopped = db.select().from(mailOptOuts).where(of(mailOptOuts)).get()
  return stopped === undefined ? null : { isWanted: false, at: stopped.at, source: null }
}

const signatureOf = (ctx: Context, { userId, purpose }: Recipient) =>
  keyedHash(ctx, 'unsubscribe', `${userId}.${purpose}`)

const tokenOf = (ctx: Context, to: Recipient) => `${to.userId}.${to.purpose}.${signatureOf(ctx, to)}`

/** The recipient a link belongs to, or null if it's invalid. Links don't expire, because an email may be opened years later. */
export function readUnsubscribeToken(ctx: Context, token: string): Recipient | null {
  const [userId = '', name = '', signature = ''] = token.split('.')
  const purpose = mailPurposes.find((known) => known === name)
  if (purpose === undefined || !isSameSecret(signature, signatureOf(ctx, { userId, purpose }))) return null
  return { userId, purpose }
}

/** Mail programs post to it when their own unsubscribe button is pressed. */
export const oneClickUrl = (ctx: Context, to: Recipient) =>
  `${ctx.settings.publicUrl}${unsubscribePath}?token=${tokenOf(ctx, to)}`

export const unsubscribeUrl = (ctx: Context, to: Recipient) =>
  `${ctx.settings.publicUrl}/members/unsubscribe?token=${tokenOf(ctx, to)}`
