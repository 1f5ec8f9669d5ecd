import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import { currentSubscription, customerOfUser, hasAccessAt } from '#api/features/access/queries.ts'
import type { Owner } from '#api/http/session.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { greeting, type Message, paragraph } from '#api/mail/templates/layout.ts'
import type { LegalPage, LegalTelling } from '#shared/contract/admin-content.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { versionsOfPages } from './queries.ts'
import { contentOf } from './service.ts'

/** Who has access now, but for the owners: whom a change of the terms concerns. */
const listToTell = (ctx: Context) =>
  ctx.db
    .select({ id: users.id, email: users.email, firstName: users.firstName })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(and(eq(hasAccessAt(ctx.billingNow()), 1), eq(users.isAdmin, false)))
    .all()

/** Mails every member that a legal page has changed, once for each of its versions. With `isTrial` it is counted alone. */
export function tellOfLegalChange(
  ctx: Context,
  owner: Owner,
  { page, note, isTrial }: LegalTelling & { page: LegalPage },
): { members: number } {
  const members = listToTell(ctx)
  const version = versionsOfPages(ctx).get(page)
  if (version === undefined) throw new AppError('conflict', 'Nothing of this page was changed yet.')
  if (isTrial) return { members: members.length }
  transact(ctx, () => {
    for (const { id, email, firstName } of members) {
      const envelope = { cause: `legal:${page}:${version}:${id}`, to: email, userId: id, isRepeatable: true }
      queueMessage(ctx, envelope, legalChangeMail(ctx, page, { firstName, note }))
    }
    audit(ctx, owner.actor, 'content.told', { detail: { page, members: members.length } })
  })
  return { members: members.length }
}

function legalChangeMail(ctx: Context, page: LegalPage, to: { firstName: string | null; note: string }): Message {
  const { title, updated } = contentOf(ctx).read().pages[page]
  return {
    subject: `Changed: ${title}`,
    heading: `${greeting(to.firstName)} we have changed a page that concerns you`,
    blocks: [
      paragraph(`“${title}” reads differently as of ${formatLongDate(updated)}.`),
      ...to.note
        .split(/\n{2,}/)
        .filter((text) => text.trim() !== '')
        .map(paragraph),
      { kind: 'button', label: `Read “${title}”`, url: `${ctx.settings.publicUrl}/${page}` },
      paragraph('If you have a question, write to us before it matters to you.'),
    ],
  }
}
