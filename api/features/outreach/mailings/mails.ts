import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { embeddedMail, embeddedMailHeaders } from '#api/documents/mailbox-page.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { logoForMail } from '#api/features/site/brand/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { type Message, paragraph, renderMail } from '#api/mail/templates/layout.ts'
import { writtenMail } from '#api/mail/templates/written.ts'
import { contentOf } from '#api/site/content.ts'
import type { Done } from '#shared/contract/auth.ts'
import { causeOf, type MailingRow } from './queries.ts'
import { rowOf } from './service.ts'

type Recipient = { id: string; email: string; firstName: string | null }

const messageOf = (ctx: Context, { subject, text }: MailingRow, firstName: string | null): Message =>
  writtenMail({ subject, text, firstName, siteUrl: ctx.settings.publicUrl })

/** Queues someone's mail. News includes an unsubscribe link; mail about the membership goes to everyone. */
export function queueMailing(ctx: Context, row: MailingRow, { id, email, firstName }: Recipient): void {
  const envelope = { cause: causeOf(row.id, id), to: email, userId: id, isRepeatable: true }
  const purpose = row.purpose === 'news' ? { purpose: row.purpose } : {}
  queueMessage(ctx, { ...envelope, ...purpose }, messageOf(ctx, row, firstName))
}

/** The real mail has a personal link here, which only its reader should use. */
const inPlaceOfStopLink = (row: MailingRow) =>
  row.purpose === 'news' ? [paragraph('Unsubscribe: (each reader’s own link)')] : []

function tryOut(ctx: Context, row: MailingRow, memberId: string | undefined): Message {
  const message = messageOf(ctx, row, memberId === undefined ? null : firstNameOf(ctx, memberId))
  return { ...message, blocks: [...message.blocks, ...inPlaceOfStopLink(row)] }
}

function firstNameOf({ db }: Context, id: string): string | null {
  const found = db.select({ firstName: users.firstName }).from(users).where(eq(users.id, id)).get()
  if (found === undefined) throw memberNotFound()
  return found.firstName
}

type Trial = { id: string; member?: string | undefined }
type NamedTrial = Trial & { wish: string; to?: string | undefined }

/** Of our own origin, so that the page around the iframe can read how tall the email is. It still runs no scripts. */
const measuredMailHeaders = {
  ...embeddedMailHeaders,
  'content-security-policy': embeddedMailHeaders['content-security-policy'].replace(
    /sandbox .*/,
    'sandbox allow-same-origin',
  ),
}

export async function previewMailing(ctx: Context, { id, member }: Trial): Promise<Response> {
  const mail = renderMail(tryOut(ctx, rowOf(ctx, id), member), contentOf(ctx).read().site)
  return new Response(embeddedMail(mail.html, await logoForMail(ctx)), { headers: measuredMailHeaders })
}

/** Mails a test to the requesting owner or an address they name, once per key. */
export function testMailing(ctx: Context, owner: Owner, { wish, to: named, ...trial }: NamedTrial): Done {
  const { actor } = owner
  const isWanted = named === undefined ? eq(users.id, owner.userId ?? '') : eq(users.email, named)
  const to = ctx.db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(isWanted, eq(users.isAdmin, true)))
    .get()
  if (to === undefined) {
    const sentence = 'Tests go to an owner. Log in, or give an owner’s address as “to”.'
    throw new AppError('conflict', sentence)
  }
  return transact(ctx, () => {
    const row = rowOf(ctx, trial.id)
    const cause = `mailing-test:${row.id}:${wish}`
    const known = ctx.db.select({ id: mailOutbox.id }).from(mailOutbox).where(eq(mailOutbox.cause, cause)).get()
    if (known !== undefined) return { success: true }
    const message = tryOut(ctx, row, trial.member)
    const envelope = { cause, to: to.email, userId: to.id, isRepeatable: true }
    queueMessage(ctx, envelope, { ...message, subject: `Test: ${message.subject}` })
    audit(ctx, actor, 'mailing.tested', { targetId: row.id, detail: { subject: row.subject } })
    return { success: true }
  })
}
