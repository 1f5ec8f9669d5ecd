import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { versionsOfPages } from '#api/features/site/content/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { contentOf } from '#api/site/content.ts'
import type { LegalNotice, LegalPage, LegalTold } from '#shared/contract/admin-content.ts'
import type { MailingRequest } from '#shared/contract/mailing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { countAudience } from './audience-queries.ts'
import { sendForCause } from './service.ts'

/** Everyone with access, since a change of the terms concerns them. They can't opt out of it. */
const toMembers = {
  purpose: 'service',
  segment: { tiers: [], state: 'with-access', progress: null, notSeenDays: null, joined: null },
  perMinute: 60,
} as const satisfies Partial<MailingRequest>

/** Once per version. It's an ordinary mailing: owners can pause or stop it there. `isTrial` only counts members. */
export function tellOfLegalChange(
  ctx: Context,
  owner: Owner,
  { page, note, isTrial }: LegalNotice & { page: LegalPage },
): LegalTold {
  const version = versionsOfPages(ctx).get(page)
  if (version === undefined) throw new AppError('conflict', 'You haven’t changed this page yet.')
  const { gets } = countAudience(ctx, toMembers.segment, toMembers.purpose)
  if (isTrial || gets === 0) return { members: gets, mailingId: null }
  if (gets > 1) assertOwnerProven(ctx, owner)
  return transact(ctx, () => {
    const request = { ...legalChange(ctx, page, note), ...toMembers }
    const { id, report } = sendForCause(ctx, owner, { cause: `legal:${page}:${version}`, request })
    const members = Object.values(report ?? {}).reduce((sum, people) => sum + people, -(report?.leftOut ?? 0))
    audit(ctx, owner.actor, 'content.told', { detail: { page, members } })
    return { members, mailingId: id }
  })
}

function legalChange(ctx: Context, page: LegalPage, note: string): Pick<MailingRequest, 'subject' | 'text'> {
  const { title, updated } = contentOf(ctx).read().pages[page]
  const text = [
    `We changed “${title}” on ${formatLongDate(updated)}.`,
    note.trim(),
    `[Read “${title}”](/${page})`,
    'Any questions? Reply to this email.',
  ]
  return { subject: `Changed: ${title}`, text: text.filter((part) => part !== '').join('\n\n') }
}
