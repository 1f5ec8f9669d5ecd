import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { mailAgreements, mailOptOuts, users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { hasChosen, isMailWanted, readUnsubscribeToken } from '#api/mail/choices.ts'
import type { MailChoice } from '#shared/contract/account.ts'
import { agreedPurposes, type MailPurpose, mailPurposes } from '#shared/contract/mail.ts'

export const listMailChoices = (ctx: Context, { id: userId }: Member): MailChoice[] =>
  mailPurposes.map((purpose) => ({ purpose, isWanted: isMailWanted(ctx, { userId, purpose }) }))

export function chooseMail(ctx: Context, member: Member, choice: MailChoice): MailChoice[] {
  applyChoice(ctx, member.id, choice)
  return listMailChoices(ctx, member)
}

function applyChoice(ctx: Context, userId: string, choice: MailChoice): void {
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

function storeChoice(ctx: Context, userId: string, { purpose, isWanted }: MailChoice): void {
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

/** By the link in a mail, even if someone else is logged in. If the account is gone, there's nothing to stop. */
export function unsubscribe(ctx: Context, token: string): { purpose: MailPurpose } {
  const to = readUnsubscribeToken(ctx, token)
  if (to === null) throw new AppError('invalid_link', 'That link’s incomplete. Open it from the email again.')
  const { userId, purpose } = to
  const account = ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()
  if (account !== undefined) applyChoice(ctx, userId, { purpose, isWanted: false })
  return { purpose }
}
