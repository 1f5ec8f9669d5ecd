import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { customerCredits } from '#api/db/schema/provider.ts'
import type { CreditAnswer } from '#shared/rules/credit.ts'

const answered = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db
    .select({ id: customerCredits.id, answer: customerCredits.answer })
    .from(customerCredits)
    .innerJoin(customers, eq(customers.id, customerCredits.customerId))
    .where(and(eq(customers.stripeCustomerId, stripeCustomerId), isNotNull(customerCredits.answer))),
)

/** What owners said a customer's credits were. */
export const creditAnswersOf = (ctx: Context, stripeCustomerId: string): Map<string, CreditAnswer> =>
  new Map(
    answered
      .all(ctx, { stripeCustomerId })
      .flatMap(({ id, answer }) => (answer === null ? [] : [[id, answer] as const])),
  )
