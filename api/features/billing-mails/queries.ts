import { eq, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isTrue } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { personOfCustomer } from '#api/db/whose.ts'
import {
  type Access,
  accessFrom,
  currentSubscription,
  customerOfUser,
  membershipFields,
} from '#api/features/access/queries.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

export type Member = {
  id: string
  email: string
  firstName: string | null
  hasPassword: boolean
  /** The owners gave this member access, whatever is paid. */
  isGranted: boolean
  access: Access
}

export type Subscription = {
  id: string
  customerId: string
  status: Exclude<SubscriptionStatus, 'none'>
  tierSlug: TierSlug
  monthlyNet: number
  currentPeriodEnd: string | null
  trialEnd: string | null
  cancelAtPeriodEnd: 0 | 1
  cancelAt: string | null
  canceledAt: string | null
  endedAt: string | null
  cancellationReason: string | null
  nextTierSlug: TierSlug | null
  nextTierAt: string | null
  nextTierNet: number | null
  created: string
}
const subscriptionColumns = `id, customerId, status, tierSlug, monthlyNet, currentPeriodEnd, trialEnd, cancelAtPeriodEnd,
  cancelAt, canceledAt, endedAt, cancellationReason, nextTierSlug, nextTierAt, nextTierNet, created`

/** Who paid: an order's own buyer goes before the account. Null where the account is deleted. */
type Payer = { email: string | null; firstName: string | null; userId: string | null }
const payer = `coalesce(o.email, u.email) as email, coalesce(o.firstName, u.firstName) as firstName,
  iif(o.id is null, u.id, null) as userId`
const payerJoins = `left join quotient_orders o on o.id = p.quotientOrderId
  left join customers c on c.id = p.customerId left join users u on u.id = ${personOfCustomer('c')}`

/** An invoice that nobody was told of, but for those in the place of a removed one; `replaced` is what it puts right, `creditNote` what took that back. */
export type IssuedRow = Payer & { id: string; paidAt: string; replaced: string | null; creditNote: string | null }

export type RefundRow = Payer & {
  id: string
  amount: number
  created: string
  noteId: string | null
  note: string | null
  invoice: string | null
}

export type FailedRefundRow = Payer & Pick<RefundRow, 'id' | 'amount' | 'created'>

export type UnpaidRow = { id: string; net: number; vat: number; total: number; created: string }

const notTold = (kind: string, id: string) => `not exists (select 1 from mail_outbox where cause = '${kind}:' || ${id})`

/** What stands in the place of a removed invoice is no news to whoever paid. */
const notRemoved = `not exists (select 1 from credit_notes where invoiceId = replaced.id and kind = 'removal')`

function prepare({ sqlite }: Context) {
  return {
    ...aboutMembers(sqlite),
    told: sqlite.prepare<[string], unknown>('select 1 from mail_outbox where cause = ?'),
    causes: sqlite
      .prepare<[string, string], string>('select cause from mail_outbox where cause > ? and cause < ?')
      .pluck(),
    knownSince: sqlite.prepare<[string], string>('select createdAt from customers where id = ?').pluck(),
    issued: sqlite.prepare<[string, string, string], IssuedRow>(
      `select invoices.id, coalesce(p.paidAt, p.created) as paidAt, replaced.number as replaced, ${payer},
         (select number from credit_notes where invoiceId = replaced.id and kind <> 'refund'
          order by sequence desc limit 1) as creditNote
       from invoices join provider_invoices p on p.id = invoices.providerInvoiceId
         left join invoices replaced on replaced.id = invoices.replacesId ${payerJoins}
       where invoices.customerId = +? and invoices.createdAt >= +?
         and (coalesce(p.paidAt, p.created) >= +? or invoices.replacesId is not null) and ${notRemoved} and ${notTold('receipt', 'invoices.id')}
       order by invoices.sequence`,
    ),
    refunds: sqlite.prepare<[string, string], RefundRow>(
      `select r.id, r.amount, r.created, notes.id as noteId, notes.number as note, invoices.number as invoice, ${payer}
       from provider_refunds r join provider_invoices p on p.id = r.providerInvoiceId
         left join credit_notes notes on notes.providerRefundId = r.id
         left join invoices on invoices.id = notes.invoiceId ${payerJoins}
       where r.customerId = +? and r.status = 'succeeded' and r.created >= +? and ${notTold('refund', 'r.id')}
       order by r.created, r.id`,
    ),
    /** Told to be on their way, and come back since. */
    failedRefunds: sqlite.prepare<[string], FailedRefundRow>(
      `select r.id, r.amount, r.created, ${payer}
       from provider_refunds r join provider_invoices p on p.id = r.providerInvoiceId ${payerJoins}
       where r.customerId = +? and r.status in ('failed', 'canceled') and not ${notTold('refund', 'r.id')}
         and ${notTold('refund-failed', 'r.id')}`,
    ),
    unpaid: sqlite.prepare<[string, string], UnpaidRow>(
      `select id, net, vat, total, created from provider_invoices where subscriptionId = ? and status = 'open'
         and created >= ? and billingReason = 'subscription_cycle' and attempts > 0
         and ${notTold('payment-failed', 'provider_invoices.id')}`,
    ),
  }
}

function aboutMembers(sqlite: Context['sqlite']) {
  const paid = `from provider_invoices where status = 'paid' and amountPaid > 0`
  return {
    subscription: sqlite.prepare<[string], Subscription>(
      `select ${subscriptionColumns} from subscriptions where id = ?`,
    ),
    ended: sqlite.prepare<[string, string], Subscription>(
      `select ${subscriptionColumns} from subscriptions where customerId = ? and status = 'canceled' and endedAt >= ?
         and ${notTold('ended', 'subscriptions.id')}`,
    ),
    hasPaid: sqlite.prepare<[string], unknown>(`select 1 ${paid} and subscriptionId = ? limit 1`),
    wasMember: sqlite.prepare<[{ id: string; customerId: string }], unknown>(
      `select 1 ${paid} and customerId = @customerId and subscriptionId is not null and subscriptionId <> @id
       union all select 1 from purchase_attempts where stripeSubscriptionId = @id and kind = 'delayed' limit 1`,
    ),
    withdrawn: sqlite.prepare<[string], unknown>('select 1 from withdrawals where stripeSubscriptionId = ?'),
  }
}

const kept = new WeakMap<Context, ReturnType<typeof prepare>>()
export function queriesOf(ctx: Context) {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

const memberById = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      ...{ id: users.id, email: users.email, firstName: users.firstName },
      hasPassword: isTrue(isNotNull(users.passwordHash)),
      ...membershipFields,
    })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(eq(users.id, unplanned(userId))),
)

export function findMember(ctx: Context, userId: string): Member | null {
  const row = memberById.get(ctx, { userId })
  if (row === undefined) return null
  return {
    ...{ id: row.id, email: row.email, firstName: row.firstName, hasPassword: row.hasPassword },
    isGranted: row.accessOverride === 'granted',
    access: accessFrom(row, ctx.billingNow()),
  }
}
