import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { findMail, findMailOfCause, findSuppressed } from '#api/mail/outbox-queries.ts'
import { requeueMail } from '#api/mail/retry.ts'
import { testMail } from '#api/mail/templates/account.ts'
import type { AdminMail, SuppressedAddress, SuppressRequest } from '#shared/contract/mail.ts'
import { sendMailOf } from './delivery-service.ts'

export function mailById(ctx: Context, id: string): AdminMail {
  const mail = findMail(ctx, id)
  if (mail === null) throw notFound('This email')
  return mail
}

/** Resends a refused or failed mail, to the person's current address. */
export function resendMail(ctx: Context, owner: Owner, id: string): AdminMail {
  return transact(ctx, () => {
    const { status, canResend, subject } = mailById(ctx, id)
    if (status === 'sent') throw new AppError('conflict', 'This email has already gone out.')
    if (status !== 'refused' && status !== 'failed') throw new AppError('conflict', 'This email is still on its way.')
    if (!canResend) {
      const why =
        'We haven’t kept this email’s text. It had a one-time link, was too late to send, or is over 30 days old.'
      throw new AppError('conflict', `${why} Anyone who needs a new link can get one from "Forgot password".`)
    }
    requeueMail(ctx, id)
    audit(ctx, owner.actor, 'mail.resent', { targetId: id, detail: { subject } })
    return mailById(ctx, id)
  })
}

/** Blocks an address. Queued mails to it are refused when their turn comes. Safe to repeat. */
export function suppressAddress(ctx: Context, owner: Owner, { email, reason }: SuppressRequest): SuppressedAddress {
  return transact(ctx, () => {
    const known = findSuppressed.get(ctx, { email })
    if (known !== undefined) return known
    const since = ctx.now().toISOString()
    insertRow(ctx, suppressedAddresses, { address: email, reason, since })
    audit(ctx, owner.actor, 'mail.suppressed', { detail: { email, reason } })
    return { email, reason, since }
  })
}

export function allowAddress(ctx: Context, owner: Owner, email: string): SuppressedAddress {
  return transact(ctx, () => {
    const known = findSuppressed.get(ctx, { email })
    if (known === undefined) throw notFound('This address')
    ctx.db.delete(suppressedAddresses).where(eq(suppressedAddresses.address, email)).run()
    audit(ctx, owner.actor, 'mail.allowed', { detail: { email } })
    return known
  })
}

/** Sent straight away and separately, but through the same transport as every mail. The returned mail shows the result. */
export async function sendTestMail(ctx: Context, owner: Owner, email: string): Promise<AdminMail> {
  const cause = `test:${ctx.newId()}`
  transact(ctx, () => {
    queueMessage(ctx, { cause, to: email, userId: null, isRepeatable: true }, testMail(ctx.settings.publicUrl))
    audit(ctx, owner.actor, 'mail.tested', { detail: { email } })
  })
  await sendMailOf(ctx, cause)
  const mail = findMailOfCause(ctx, cause)
  if (mail === null) throw notFound('This email')
  return mail
}
