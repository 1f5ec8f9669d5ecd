import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import { requeueMail } from '#api/mail/retry.ts'
import type { AdminMail } from '#shared/contract/mail.ts'
import { findMail } from './queries.ts'

export function mailById(ctx: Context, id: string): AdminMail {
  const mail = findMail(ctx, id)
  if (mail === null) throw notFound('This mail')
  return mail
}

/** Sends a mail once more that was refused or given up: to the address that its person has now. */
export function resendMail(ctx: Context, owner: Owner, id: string): AdminMail {
  return transact(ctx, () => {
    const { status, canResend, subject } = mailById(ctx, id)
    if (status === 'sent') throw new AppError('conflict', 'This mail has gone out already.')
    if (status !== 'refused' && status !== 'failed') throw new AppError('conflict', 'This mail is still on its way.')
    if (!canResend) {
      const why = 'The text of this mail was not kept: it held a one-time link, or is more than 30 days old.'
      throw new AppError('conflict', `${why} The person can ask for a new link at "Forgot password".`)
    }
    requeueMail(ctx, id)
    audit(ctx, owner.actor, 'mail.resent', { targetId: id, detail: { subject } })
    return mailById(ctx, id)
  })
}
