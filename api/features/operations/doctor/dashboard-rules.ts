import { asc, eq, isNotNull } from 'drizzle-orm'
import { nullable } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { listCredits } from '#api/features/subscriptions/credit-queries.ts'
import { listOtherAddresses } from '#api/features/subscriptions/provider-address-service.ts'
import { keptDraft } from '#api/features/subscriptions/queries.ts'
import { creditText } from '#shared/rules/credit.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { keptDraftText } from '#shared/rules/state-line.ts'
import { type Check, firstFew, named, ok, runCheck, shows, warning } from './check-rules.ts'

/** What owners did in Stripe's dashboard and have to finish, or to answer. */
export const checkDashboard = (db: Db, billingNow: () => Date): Check[] => [
  runCheck('kept drafts', () => findKeptDrafts(db)),
  runCheck('credit on balances', () => findCreditToName(db, billingNow)),
  runCheck('addresses at Stripe', () => findOtherAddresses(db)),
  runCheck('memberships to come', () => findWaitingStarts(db)),
]

/** Drafts that a pause of payments kept. We neither collect nor void them. */
function findKeptDrafts(db: Db): Check {
  const name = 'kept drafts'
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

/** A debit needs no answer, so it's told for as long as owners may still want to invoice it by hand. */
const debitDays = 31

function findCreditToName(db: Db, billingNow: () => Date): Check {
  const name = 'credit on balances'
  const since = new Date(billingNow().getTime() - debitDays * dayMs).toISOString()
  const listed = listCredits({ db })
  const open = listed.filter(({ counts, answer }) => counts !== 'debit' && answer === null)
  const debits = listed.filter(({ counts, takenAt }) => counts === 'debit' && (takenAt ?? '') > since)
  if (open.length + debits.length === 0) return ok(name, 'We know where all credit came from.')
  const said = [
    open.length > 0
      ? `Say if ${plural(open.length, 'credit')} on members’ balances ${open.length === 1 ? 'was' : 'were'} money or goodwill.`
      : '',
    debits.length > 0 ? `${plural(debits.length, 'paid debit isn’t', 'paid debits aren’t')} on any invoice.` : '',
  ].filter(Boolean)
  const parts = [...open, ...debits].map((credit) => {
    const { memberId: id, name: who } = credit
    return { message: creditText(credit), ...(id !== null && who !== null && { member: { id, name: who } }) }
  })
  const message = `${said.join(' ')} See: alliance invoices credits`
  return { ...warning(name, message, named(shows('invoices credits'))), parts }
}

function findOtherAddresses(db: Db): Check {
  const name = 'addresses at Stripe'
  const others = listOtherAddresses({ db })
  if (others.length === 0) return ok(name, 'Stripe has the same addresses as we do.')
  const parts = others.map(({ memberId: id, name: who, email, address }) => ({
    message: otherAddressText({ email, address }),
    member: { id, name: who },
  }))
  const who = firstFew(others.map(({ email }) => email))
  const message = `Stripe has another address for ${who}. Say which one counts: alliance members address MEMBER`
  return { ...warning(name, message, named(shows('members address'))), parts }
}

/** Started in Stripe with a day to come: nothing here shows them as members until then. */
function findWaitingStarts(db: Db): Check {
  const name = 'memberships to come'
  const { firstName, lastName, email } = users
  const waiting = db
    .select({ id: nullable(users.id), firstName, lastName, email: nullable(email), start: customers.waitingStart })
    .from(customers)
    .leftJoin(users, eq(users.id, customers.userId))
    .where(isNotNull(customers.waitingStart))
    .all()
  const parts = waiting.flatMap(({ id, email: address, start, ...person }) => {
    if (start === null) return []
    const message = waitingStartText(start)
    return [
      {
        message,
        ...(id !== null && address !== null && { member: { id, name: nameOrEmail({ ...person, email: address }) } }),
      },
    ]
  })
  const [first] = parts
  if (first === undefined) return ok(name, 'No membership is set to start later.')
  const who = first.member === undefined ? '' : `${first.member.name}: `
  const message = `${who}${first.message}${parts.length === 1 ? '' : ` ${plural(parts.length - 1, 'more starts', 'more start')} later.`}`
  return { ...warning(name, message, shows('members list')), parts }
}

function waitingStartText({ at, payment }: WaitingStart): string {
  const sum = payment === null ? '' : `, and we’ll take ${formatPoundsAndPence(payment.due)}`
  return `Stripe starts a membership on ${formatLongDate(at)}${sum}. They can’t join or resume before. Change it in Stripe.`
}

const otherAddressText = ({ email, address }: { email: string; address: string }) =>
  `Stripe has another email for them: ${address}. We have ${email}.`
