import { type Context, openContext } from '#api/context.ts'
import { readSettings } from '#api/settings.ts'
import { ago, fill, type Insert, idOf, insertInto, insertMembers, mixedStates } from './dataset.ts'

const members = 10_000

/** A payment by each member in each of 25 months. In the latest one, past due members haven't paid. */
const months = Array.from({ length: 25 }, (_, index) => ({
  paidAt: ago(`30 * ${index} + i % 30`),
  status: index === 0 ? `iif(i % 20 = 1, 'open', 'paid')` : `'paid'`,
  isSettled: index > 2,
}))

/** Fills a data folder with what two owners may see: members and their payments, ticks, and form submissions. */
export function fillAdminDataset(dataDir: string): void {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  const insert = insertInto(ctx, members)
  fill(ctx, () => {
    insertMembers(ctx, ago('750 + i % 30'), mixedStates, { members, ticks: 100, months })
    insertWatched(ctx, insert)
    insertInbox(insert)
    insertOffice(insert)
  })
  ctx.sqlite.close()
}

/** Last ticks, twenty videos played but not ticked per member, cards, and a year's daily counts of 60 pages and 40 referrers. */
function insertWatched({ sqlite }: Context, insert: Insert): void {
  insert('progress_days (userId, day, changes)', `${idOf('a0000')}, substr(${ago('i % 60')}, 1, 10), 3`)
  sqlite.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${members})
    insert into video_positions (userId, videoId, seconds, at, deviceId)
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
      currentChallenges, whyJoin, hearAboutUs, agreeTerms, selectedTier, status, createdAt)`,
    `${idOf('a1000')}, 'Member', 'No ' || i, ${sender}, 'Marsh', 'Painter', 'growing', '12', 'Rest', 'Time', 'A mate', 'Podcast', 1, 'standard', ${status},
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
  // A tenth of them wait.
  const asked = ago('i % 400')
  insert(
    'questions (id, userId, origin, askedAt, countedAt, receivedAt, waitsSince, answeredAt, updatedAt)',
    `${idOf('ab000')}, ${idOf('a0000', '1 + i % 10000')}, 'header', ${asked}, ${asked}, ${asked}, ${asked}, iif(i % 10, ${asked}, null), ${asked}`,
  )
  insert(
    'question_messages (id, questionId, author, text, at, receivedAt)',
    `${idOf('ab000')}, ${idOf('ab000')}, 'member', 'Why is the furthest one cold when the others are warm? ' || i, ${asked}, ${asked}`,
  )
  insert(
    'quotient_orders (id, firstName, lastName, email, businessName, agreeToTerms, net, vat, total, status, createdAt, paidAt)',
    `${idOf('a5000')}, 'Member', 'No ' || i, 'sender-' || i || '@bench.test', 'Marsh', 1, 45000, 9000, 54000, 'paid', ${at}, ${at}`,
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
