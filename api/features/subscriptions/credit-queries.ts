import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { belongsToUser, displayName, userIdOfCustomer } from '#api/db/customers.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { customerCredits, isCreditToName } from '#api/db/schema/provider.ts'
import type { MemberCredit } from '#shared/contract/accounting.ts'
import { type CreditAnswer, toName } from '#shared/rules/credit.ts'

const known = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db
    .select({ id: customerCredits.id, answer: customerCredits.answer })
    .from(customerCredits)
    .innerJoin(customers, eq(customers.id, customerCredits.customerId))
    .where(eq(customers.stripeCustomerId, stripeCustomerId)),
)

/** Everything known to have moved a customer's balance, and what owners said it was. */
export const creditAnswersOf = (ctx: Context, stripeCustomerId: string): Map<string, CreditAnswer | null> =>
  new Map(known.all(ctx, { stripeCustomerId }).map(({ id, answer }) => [id, answer]))

/** One query for each question, so that each has an index. */
const selectMovements = (db: Db, whose: SQL) =>
  db
    .select({
      id: customerCredits.id,
      type: customerCredits.type,
      amount: customerCredits.amount,
      invoice: customerCredits.invoice,
      createdAt: customerCredits.created,
      answer: customerCredits.answer,
      money: customerCredits.money,
      customerId: customers.id,
      stripeCustomerId: customers.stripeCustomerId,
      memberId: users.id,
      name: displayName,
      email: users.email,
    })
    .from(customerCredits)
    .innerJoin(customers, eq(customers.id, customerCredits.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(whose)
    // Within a second, in the order in which Stripe listed them.
    .orderBy(asc(customerCredits.created), sql`${customerCredits}.rowid`)

const named = alias(customerCredits, 'named')

/** Of customers owners may have something to say about: hardly any has such credit. */
const movements = preparedQuery()((db) =>
  selectMovements(
    db,
    inArray(customerCredits.customerId, db.select({ id: named.customerId }).from(named).where(isCreditToName)),
  ),
)
const movementsOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  selectMovements(db, eq(customerCredits.customerId, customerId)),
)
const movementsOfUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  selectMovements(db, belongsToUser(db, customerCredits.customerId, userId)),
)

type Row = ReturnType<typeof movements.all>[number]
export type FoundCredit = { credit: MemberCredit; customerId: string; stripeCustomerId: string }
type Of = { customerId: string } | { userId: string } | null

function movementsOf(ctx: Pick<Context, 'db'>, of: Of): Row[] {
  if (of === null) return movements.all(ctx)
  return 'userId' in of ? movementsOfUser.all(ctx, of) : movementsOfCustomer.all(ctx, of)
}

/** What owners have something to say about, or should read: credit whose type doesn't tell what it was, and debits taken with a month. */
export function findCredits(ctx: Pick<Context, 'db'>, of: Of = null): FoundCredit[] {
  const rows = movementsOf(ctx, of)
  const byCustomer = Map.groupBy(rows, (row) => row.customerId)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const whenTaken = new Map(rows.flatMap((row) => (row.invoice === null ? [] : [[row.invoice, row.createdAt]])))
  return [...byCustomer.values()].flatMap((own) => {
    const answers = new Map(own.map(({ id, answer }) => [id, answer]))
    return toName(own, answers).flatMap(({ id, amount, counts, takenBy }) => {
      const row = byId.get(id)
      const takenAt = takenBy === null ? null : (whenTaken.get(takenBy) ?? null)
      return row === undefined ? [] : [toFound(row, { amount, counts, takenAt })]
    })
  })
}

function toFound(
  { customerId, stripeCustomerId, memberId, name, ...row }: Row,
  named: Pick<MemberCredit, 'amount' | 'counts' | 'takenAt'>,
): FoundCredit {
  const { id, email, type, createdAt, answer } = row
  const credit = { id, memberId, name: memberId === null ? null : name, email, type, createdAt, answer, ...named }
  return { customerId, stripeCustomerId, credit }
}

export const listCredits = (ctx: Pick<Context, 'db'>, of: Of = null): MemberCredit[] =>
  findCredits(ctx, of).map(({ credit }) => credit)
