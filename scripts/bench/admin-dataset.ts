import { openContext } from '#api/context.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { readSettings } from '#api/settings.ts'
import { insertProgress, withoutIndexes } from './large-dataset.ts'

const memberCount = 10_000
const paymentCount = 250_000
const progressCount = 1_000_000

/** Ids of one kind sort by their number `i`. */
const idOf = (kind: string, number = 'i') => `printf('019${kind}-0000-7000-8000-%012d', ${number})`
const numbers = (count: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
const tier = `case i % 3 when 0 then 'lite' when 1 then 'standard' else 'xl' end`
const net = `case i % 3 when 0 then 12500 when 1 then 25000 else 45000 end`
const name = `'Member', 'No ' || i`

type Insert = (into: string, values: string, count?: number) => void

/**
 * Fills a data folder with what two owners may see: members (a fifth have left, a twentieth haven't paid), a payment by each in
 * each of 25 months with invoice and commission, ticks, and form submissions. Returns an owner's cookie.
 */
export function fillAdminDataset(dataDir: string): string {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  const { sqlite } = ctx
  const insert: Insert = (into, values, count = memberCount) =>
    sqlite.exec(`${numbers(count)} insert into ${into} select ${values} from n`)
  sqlite.pragma('synchronous = OFF')
  withoutIndexes(ctx, filledTables, () =>
    sqlite.transaction(() => {
      insertMembers(insert)
      for (let index = 0; index < paymentCount / memberCount; index += 1)
        insertPayments(insert, index, issuedOf(sqlite))
      insertProgress(sqlite, { members: memberCount, each: progressCount / memberCount })
      insertWatched(insert, sqlite)
      insertInbox(insert)
      insertOffice(insert)
    })(),
  )
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const owner = sqlite.prepare<[], string>('select id from users where isAdmin = 1 limit 1').pluck().get()
  if (owner === undefined) throw new Error('The sandbox has no owner.')
  const [cookie = ''] = startSession(ctx, owner).split(';')
  sqlite.close()
  return cookie
}

const filledTables = [
  ...['users', 'customers', 'subscriptions', 'revenue_changes', 'provider_invoices', 'invoices', 'commission_ledger'],
  ...['video_progress', 'membership_applications', 'coaching_applications', 'coaching_bookings', 'contacts'],
  ...['quotient_orders', 'mail_outbox', 'audit_entries', 'blog_posts', 'manual_commissions'],
  ...['progress_days', 'video_positions', 'payment_methods', 'daily_counts'],
]

const issuedOf = (sqlite: ReturnType<typeof openContext>['sqlite']) =>
  sqlite.prepare<[], number>('select coalesce(max(sequence), 0) from invoices').pluck().get() ?? 0

const ago = (days: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', -(${days}) || ' days')`

function insertMembers(insert: Insert): void {
  const joined = ago('750 + i % 30')
  insert(
    'users (id, email, firstName, lastName, phone, createdAt, updatedAt)',
    `${idOf('a0000')}, 'member-' || i || '@bench.test', ${name}, '07700 9' || i, ${joined}, ${joined}`,
  )
  insert(
    'customers (id, userId, stripeCustomerId, createdAt)',
    `${idOf('b0000')}, ${idOf('a0000')}, 'cus_bench' || i, ${joined}`,
  )
  insert(
    'subscriptions (id, customerId, status, tierSlug, monthlyNet, created, currentPeriodEnd, updatedAt)',
    `'sub_bench' || i, ${idOf('b0000')}, case when i % 5 = 0 then 'canceled' when i % 20 = 1 then 'past_due' else 'active' end,
      ${tier}, ${net}, ${joined}, ${ago('-(1 + i % 30)')}, ${joined}`,
  )
  insert(
    'revenue_changes (id, customerId, subscriptionId, kind, tierSlug, before, after, at, month, createdAt)',
    `${idOf('c0000')}, ${idOf('b0000')}, 'sub_bench' || i, 'new', ${tier}, 0, ${net}, ${joined}, substr(${joined}, 1, 7), ${joined}`,
  )
}

/** Each member's payment so many months ago. In the latest month, past due members haven't paid. */
function insertPayments(insert: Insert, index: number, issued: number): void {
  const paidAt = ago(`30 * ${index} + i % 30`)
  const day = `substr(${paidAt}, 1, 10)`
  const status = index === 0 ? `iif(i % 20 = 1, 'open', 'paid')` : `'paid'`
  insert(
    `provider_invoices (id, customerId, subscriptionId, status, net, vat, total, amountPaid, created, paidAt, billingReason,
      tierSlug, attempts, nextAttemptAt)`,
    `'in_bench${index}_' || i, ${idOf('b0000')}, 'sub_bench' || i, ${status}, ${net}, ${net} / 5, ${net} * 6 / 5,
      iif(${status} = 'paid', ${net} * 6 / 5, 0), ${paidAt}, iif(${status} = 'paid', ${paidAt}, null), 'subscription_cycle', ${tier},
      1, iif(${status} = 'open', ${ago('-2')}, null)`,
  )
  const kind = String(index).padStart(3, '0')
  insert(
    `invoices (id, sequence, number, customerId, providerInvoiceId, taxPoint, issuedOn, seller, customer, lines, tierSlug, net,
      vat, gross, createdAt)`,
    `${idOf(`d0${kind}`)}, ${issued} + i, printf('A-%08d', ${issued} + i), ${idOf('b0000')}, 'in_bench${index}_' || i, ${day},
      ${day}, '{}', '{"name":"Member No ' || i || '","address":"2 Mill Lane"}', '[]', ${tier}, ${net}, ${net} / 5, ${net} * 6 / 5,
      ${paidAt}`,
  )
  const line = (ledgerKind: string, id: string, amount: string) =>
    `${id}, '${ledgerKind}', ${idOf('b0000')}, ${idOf(`d0${kind}`)}, substr(${day}, 1, 7), substr(${day}, 1, 7), ${tier},
      iif('${ledgerKind}' = 'invoice', ${net}, 0), 10, ${amount}, date(${day}, '+15 days'), ${paidAt},
      '${ledgerKind}' = 'payment', iif('${ledgerKind}' = 'payment', ${idOf(`e0${kind}`)}, null)`
  const columns = `commission_ledger (id, kind, customerId, invoiceId, month, paymentMonth, tierSlug, net, rate, amount, dueOn,
    createdAt, isSettlement, reverses)`
  insert(columns, line('invoice', idOf(`e0${kind}`), `${net} / 10`))
  if (index > 2) insert(columns, line('payment', idOf(`f0${kind}`), `-${net} / 10`))
}

/** Last ticks, twenty videos played but not ticked per member, cards, and a year's daily counts of 60 pages and 40 referrers. */
function insertWatched(insert: Insert, sqlite: ReturnType<typeof openContext>['sqlite']): void {
  insert('progress_days (userId, day, changes)', `${idOf('a0000')}, substr(${ago('i % 60')}, 1, 10), 3`)
  sqlite.exec(`${numbers(memberCount)} insert into video_positions (userId, videoId, seconds, at, deviceId)
    select ${idOf('a0000')}, video.id, (i * 37 + video.place) % 600, ${ago('i % 90')}, 'phone'
    from n, (select id, row_number() over (order by id desc) as place from member_videos order by id desc limit 20) video`)
  insert(
    'payment_methods (customerId, stripePaymentMethodId, type, brand, last4, expMonth, expYear, updatedAt)',
    `${idOf('b0000')}, 'pm_bench' || i, 'card', 'visa', '4242', 1 + i % 12, strftime('%Y', 'now') + i % 3, ${ago('1')}`,
  )
  const key = `iif(i % 100 < 60, '/page-' || (i % 100), 'place-' || (i % 100))`
  insert(
    'daily_counts (kind, day, "key", "count")',
    `iif(i % 100 < 60, 'page_view', 'source'), substr(${ago('i / 100')}, 1, 10), ${key}, 1 + i % 50`,
    36_500,
  )
}

const day = `substr(${ago('i % 400')}, 1, 10)`

function insertInbox(insert: Insert): void {
  const [at, sender] = [ago('i % 400'), `'sender-' || i || '@bench.test', '07700 9' || i`]
  const status = `case i % 4 when 0 then 'pending' when 1 then 'contacted' when 2 then 'approved' else 'rejected' end`
  insert(
    `membership_applications (id, firstName, lastName, email, phone, businessName, trade, businessStage, yearsInTrade, goals,
      currentChallenges, whyJoin, hearAboutUs, agreeTerms, status, createdAt)`,
    `${idOf('a1000')}, ${name}, ${sender}, 'Marsh', 'Painter', 'growing', '12', 'Rest', 'Time', 'A mate', 'Podcast', 1, ${status},
      ${at}`,
  )
  insert(
    `coaching_applications (id, name, email, phone, trade, biggestChallenge, goals, timeCommitment, investment, status, createdAt)`,
    `${idOf('a2000')}, 'Sam ' || i, ${sender}, 'painter', 'Time', 'Rest', '3-5', '1k-3k', ${status}, ${at}`,
  )
  insert(
    'coaching_bookings (id, name, email, phone, bookingDate, status, createdAt, updatedAt)',
    `${idOf('a3000')}, 'Sam ' || i, ${sender}, substr(${ago('i % 400 - 30')}, 1, 10),
      iif(i % 400 < 30, 'scheduled', 'completed'), ${at}, ${at}`,
  )
  insert(
    'contacts (id, name, email, message, createdAt)',
    `${idOf('a4000')}, 'Sam ' || i, 'sender-' || i || '@bench.test', 'Leeds?', ${at}`,
  )
  insert(
    'quotient_orders (id, firstName, lastName, email, businessName, agreeToTerms, net, vat, total, status, createdAt, paidAt)',
    `${idOf('a5000')}, ${name}, 'sender-' || i || '@bench.test', 'Marsh', 1, 45000, 9000, 54000, 'paid', ${at}, ${at}`,
  )
}

function insertOffice(insert: Insert): void {
  const at = ago('i % 400')
  insert(
    'mail_outbox (id, cause, userId, "to", subject, text, html, messageId, status, nextAttemptAt, createdAt, sentAt)',
    `${idOf('a6000')}, 'receipt:' || i, ${idOf('a0000', '1 + i % 10000')}, 'member-' || (1 + i % 10000) || '@bench.test', 'Receipt',
      'Thank you', '<p>Thank you</p>', 'm' || i, iif(i % 500 = 0, 'refused', 'sent'), ${at}, ${at}, ${at}`,
    100_000,
  )
  insert(
    'audit_entries (id, actor, action, targetId, detail, at)',
    `${idOf('a7000')}, iif(i % 2, 'system', 'user:' || ${idOf('a0000', '1 + i % 10000')}), 'auth.login',
      ${idOf('a0000', '1 + i % 10000')}, '{}', ${at}`,
    100_000,
  )
  insert(
    'blog_posts (id, title, slug, content, isPublished, publishedAt, createdAt, updatedAt)',
    `${idOf('a8000')}, 'Post ' || i, 'bench-' || i, '<p>Text</p>', 1, ${at}, ${at}, ${at}`,
    500,
  )
  insert(
    'manual_commissions (id, description, totalAmount, commissionAmount, saleDate, createdAt)',
    `${idOf('a9000')}, 'Up-sell ' || i, 10000, 1000, ${day}, ${at}`,
    500,
  )
}
