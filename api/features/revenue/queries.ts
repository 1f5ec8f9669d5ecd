import type { Context } from '#api/context.ts'
import { personOfCustomer } from '#api/db/whose.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { Amounts, RevenueMovement } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { revenueRule } from '#shared/rules/mrr.ts'

/** Changes of a month that are alike, added up. */
export type ChangeSum = {
  kind: RevenueMovement
  tierSlug: TierSlug
  tierBefore: TierSlug | null
  before: number
  after: number
  /** How many of them counted before, and how many count after. */
  countedBefore: number
  countedAfter: number
}
export type InvoiceSum = Amounts & { tierSlug: TierSlug | null }
type CountedSum = { tierSlug: TierSlug; count: number; monthlyNet: number; paying: number }
type DetailRow = {
  subscriptionId: string
  customerName: string
  status: (typeof subscriptionStatuses)[number]
  isSettled: 0 | 1
  monthlyNet: number
}
type Sums = { net: number; vat: number; gross: number }

/** Refunds count on their own day, what takes back a mistake where the mistake did; `cross join` begins with the few notes. */
const datedNotes = `(
  select issuedOn as day, sequence, net, vat, gross from credit_notes where kind = 'refund'
  union all
  select invoices.taxPoint, note.sequence, note.net, note.vat, note.gross
  from credit_notes note cross join invoices on invoices.id = note.invoiceId where note.kind <> 'refund')`

const countedStatuses = subscriptionStatuses.filter((status) => revenueRule(status).isCounted)

const sums =
  'coalesce(sum(net), 0) as net, coalesce(sum(vat), 0) as vat, coalesce(sum(net), 0) + coalesce(sum(vat), 0) as gross'

function prepareNow({ sqlite }: Context) {
  return {
    /** What counts now, from the index alone. */
    counted: sqlite.prepare<[], CountedSum>(
      `select tierSlug, count(*) as count, sum(monthlyNet) as monthlyNet, sum(monthlyNet > 0) as paying
       from subscriptions where status in ('${countedStatuses.join("', '")}') group by status, tierSlug`,
    ),
    /** Owners who pay like anybody else. */
    payingOwners: sqlite.prepare<[], { count: number }>(
      `select count(distinct subscriptions.id) as count from owner_addresses
       join customers on customers.userId = owner_addresses.userId
       join subscriptions on subscriptions.customerId = customers.id
       where owner_addresses.role = 'owner' and subscriptions.monthlyNet > 0
         and subscriptions.status in ('${countedStatuses.join("', '")}')`,
    ),
    tiers: sqlite.prepare<[string], { slug: TierSlug; name: string; rate: number | null }>(
      `select slug, name, (select rate from commission_rates
         where tierSlug = membership_tiers.slug and validFrom <= ? order by validFrom desc limit 1) as rate
       from membership_tiers order by orderIndex`,
    ),
    created: sqlite.prepare<[string], { created: string }>('select created from subscriptions where id = ?'),
    details: sqlite.prepare<[string, string, string, number], DetailRow>(
      `select subscriptions.id as subscriptionId, case when users.id is null then 'Removed member'
           else coalesce(nullif(trim(coalesce(users.firstName, '') || ' ' || coalesce(users.lastName, '')), ''), users.email) end as customerName,
         subscriptions.status, subscriptions.isSettled, subscriptions.monthlyNet
       from subscriptions join customers on customers.id = subscriptions.customerId left join users on users.id = ${personOfCustomer()}
       where subscriptions.status not in ('canceled', 'incomplete_expired')
         and subscriptions.created >= ? and (subscriptions.created, subscriptions.id) > (?, ?)
       order by subscriptions.created, subscriptions.id limit ?`,
    ),
  }
}

function prepareMonths({ sqlite }: Context) {
  return {
    frozen: sqlite.prepare<[number], { month: string; figures: string; frozenAt: string }>(
      'select month, figures, frozenAt from revenue_months order by month desc limit ?',
    ),
    freeze: sqlite.prepare<[string, string, string]>(
      'insert into revenue_months (month, figures, frozenAt) values (?, ?, ?)',
    ),
    /** The first month that has anything in it. */
    earliest: sqlite.prepare<[], { month: string | null }>(
      `select min(value) as month from json_each(json_array(
         (select min(month) from revenue_changes), substr((select min(taxPoint) from invoices), 1, 7),
         (select min(month) from commission_ledger))) where value is not null`,
    ),
    changes: sqlite.prepare<[string], ChangeSum>(
      `select kind, tierSlug, tierBefore, sum(before) as before, sum(after) as after, sum(before > 0) as countedBefore,
         sum(after > 0) as countedAfter
       from revenue_changes where month = ? group by kind, tierSlug, tierBefore`,
    ),
    /** By day and tier: that is the order of the index, so nothing is sorted. */
    invoiced: sqlite.prepare<[string, string], InvoiceSum>(
      `select tierSlug, ${sums} from invoices where taxPoint >= ? and taxPoint < ? group by taxPoint, tierSlug`,
    ),
    credited: sqlite.prepare<[string, string], Sums>(`select ${sums} from ${datedNotes} where day >= ? and day < ?`),
    /** After so many had been issued, and dated before that day. */
    late: sqlite.prepare<[number, string], Sums>(`select ${sums} from invoices where sequence > ? and taxPoint < ?`),
    lateCredit: sqlite.prepare<[number, string], Sums>(
      `select ${sums} from ${datedNotes} where sequence > ? and day < ?`,
    ),
    issued: sqlite.prepare<[], { lastInvoice: number; lastCreditNote: number }>(
      `select (select coalesce(max(sequence), 0) from invoices) as lastInvoice,
         (select coalesce(max(sequence), 0) from credit_notes) as lastCreditNote`,
    ),
    commission: sqlite.prepare<[string], { amount: number }>(
      'select coalesce(sum(amount), 0) as amount from commission_ledger where month = ?',
    ),
  }
}

const prepare = (ctx: Context) => ({ ...prepareNow(ctx), ...prepareMonths(ctx) })

type Prepared = ReturnType<typeof prepare>
const kept = new WeakMap<Context, Prepared>()
export function revenueStatements(ctx: Context): Prepared {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}
