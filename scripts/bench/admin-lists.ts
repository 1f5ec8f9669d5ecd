/**
 * An owners' list: what the browser first requests, and SQL for the same rows and count. On a site of this size a thread answers: the way
 * there and back takes longer than the floor of a short list.
 */
export type AdminList = { row: string; atMost: number; path: string; statements: readonly string[] }

const count = (rows: string) => `select count(*) as total from ${rows}`

const memberOf = (table: string) => `, (select u.id from ${members} where u.email = ${table}.email) as memberId`

const members = `users u left join customers c on c.userId = u.id left join subscriptions s on s.id = (select id from subscriptions
  where customerId = c.id order by status in ('canceled', 'incomplete_expired'), created desc limit 1)`
const owners = `(select userId from owner_addresses where role = 'owner' and userId is not null)`
const hasLine = 'exists (select 1 from commission_ledger l where l.customerId = c.id)'
const payers = `users u join customers c on c.userId = u.id where ${hasLine} and u.id not in ${owners}`
const former = `${members} where u.id not in ${owners} and s.status = 'canceled' and exists (select 1 from provider_invoices p
  where p.customerId = c.id and p.status = 'paid' and p.amountPaid > 0)`
const monthsOf = (people: string) => `select l.customerId, l.paymentMonth, min(i.taxPoint), sum(l.net), sum(l.amount),
  sum(case when l.isSettlement = 0 then l.amount end), max(case when l.kind = 'payment' then l.createdAt end)
  from commission_ledger l left join invoices i on i.id = l.invoiceId where l.customerId in (select c.id from ${people} order by u.id limit 51)
  group by l.customerId, l.paymentMonth order by l.customerId, l.paymentMonth desc`
const unpaid = `${members} where s.status in ('past_due', 'unpaid')`
const due = (column: string) =>
  `(select ${column} from provider_invoices p where p.subscriptionId = s.id and p.status = 'open')`
const since = `date('now', '-1 day')`

const lastMonth = `strftime('%Y-%m-01T00:00:00.000Z', 'now', 'start of month', '-1 month')`
const joinedBy = (day: string) => `coalesce(u.membershipStartDate, u.createdAt) < ${day}`
const isQuiet = `${joinedBy(`date('now', '-21 days')`)} and not exists (select 1 from progress_days d where d.userId = u.id
  and d.day >= date('now', '-21 days')) and not exists (select 1 from video_positions p where p.userId = u.id
  and p.at >= date('now', '-21 days'))`
const isCardExpiring = `s.status in ('active', 'trialing') and s.cancelAt is null and s.cancelAtPeriodEnd = 0 and exists (select 1
  from payment_methods m where m.customerId = c.id and m.expYear * 12 + m.expMonth <= strftime('%Y', 'now') * 12 + strftime('%m', 'now'))`
const isCallUnused = `${joinedBy(lastMonth)} and exists (select 1 from membership_tiers t where t.slug = s.tierSlug and t.callDuration > 0)
  and not exists (select 1 from coaching_bookings b where b.userId = u.id and b.kind = 'coaching' and b.status <> 'cancelled'
    and b.heldUntil is null and b.startsAt >= ${lastMonth})`
const hasAccess = `s.status in ('active', 'trialing', 'past_due')`
const atRisk = `${members} where u.isAdmin = 0 and (s.status in ('past_due', 'unpaid') or (${isCardExpiring})
  or (${hasAccess} and ${isQuiet}) or (${hasAccess} and ${isCallUnused}))`
const risk = `coalesce(s.status in ('past_due', 'unpaid'), 0) * 8 + coalesce(${isCardExpiring}, 0) * 4
  + coalesce(${hasAccess} and ${isQuiet}, 0) * 2 + coalesce(${hasAccess} and ${isCallUnused}, 0)`
const firstMonths = `(select customerId, min(month) as cohort from revenue_changes where afterYearly > 0
  and customerId not in (select c.id from customers c join ${owners} o on o.userId = c.userId) group by customerId)`
