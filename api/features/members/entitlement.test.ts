import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTrue, nullable } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentStatuses, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { isCounted } from '#api/features/earnings/revenue/queries.ts'
import {
  accessFrom,
  currentSubscription,
  customerOfUser,
  hasAccessAt,
  isGrantedAt,
  isPaymentDue,
  membershipFields,
  tierAt,
} from '#api/identity/access-queries.ts'
import { startWorld } from '#api/testing/world.ts'
import { collectionPauses, subscriptionStatuses } from '#shared/contract/billing.ts'
import { mrrRule, settledStatus } from '#shared/rules/mrr.ts'

const now = new Date('2026-06-15T09:00:00.000Z')
const daysFrom = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
const day = fc.integer({ min: -40, max: 40 }).map(daysFrom)
const tier = fc.constantFrom('lite', 'standard', 'xl')

const person = fc.record({
  accessOverride: fc.constantFrom(null, null, 'granted' as const, 'revoked' as const),
  accessUntil: fc.option(day),
  accessTier: fc.option(tier),
})
const subscription = fc.record({
  status: fc.constantFrom(...subscriptionStatuses),
  isSettled: fc.boolean(),
  isUnrecognised: fc.boolean(),
  tierSlug: tier,
  currentPeriodEnd: fc.option(day),
  trialEnd: fc.option(day),
  cancelAt: fc.option(day),
  cancelAtPeriodEnd: fc.boolean(),
  collectionPause: fc.option(fc.constantFrom(...collectionPauses)),
  pausedFor: fc.option(fc.constant('pause_requested')),
  pausedAccessUntil: fc.option(day),
})
const payment = fc.record({
  status: fc.constantFrom(...paymentStatuses),
  amountPaid: fc.constantFrom(0, 30_000),
  billingReason: fc.constantFrom('subscription_create', 'subscription_cycle', 'manual'),
  isUpgrade: fc.boolean(),
  freeMonthNet: fc.constantFrom(null, null, 25_000),
  tierSlug: fc.option(tier),
  created: day,
})

test('what a person has is the same in SQL, over any free access, subscription and payments', () => {
  const { ctx } = startWorld()
  const { db } = ctx
  const [userId, customerId, id] = [ctx.newId(), ctx.newId(), 'sub_1']
  const at = daysFrom(-100)
  const drawn = fc.tuple(person, fc.option(subscription), fc.array(payment, { maxLength: 4 }))
  insertRow(ctx, users, { id: userId, email: 'sam@example.com', createdAt: at, updatedAt: at })
  insertRow(ctx, customers, { id: customerId, userId, stripeCustomerId: 'cus_1', createdAt: at })
  fc.assert(
    fc.property(drawn, ([free, bought, payments]) => {
      db.delete(providerInvoices).run()
      db.delete(subscriptions).run()
      db.update(users).set(free).run()
      if (bought !== null) {
        const figures = { yearlyNet: 300_000, created: at, updatedAt: at }
        insertRow(ctx, subscriptions, { id, customerId, ...figures, ...bought })
        const amounts = { net: 25_000, vat: 5_000, total: 30_000 }
        for (const one of payments)
          insertRow(ctx, providerInvoices, { id: ctx.newId(), customerId, subscriptionId: id, ...amounts, ...one })
      }
      const [row] = db
        .select({
          ...membershipFields,
          hasAccess: isTrue(hasAccessAt(now)),
          tier: nullable(subscriptions.tierSlug, tierAt(now)),
          isGranted: isTrue(isGrantedAt(now)),
          isDue: isTrue(sql`coalesce(${isPaymentDue}, 0)`),
          isCounted: isTrue(sql`coalesce(${isCounted}, 0)`),
        })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(eq(users.id, userId))
        .all()
      if (row === undefined) throw new Error('no row')
      const access = accessFrom(row, now)
      const counts = bought !== null && mrrRule(settledStatus(bought)).isCounted
      expect(row).toMatchObject({
        hasAccess: access.hasAccess,
        isGranted: access.isGranted,
        isDue: access.status === 'past_due' || access.status === 'unpaid',
        isCounted: counts,
      })
      if (access.hasAccess) expect(row.tier).toBe(access.tier)
    }),
    { numRuns: process.env.FULL ? 2_000 : 300 },
  )
})
