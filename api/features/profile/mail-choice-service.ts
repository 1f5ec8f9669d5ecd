import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mailOptOuts, users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { isMailWanted, readUnsubscribeToken } from '#api/mail/choices.ts'
import type { MailChoice } from '#shared/contract/account.ts'
import { type MailPurpose, mailPurposes } from '#shared/contract/mail.ts'

export const listMailChoices = (ctx: Context, userId: string): MailChoice[] =>
  mailPurposes.map((purpose) => ({ purpose, isWanted: isMailWanted(ctx, { userId, purpose }) }))

export function chooseMail(ctx: Context, userId: string, { purpose, isWanted }: MailChoice): MailChoice[] {
  return transact(ctx, () => {
    if (isMailWanted(ctx, { userId, purpose }) !== isWanted) {
      const isThis = and(eq(mailOptOuts.userId, userId), eq(mailOptOuts.purpose, purpose))
      if (isWanted) ctx.db.delete(mailOptOuts).where(isThis).run()
      else insertIfAbsent(ctx, mailOptOuts, { userId, purpose, at: ctx.now().toISOString() })
      audit(ctx, `user:${userId}`, 'member.mail_choice', { targetId: userId, detail: { purpose, isWanted } })
    }
    return listMailChoices(ctx, userId)
  })
}

/** By the link in a mail, whoever is logged in: the token says it all. Of an account that is gone nothing is left to stop. */
export function unsubscribe(ctx: Context, token: string): { purpose: MailPurpose } {
  const to = readUnsubscribeToken(ctx, token)
  if (to === null) throw new AppError('invalid_link', 'This link is not whole. Please open it from the email again.')
  const { userId, purpose } = to
  const account = ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()
  if (account !== undefined) chooseMail(ctx, userId, { purpose, isWanted: false })
  return { purpose }
}
