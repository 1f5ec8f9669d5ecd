import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
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

/** Stores what they said. Nothing changes if they said so before. */
export function choosePurpose(ctx: Context, userId: string, choice: { purpose: MailPurpose; isWanted: boolean }): void {
  const { purpose, isWanted } = choice
  transact(ctx, () => {
    // For mails that are opt-in, a first "no" is an answer too.
    const isFirst = agreedPurposes.includes(purpose) && !hasChosen(ctx, { userId, purpose })
    if (isFirst || isMailWanted(ctx, { userId, purpose }) !== isWanted) {
      storeChoice(ctx, userId, choice)
      audit(ctx, `user:${userId}`, 'member.mail_choice', { targetId: userId, detail: { purpose, isWanted } })
    }
  })
}

function storeChoice(ctx: Context, userId: string, choice: { purpose: MailPurpose; isWanted: boolean }): void {
  const { purpose, isWanted } = choice
  const [said, other] = isWanted ? [mailAgreements, mailOptOuts] : [mailOptOuts, mailAgreements]
  ctx.db
    .delete(other)
    .where(and(eq(other.userId, userId), eq(other.purpose, purpose)))
    .run()
  const isSilenceYes = isWanted && !agreedPurposes.includes(purpose)
  if (!isSilenceYes) insertIfAbsent(ctx, said, { userId, purpose, at: ctx.now().toISOString() })
  if (isWanted) return
  // Queued mails were written before they unsubscribed.
  const { userId: to, purpose: about, status } = mailOutbox
  ctx.db
    .delete(mailOutbox)
    .where(and(eq(to, userId), eq(about, purpose), eq(status, 'waiting')))
    .run()
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
