import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import type { Owner } from '#api/identity/person.ts'
import { type Fate, type ReportedRecipient, readDeliveryReport } from '#api/mail/delivery-report.ts'
import { findMailByMessageId, findSuppressed } from '#api/mail/outbox-queries.ts'
import type { AdminMail, BouncedAddress, BounceReport, BounceRequest } from '#shared/contract/mail.ts'
import { suppressAddress } from './service.ts'

/**
 * Records a bounced mail: the outbox shows it as undelivered, and an address that rejects mail gets none from now on. Anyone can
 * forge a report, and blocking stops login codes too. So it counts only if it has the Message-ID of a mail we sent to this address,
 * which only its reader knows, or if an owner trusts it. Safe to repeat.
 */
export async function recordBounce(
  ctx: Context,
  owner: Owner,
  { report, isTrusted }: BounceRequest,
): Promise<BounceReport> {
  const { messageId, recipients } = await readDeliveryReport(report)
  return transact(ctx, () => {
    const found = messageId === null ? null : findMailByMessageId(ctx, messageId)
    const mail = found !== null && recipients.some((one) => isTo(found, one)) ? found : null
    const addresses = recipients.map((one) => {
      const isOurs = mail !== null && isTo(mail, one)
      if (isOurs) markReturned(ctx, owner, mail, one)
      // The address we wrote to. If a mail was forwarded, it isn't the one that failed.
      const email = isOurs ? mail.to.toLowerCase() : one.email
      const outcome =
        one.fate === 'final' ? stopAddress(ctx, owner, { ...one, email, isCertain: isOurs || isTrusted }) : one.fate
      return { email, status: one.status, diagnostic: one.diagnostic, outcome }
    })
    return { mail: mail && { id: mail.id, to: mail.to, subject: mail.subject }, addresses }
  })
}

const isTo = ({ to }: Pick<AdminMail, 'to'>, { addresses }: ReportedRecipient) => addresses.includes(to.toLowerCase())

type Refusal = Pick<ReportedRecipient, 'email' | 'status' | 'diagnostic'> & { isCertain: boolean }

function stopAddress(ctx: Context, owner: Owner, { email, isCertain, ...refusal }: Refusal): BouncedAddress['outcome'] {
  if (findSuppressed.get(ctx, { email }) !== undefined) return 'known'
  if (!isCertain) return 'not-ours'
  suppressAddress(ctx, owner, { email, reason: `Came back: ${reasonOf(refusal)}`.slice(0, 200) })
  return 'stopped'
}

const reasonOf = ({ status, diagnostic }: Pick<ReportedRecipient, 'status' | 'diagnostic'>) =>
  diagnostic ?? (status || 'The server gave no reason.')

/** The outbox status after a report. A delay report changes nothing. */
const statusAfter: Partial<Record<Fate, 'refused' | 'failed'>> = {
  final: 'refused',
  policy: 'refused',
  'given-up': 'failed',
}

function markReturned(ctx: Context, owner: Owner, { id, subject }: AdminMail, recipient: ReportedRecipient): void {
  const status = statusAfter[recipient.fate]
  if (status === undefined) return
  const marked = ctx.db
    .update(mailOutbox)
    .set({ status, lastError: reasonOf(recipient) })
    .where(and(eq(mailOutbox.id, id), eq(mailOutbox.status, 'sent')))
    .run()
  if (marked.changes === 0) return
  audit(ctx, owner.actor, 'mail.returned', { targetId: id, detail: { subject, reason: reasonOf(recipient) } })
}
