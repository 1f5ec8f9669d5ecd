import { and, count, eq, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { tiersBySlug } from '#api/features/tiers/service.ts'
import type { MemberPayments, MemberPaymentsQuery } from '#shared/contract/commission.ts'
import { commissionOn, defaultCommissionRate } from '#shared/rules/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { monthStarts } from '#shared/rules/paid-months.ts'
import { ownerIds } from './ledger-queries.ts'
import {
  type Account,
  accountByCustomer,
  accountId,
  accountsOf,
  hasUnpaidMonth,
  isOfAccount,
  jsonOfAccounts,
  monthsOf,
} from './month-queries.ts'

const hasLine = sql`exists (select 1 from ${commissionLedger} where ${commissionLedger.customerId} = ${customers.id})`

/** Members with a line in the ledger, and removed ones, by their customer's id. */
function payersOf({ db }: Context) {
  const members = db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(
      and(
        notInArray(users.id, ownerIds),
        sql`exists (select 1 from ${customers} where ${customerBelongsTo(users.id)} and ${hasLine})`,
      ),
    )
  const removed = db
    .select({
      id: customers.id,
      firstName: sql`'Removed'`.mapWith(users.firstName).as('firstName'),
      lastName: sql`'member'`.mapWith(users.lastName).as('lastName'),
      email: sql`''`.mapWith(users.email).as('email'),
    })
    .from(customers)
    .where(and(isNull(userIdOfCustomer()), hasLine))
  return { members, removed }
}

const payerListing: Listing<'joined' | 'name'> = {
  id: sql`payers.id`,
  sorts: {
    // Ids sort by time.
    joined: sql`payers.id`,
    name: sql`fold(concat_ws(' ', payers."lastName", payers."firstName"))`,
  },
  defaultSort: 'joined',
  search: [sql`payers."firstName"`, sql`payers."lastName"`, sql`payers.email`],
}

function readPayers(ctx: Context, request: MemberPaymentsQuery & { limit: number }, isShown: SQL | undefined) {
  const { members, removed } = payersOf(ctx)
  return readPage(payerListing, request, {
    rows: ({ where, orderBy, limit, position }) => {
      // Limits each, so that SQLite reads and sorts neither in full.
      const firstOf = (people: typeof members | typeof removed) => {
        const payers = people.as('payers')
        const page = ctx.db
          .select()
          .from(payers)
          .where(and(isShown, ...where))
        return ctx.db.select().from(
          page
            .orderBy(...orderBy)
            .limit(limit)
            .as('payers'),
        )
      }
      const payers = unionAll(firstOf(members), firstOf(removed)).as('payers')
      const { id, firstName, lastName, email } = payers
      const page = ctx.db.select({ id, firstName, lastName, email, position }).from(payers)
      return page
        .orderBy(...orderBy)
        .limit(limit)
        .all()
    },
    total: (where) =>
      ctx.db
        .select({ count: count() })
        .from(unionAll(members, removed).as('payers'))
        .where(and(isShown, ...where))
        .get()?.count ?? 0,
  })
}

export function listMemberPayments(
  ctx: Context,
  request: MemberPaymentsQuery & { limit: number },
): ListPage<MemberPayments> {
  const today = londonDay(ctx.billingNow())
  const isShown = request.show && hasUnpaidMonth(sql`payers.id`, today)
  const { rows: page, ...rest } = readPayers(ctx, request, isShown)
  const accounts = accountsOf(ctx, page)
  const months = monthsOf(ctx, accounts, today)
  const newest = newestPayments(ctx, accounts)
  const tier = tiersBySlug(ctx)
  const rows = page.map((person) => {
    const payment = newest.get(person.id)
    return {
      ...person,
      tierName: payment?.tierName ?? '',
      ...monthlyAmounts(payment, payment?.tierSlug ? tier(payment.tierSlug) : undefined),
      monthlyPayments: months.get(person.id) ?? [],
    }
  })
  return { rows, ...rest }
}

const newestByAccount = preparedQuery<{ accounts: string }>()((db, { accounts }) =>
  db
    .select({
      accountId,
      tierName: membershipTiers.name,
      tierSlug: commissionLedger.tierSlug,
      isUpgrade: providerInvoices.isUpgrade,
      start: providerInvoices.periodStart,
      end: providerInvoices.periodEnd,
      rate: commissionLedger.rate,
      net: commissionLedger.net,
      amount: commissionLedger.amount,
      // With max(), SQLite takes the other columns from the same row.
      newest: sql`max(${commissionLedger.dueOn} || ${commissionLedger.id})`.mapWith(String),
    })
    .from(accountByCustomer(accounts))
    .innerJoin(commissionLedger, isOfAccount)
    .leftJoin(membershipTiers, eq(membershipTiers.slug, commissionLedger.tierSlug))
    .leftJoin(invoices, eq(invoices.id, commissionLedger.invoiceId))
    .leftJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
    .where(eq(commissionLedger.kind, 'invoice'))
    .groupBy(accountId),
)

const newestPayments = (ctx: Context, accounts: readonly Account[]) =>
  new Map(newestByAccount.all(ctx, { accounts: jsonOfAccounts(accounts) }).map((row) => [row.accountId, row]))

type NewestPayment = ReturnType<typeof newestByAccount.all>[number]

/** In pounds. An upgrade's payment covers part of a month, so use the tier's monthly price. A year's counts as its twelfth. */
function monthlyAmounts(payment: NewestPayment | undefined, tier: { price: number } | undefined) {
  const { isUpgrade = false, net = 0, amount = 0, rate = null } = payment ?? {}
  const price = tier?.price ?? 0
  const isPart = isUpgrade === true && tier !== undefined
  if (isPart) return inPounds(price, commissionOn(price, rate ?? defaultCommissionRate))
  const { start = null, end = null } = payment ?? {}
  const months = start === null || end === null ? 1 : monthStarts({ start, end }).length
  return inPounds(Math.round(net / months), Math.round(amount / months))
}

const inPounds = (net: number, commission: number) => ({ monthlyAmount: net / 100, commissionAmount: commission / 100 })
