import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { adoptedSubscriptions } from '#api/db/schema/subscriptions.ts'
import type { Adoptions } from '#api/stripe/adoption-facts.ts'

const byCustomer = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db
    .select({
      id: adoptedSubscriptions.id,
      tierSlug: adoptedSubscriptions.tierSlug,
      stripePriceId: adoptedSubscriptions.stripePriceId,
      adoptedAt: adoptedSubscriptions.adoptedAt,
    })
    .from(adoptedSubscriptions)
    .where(eq(adoptedSubscriptions.stripeCustomerId, stripeCustomerId)),
)

/** A customer's adopted subscriptions. */
export const adoptionsOf = (ctx: Context, stripeCustomerId: string): Adoptions =>
  new Map(byCustomer.all(ctx, { stripeCustomerId }).map(({ id, ...adoption }) => [id, adoption]))

const adoptionById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(adoptedSubscriptions).where(eq(adoptedSubscriptions.id, id)),
)

export const findAdoption = (ctx: Context, subscriptionId: string) => adoptionById.get(ctx, { id: subscriptionId })

const cutOverOf = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ at: greatest(adoptedSubscriptions.adoptedAt) })
    .from(adoptedSubscriptions)
    .innerJoin(customers, eq(customers.stripeCustomerId, adoptedSubscriptions.stripeCustomerId))
    .where(eq(customers.id, customerId)),
)

/** When the customer's newest adopted subscription became ours. Null without one. */
export const adoptedAtOf = (ctx: Context, customerId: string): string | null =>
  cutOverOf.get(ctx, { customerId })?.at ?? null
