import type { Context } from '#api/context.ts'

const tier = `case i % 3 when 0 then 'lite' when 1 then 'standard' else 'xl' end`
const net = `case i % 3 when 0 then 12500 when 1 then 25000 else 45000 end`
const at = `'2026-03-01T09:00:00.000Z'`
const idOf = (kind: string) => `printf('019${kind}-0000-7000-8000-%012d', i)`

export const memberId = (number: number) => `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** As many members as a list may ever have, each with a customer, a subscription and three paid months. Every fifth has left. */
export function addManyMembers({ sqlite }: Pick<Context, 'sqlite'>, count: number): void {
  const members = `with recursive members(i) as (select 1 union all select i + 1 from members where i < ${count})`
  const insert = (into: string, values: string) =>
    sqlite.exec(`${members} insert into ${into} select ${values} from members`)
  sqlite.transaction(() => {
    insert(
      'users (id, email, firstName, lastName, createdAt, updatedAt)',
      `${idOf('a0000')}, 'member-' || i || '@many.test', 'Member', 'No ' || i, ${at}, ${at}`,
    )
    insert(
      'customers (id, userId, stripeCustomerId, createdAt)',
      `${idOf('b0000')}, ${idOf('a0000')}, 'cus_many' || i, ${at}`,
    )
    insert(
      'subscriptions (id, customerId, status, tierSlug, yearlyNet, created, updatedAt)',
      `'sub_many' || i, ${idOf('b0000')}, iif(i % 5 = 0, 'canceled', 'active'), ${tier}, ${net} * 12, ${at}, ${at}`,
    )
    insert(
      'revenue_changes (id, customerId, subscriptionId, kind, tierSlug, beforeYearly, afterYearly, at, month, createdAt)',
      `${idOf('c0000')}, ${idOf('b0000')}, 'sub_many' || i, 'new', ${tier}, 0, ${net} * 12, ${at}, '2026-03', ${at}`,
    )
    for (const [index, month] of ['2026-03', '2026-04', '2026-05'].entries()) addMonth(insert, { count, index, month })
  })()
}

type Month = { count: number; index: number; month: string }

function addMonth(insert: (into: string, values: string) => void, { count, index, month }: Month): void {
  const [day, time, issued] = [`'${month}-05'`, `'${month}-05T09:00:00.000Z'`, index * count]
  insert(
    `provider_invoices (id, customerId, subscriptionId, status, net, vat, total, amountPaid, created, paidAt, billingReason,
      tierSlug, lines)`,
    `'in_many${index}_' || i, ${idOf('b0000')}, 'sub_many' || i, 'paid', ${net}, ${net} / 5, ${net} * 6 / 5, ${net} * 6 / 5,
      ${time}, ${time}, 'subscription_cycle', ${tier}, '[]'`,
  )
  insert(
    `invoices (id, sequence, number, customerId, providerInvoiceId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net,
      vat, gross, createdAt)`,
    `${idOf(`d000${index}`)}, ${issued} + i, printf('A-%08d', ${issued} + i), ${idOf('b0000')}, 'in_many${index}_' || i, ${day},
      ${day}, '{"name":"","address":"","vatNumber":""}', '{"name":"Member","address":"2 Mill Lane"}', '[]', ${tier}, ${net},
      ${net} / 5, ${net} * 6 / 5, ${time}`,
  )
  insert(
    `commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, rate, amount, dueOn, createdAt)`,
    `${idOf(`e000${index}`)}, 'invoice', ${idOf('b0000')}, ${idOf(`d000${index}`)}, '${month}', '${month}', ${tier}, ${net}, 10,
      ${net} / 10, date(${day}, '+15 days'), ${time}`,
  )
}
