import { asc, eq, sql } from 'drizzle-orm'
import { displayName, userIdOfCustomer } from '#api/db/customers.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'

/** Each change of a month by itself, oldest first. */
export const movementsOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      at: revenueChanges.at,
      kind: revenueChanges.kind,
      name: sql`case when ${users.id} is null then 'Removed member' else ${displayName} end`.mapWith(users.email),
      before: revenueChanges.before,
      after: revenueChanges.after,
    })
    .from(revenueChanges)
    .innerJoin(customers, eq(customers.id, revenueChanges.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(eq(revenueChanges.month, month))
    .orderBy(asc(revenueChanges.at), asc(revenueChanges.id)),
)