const admins = '(select id from users where isAdmin = 1)'
const days = `between date('now', '-365 days') and date('now')`

const filesOf = (
  which: string,
) => `(select count(*) from question_messages m cross join question_files f on f.messageId = m.id
  where m.questionId = q.id and m.author = 'member' and ${which})`
const inMs = (instant: string) => `cast(round(unixepoch(${instant}, 'subsec') * 1000) as integer)`
const isWaiting = 'q.answeredAt is null and q.closedAt is null and q.withdrawnAt is null'
const waitingFirst = `iif(${isWaiting}, ${inMs('q.waitsSince')}, 9000000000000000 - ${inMs('q.updatedAt')})`

const dayAgo = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

export const adminLists: AdminList[] = [
  {
    row: 'Members',
    atMost: 8,
    path: '/api/admin/members?limit=50',
    statements: [
      `select u.id, u.firstName, u.lastName, u.email, u.phone, u.trade, u.isAdmin, u.passwordHash is not null, u.lastSeenAt,
        u.membershipStartDate, u.createdAt, u.accessOverride, u.accessUntil, s.id, s.status, s.tierSlug, s.currentPeriodEnd,
        s.trialEnd, s.cancelAt, s.cancelAtPeriodEnd, ${due('min(p.created)')} as unpaid,
        (select count(*) from video_progress p where p.userId = u.id and p.completed = 1) as videos,
        (select max(updatedAt) from video_progress p where p.userId = u.id) as ticked,
        (select lastError from mail_outbox m where m."to" = u.email and m.status in ('sent', 'refused') order by id desc limit 1) as mail
        from ${members} order by u.id desc limit 51`,
      count('users'),
    ],
  },
  {
    row: 'Inactive members',
    atMost: 2.3,
    path: '/api/admin/inactive-members?limit=50',
    statements: [
      `select u.id, u.firstName, u.lastName, u.email from ${former} order by u.id limit 51`,
      count(former),
      monthsOf(former),
    ],
  },
  {
    row: 'Payments',
    atMost: 2.8,
    path: '/api/admin/member-payments?limit=50',
    statements: [
      `select u.id, u.firstName, u.lastName, u.email from ${payers} order by u.id limit 51`,
      count(payers),
      monthsOf(payers),
    ],
  },
  {
    row: 'Commission history',
    atMost: 0.75,
    path: '/api/admin/commission-history',
    statements: [
      'select sum(amount), sum(case when isSettlement = 1 then -amount end) from commission_ledger',
      `select count(*), sum(owed > 0) from (select sum(amount) as owed, max(kind = 'invoice') as hasMonth from commission_ledger
        where customerId is not null group by customerId) where hasMonth`,
    ],
  },
  {
    row: 'Manual commissions',
    atMost: 4,
    path: '/api/admin/manual-commissions',
    statements: ['select * from manual_commissions where deletedAt is null order by saleDate desc, id desc'],
  },
  {
    row: 'Invoices',
    atMost: 3,
    path: '/api/admin/invoices?limit=50',
    statements: [
      `select i.id, i.number, c.userId, i.customer, i.issuedOn, i.taxPoint, i.net, i.vat, i.gross, i.isRetroactive, i.isMissingAddress,
        (select sum(gross) from credit_notes n where n.invoiceId = i.id), r.number, b.number
        from invoices i left join customers c on c.id = i.customerId left join invoices r on r.id = i.replacesId
        left join invoices b on b.replacesId = i.id order by i.sequence desc limit 51`,
      count('invoices'),
    ],
  },
  ...(
    [
      ['Applications', 9, 'membership-applications', 'membership_applications', memberOf('membership_applications')],
      ['Coaching applications', 3.3, 'coaching-applications', 'coaching_applications where isSpam = 0'],
      ['Contacts', 2.1, 'contacts', 'contacts where isSpam = 0'],
      ['Orders', 3, 'quotient-orders', 'quotient_orders'],
    ] as const
  ).map(([row, atMost, path, rows, more = '']) => ({
    row,
    atMost,
    path: `/api/admin/${path}?limit=50`,
    statements: [`select *${more} from ${rows} order by createdAt desc, id desc limit 51`, count(rows)],
  })),
  {
    row: 'Questions',
    atMost: 5,
    path: '/api/admin/questions?filter=all&limit=50',
    statements: [
      `select q.*, u.firstName, u.lastName, u.email, s.status, s.tierSlug, ${filesOf(`f.kind = 'photo'`)}, ${filesOf(`f.kind = 'voice'`)},
        ${filesOf('f.readyAt is null')},
        (select m.text from question_messages m where m.questionId = q.id and m.author = 'member' order by m.at desc limit 1)
        from (select * from questions q where q.withdrawnAt is null order by ${waitingFirst}, q.id limit 51) q
        join ${members.replace('users u', 'users u on u.id = q.userId')}`,
      count('questions'),
    ],
  },
  {
    row: 'Bookings',
    atMost: 4,
    path: '/api/admin/coaching-bookings?limit=50',
    statements: [
      `select b.*, u.id as memberId from coaching_bookings b left join users u on u.email = b.email where b.isSpam = 0
        order by b.bookingDate desc, b.id desc limit 51`,
      count('coaching_bookings where isSpam = 0'),
    ],
  },
  {
    row: 'Videos',
    atMost: 5.5,
    path: '/api/admin/videos',
    statements: ['select * from member_videos order by category, orderIndex, id'],
  },
  {
    row: 'Posts',
    atMost: 5.5,
    path: '/api/admin/blog?limit=50',
    statements: [
      `select id, title, slug, excerpt, author, isPublished, featuredImage, featuredImageAlt, publishedAt, version, createdAt, updatedAt from blog_posts
        order by updatedAt desc, id desc limit 51`,
      count('blog_posts'),
    ],
  },
  {
    row: 'Audit log',
    atMost: 2.5,
    path: '/api/admin/audit?limit=50',
    statements: [
      `select e.*, a.firstName, a.lastName, a.email, a.isAdmin, t.firstName, t.lastName, t.email from audit_entries e
        left join users a on a.id = substr(e.actor, 6) and e.actor like 'user:%' left join users t on t.id = e.targetId
        order by e.id desc limit 51`,
      count('audit_entries'),
    ],
  },
  {
    row: 'Mail',
    atMost: 2,
    path: '/api/admin/mail?limit=50',
    statements: [
      `select id, "to", userId, subject, cause, status, attempts, lastError, createdAt, nextAttemptAt, sentAt from mail_outbox
        order by id desc limit 51`,
      count('mail_outbox'),
    ],
  },
  {
    row: 'Today',
    atMost: 1.5,
    path: '/api/admin/today',
    statements: [
      `select * from membership_applications where status = 'pending' order by createdAt desc limit 6`,
      count(`membership_applications where status = 'pending'`),
      `select * from coaching_applications where isSpam = 0 and status = 'pending' order by createdAt desc limit 6`,
      count(`coaching_applications where isSpam = 0 and status = 'pending'`),
      `select count(*), sum(gross) from invoices where taxPoint >= ${since} and +replacesId is null`,
      `select i.number, c.userId, i.customer, i.gross, p.paidAt from invoices i left join customers c on c.id = i.customerId
        left join provider_invoices p on p.id = i.providerInvoiceId
        where i.taxPoint >= ${since} and +i.replacesId is null order by +i.sequence desc limit 5`,
      `select u.id, u.firstName, u.lastName, u.email, u.phone, s.status, ${due('sum(p.total)')}, ${due('min(p.created)')} as unpaid,
        ${due('min(p.nextAttemptAt)')} from ${unpaid} order by unpaid limit 5`,
      count(unpaid),
      `select * from coaching_bookings where isSpam = 0 and status = 'scheduled' and bookingDate >= date('now')
        order by bookingDate limit 6`,
      count(`coaching_bookings where isSpam = 0 and status = 'scheduled' and bookingDate >= date('now')`),
      count(`mail_outbox where status = 'waiting'`),
      count(`mail_outbox where status = 'refused'`),
      count(`mail_outbox where status = 'failed'`),
      `select id, "to", subject, cause, status, lastError, createdAt from mail_outbox where status = 'refused' order by id desc limit 6`,
      'select * from job_leases',
      count(atRisk),
    ],
  },
  {
    row: 'Members at risk',
    atMost: 1.6,
    path: '/api/admin/members-at-risk?limit=50',
    statements: [
      `select u.id, u.firstName, u.lastName, u.email, u.phone, s.status, s.tierSlug, ${risk} as risk, ${due('sum(p.total)')},
        (select day from progress_days d where d.userId = u.id), (select max(at) from video_positions p where p.userId = u.id)
        from ${atRisk} order by risk desc, u.id desc limit 51`,
      count(atRisk),
    ],
  },
  {
    row: 'Watching, a year of visits',
    atMost: 1.2,
    path: `/api/admin/watching?from=${dayAgo(365)}&to=${dayAgo(0)}`,
    statements: [
      `select kind, "key", sum("count") as n from daily_counts where day ${days} group by kind, "key" order by n desc`,
      `select day, sum(iif(kind = 'source', "count", 0)), sum(iif(kind = 'page_view', "count", 0)) from daily_counts
        where kind in ('source', 'page_view') and day ${days} group by day`,
      count(`membership_applications where createdAt >= date('now', '-365 days')`),
      count(`purchase_attempts where openedAt >= date('now', '-365 days')`),
      count(`revenue_changes where kind = 'new' and at >= date('now', '-365 days')`),
    ],
  },
  {
    row: 'Watching, who stays',
    atMost: 1.05,
    path: '/api/admin/watching/retention',
    statements: [
      `select cohort, count(*) from ${firstMonths} group by cohort order by cohort`,
      `select j.cohort, r.month, sum((r.afterYearly > 0) - (r.beforeYearly > 0)) from revenue_changes r join ${firstMonths} j
        on j.customerId = r.customerId group by j.cohort, r.month`,
    ],
  },
  {
    row: 'Watching, lessons',
    atMost: 1.3,
    path: '/api/admin/watching/lessons',
    statements: [
      'select id, title, category, isPublished from member_videos order by category, orderIndex, id',
      'select videoId, completed, count(*) from video_progress group by videoId, completed',
      `select videoId, completed, count(*) from video_progress where userId in ${admins} group by videoId, completed`,
      `select p.videoId, min(9, p.seconds * 10 / (v.duration * 60)) as tenth, count(*) from video_positions p
        join member_videos v on v.id = p.videoId where not exists (select 1 from video_progress t where t.userId = p.userId
        and t.videoId = p.videoId) and p.userId not in ${admins} group by p.videoId, tenth`,
    ],
  },
  {
    row: 'Revenue now, a page of subscriptions',
    atMost: 0.27,
    path: '/api/admin/mrr?limit=50',
    statements: [
      `select status, tierSlug, count(*), sum(yearlyNet) from subscriptions where status in ('active', 'past_due') group by status, tierSlug`,
      `select s.id, u.id, u.firstName, u.lastName, u.email, s.status, s.isSettled, s.yearlyNet from subscriptions s
        join customers c on c.id = s.customerId left join users u on u.id = c.userId
        where s.status not in ('canceled', 'incomplete_expired') order by s.created, s.id limit 51`,
    ],
  },
  {
    row: 'Revenue by month with movements',
    atMost: 0.015,
    path: '/api/admin/revenue-months?limit=240',
    statements: [
      'select substr(taxPoint, 1, 7) as month, tierSlug, sum(net), sum(vat) from invoices group by month, tierSlug',
      'select month, kind, tierSlug, sum(beforeYearly), sum(afterYearly) from revenue_changes group by month, kind, tierSlug',
      'select month, sum(amount) from commission_ledger group by month',
    ],
  },
]
