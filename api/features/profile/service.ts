import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { versionConflict } from '#api/errors.ts'
import {
  countEmailChange,
  emailStateOf,
  requestEmailChange,
} from '#api/features/accounts/login/email-change-service.ts'
import { withdrawEmailChange } from '#api/features/accounts/login/link-service.ts'
import type { Member, Person } from '#api/identity/person.ts'
import { assertProven } from '#api/identity/proof.ts'
import type { AccountDeleted } from '#shared/contract/account.ts'
import type { Profile, ProfileRequest } from '#shared/contract/profile.ts'
import { readProfile } from './account-service.ts'
import { removeOwnAccount } from './removal-service.ts'

export function ownProfile(ctx: Context, { id }: Pick<Person, 'id'>): Profile {
  const { firstName, lastName, email, phone, businessName, trade, version } = readProfile(ctx, id)
  return { firstName, lastName, email, phone, businessName, trade, version, ...emailStateOf(ctx, id) }
}

/**
 * `version` is the one they edited. If it's outdated, stores nothing and returns both. A repeat isn't a conflict. A new address
 * takes effect only once its mailed link is opened.
 */
export function changeOwnProfile(
  ctx: Context,
  person: Member,
  { request, version }: { request: ProfileRequest; version: number | null },
): Profile {
  if (request.email !== undefined && request.email !== person.email) countEmailChange(ctx, person)
  return transact(ctx, () => {
    const current = ownProfile(ctx, person)
    const before: Record<string, unknown> = current
    const { email, ...wanted } = request
    const fields = Object.entries(wanted).flatMap(([name, value]) => (value === before[name] ? [] : [name]))
    const hasNewEmail = email !== undefined && email !== current.email
    if (fields.length === 0 && !hasNewEmail) {
      if (email === current.email) withdrawEmailChange(ctx, person.id)
      return ownProfile(ctx, person)
    }
    if (version !== null && version !== current.version) {
      throw versionConflict({ sent: { ...current, ...request }, current })
    }
    if (hasNewEmail) requestEmailChange(ctx, person, email)
    if (fields.length > 0) {
      const updatedAt = ctx.now().toISOString()
      ctx.db
        .update(users)
        .set({ ...wanted, version: current.version + 1, updatedAt })
        .where(eq(users.id, person.id))
        .run()
      audit(ctx, `user:${person.id}`, 'member.profile_changed', { targetId: person.id, detail: { fields } })
    }
    return ownProfile(ctx, person)
  })
}

/** Ends the membership first, and deletes nothing if that fails. Tax law requires invoices and payments to stay. */
export async function deleteOwnAccount(ctx: Context, person: Member): Promise<AccountDeleted> {
  if (person.hasPassword) assertProven(ctx, person)
  const { subscriptions, stays } = await removeOwnAccount(ctx, person)
  return { success: true, subscriptions, invoices: stays.invoices }
}
