import { asc, eq } from 'drizzle-orm'
import { nullable } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { keptDraft } from '#api/features/billing/queries.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { keptDraftText } from '#shared/rules/state-line.ts'
import { type Check, ok, runCheck, shows, warning } from './check-rules.ts'

const name = 'kept drafts'

/** Drafts that a pause of payments kept. We neither collect nor void them. */
export const checkKeptDrafts = (db: Db): Check => runCheck(name, () => findKeptDrafts(db))

function findKeptDrafts(db: Db): Check {
  const drafts = db
    .select({
      total: providerInvoices.total,
      created: providerInvoices.created,
      id: nullable(users.id),
      firstName: users.firstName,
      lastName: users.lastName,
      email: nullable(users.email),
    })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .where(keptDraft)
    .orderBy(asc(providerInvoices.created))
    .all()
  if (drafts.length === 0) return ok(name, 'No invoice is kept as a draft.')
  const parts = drafts.map(({ id, email, ...draft }) => {
    const member = id === null || email === null ? {} : { member: { id, name: nameOrEmail({ ...draft, email }) } }
    return { message: keptDraftText(draft), ...member }
  })
  const [first] = parts
  const message =
    parts.length === 1 ? (first?.message ?? '') : `${parts.length} invoices are drafts at Stripe. ${first?.message}`
  return { ...warning(name, message, shows('members list')), parts }
}
