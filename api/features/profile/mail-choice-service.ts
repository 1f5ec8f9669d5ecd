import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { choosePurpose, isMailWanted, readUnsubscribeToken } from '#api/mail/choices.ts'
import type { MailChoice } from '#shared/contract/account.ts'
import { type MailPurpose, mailPurposes } from '#shared/contract/mail.ts'

export const listMailChoices = (ctx: Context, { id: userId }: Member): MailChoice[] =>
  mailPurposes.map((purpose) => ({ purpose, isWanted: isMailWanted(ctx, { userId, purpose }) }))

export function chooseMail(ctx: Context, member: Member, choice: MailChoice): MailChoice[] {
  choosePurpose(ctx, member.id, choice)
  return listMailChoices(ctx, member)
}

/** By the link in a mail, even if someone else is logged in. If the account is gone, there's nothing to stop. */
export function unsubscribe(ctx: Context, token: string): { purpose: MailPurpose } {
  const to = readUnsubscribeToken(ctx, token)
  if (to === null) throw new AppError('invalid_link', 'That link’s incomplete. Open it from the email again.')
  const { userId, purpose } = to
  const account = ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()
  if (account !== undefined) choosePurpose(ctx, userId, { purpose, isWanted: false })
  return { purpose }
}
