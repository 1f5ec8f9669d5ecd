import { insertRow } from '#api/db/insert.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { ownerAddresses } from '#api/db/schema/people.ts'
import { mailStatuses } from '#shared/contract/mail.ts'
import { quotientOrderStatuses } from '#shared/contract/quotient.ts'
import { applicationStatuses, bookingStatuses } from '#shared/values/column-values.ts'
import { type Drawing, startDrawing } from './drawing.ts'
import type { Draw } from './random.ts'
import { addVariedMoney } from './varied-money.ts'
import type { World } from './world.ts'

/**
 * Inserts `rows` random rows into each table behind owners' lists, with nulls, spam and every status, so that a test can compare
 * the lists' SQL with a naive search. Returns the people.
 */
export function addVariedRows(world: World, draw: Draw, rows: number): { id: string; email: string }[] {
  const { ctx } = world
  const drawing = startDrawing(world, draw)
  const owner = world.addOwner()
  const recordedAt = ctx.now().toISOString()
  insertRow(ctx, ownerAddresses, { role: 'owner', email: owner.email, userId: owner.id, recordedAt })
  const people = ctx.sqlite.transaction(() => {
    const paying = addVariedMoney(world, drawing, { rows, owner })
    for (let at = 0; at < rows; at += 1) {
      addEnquiries(world, drawing)
      addOther(world, drawing, { at, people: paying })
    }
    return paying
  })()
  return people
}

function addEnquiries({ ctx }: World, { draw, pick, id, day, time, name }: Drawing): void {
  const sender = () => ({
    email: `${pick(['kim', 'sam'])}@example.com`,
    phone: pick(['07700 900123', '020 7946 0000']),
  })
  const isSpam = () => draw(4) === 0
  insertRow(ctx, membershipApplications, {
    id: id(),
    selectedTier: 'standard',
    firstName: name(),
    lastName: name(),
    ...sender(),
    businessName: name(),
    trade: name(),
    businessStage: 'growing',
    yearsInTrade: '12',
    goals: '',
    currentChallenges: '',
    whyJoin: '',
    hearAboutUs: '',
    agreeTerms: true,
    status: pick(applicationStatuses),
    createdAt: time(),
  })
  insertRow(ctx, coachingApplications, {
    id: id(),
    name: name(),
    ...sender(),
    trade: pick(['plumber', 'builder']),
    businessName: pick([null, name()]),
    biggestChallenge: '',
    goals: '',
    timeCommitment: '3-5',
    investment: '1k-3k',
    isSpam: isSpam(),
    status: pick(applicationStatuses),
    createdAt: time(),
  })
  const { phone, email } = sender()
  insertRow(ctx, coachingBookings, {
    id: id(),
    name: name(),
    email,
    phone: pick([null, phone]),
    businessName: pick([null, name()]),
    trade: pick([null, 'Plumber', 'Builder']),
    bookingDate: day(),
    status: pick([...bookingStatuses, 'scheduled', 'scheduled', 'scheduled']),
    isSpam: isSpam(),
    createdAt: time(),
    updatedAt: time(),
  })
  insertRow(ctx, contacts, {
    id: id(),
    name: name(),
    email,
    trade: pick([null, name()]),
    message: name(),
    isSpam: isSpam(),
    createdAt: time(),
  })
}

/** Has near misses, such as `member.refund`, `member.refunded` and `remember.refund`, to catch filters that match too loosely. */
const actions = [
  ...['auth.login', 'auth.failed', 'authority.none', 'subscription.cancel', 'price_move.told', 'commission.paid'],
  ...['invoices.fixed', 'invoice.issued', 'member.refund', 'member.full_refund', 'member.refunded', 'remember.refund'],
]

type Other = { at: number; people: { id: string; email: string }[] }

function addOther({ ctx }: World, { pick, id, time, name }: Drawing, { at, people }: Other): void {
  insertRow(ctx, quotientOrders, {
    id: id(),
    firstName: name(),
    lastName: name(),
    email: 'kim@example.com',
    phone: pick([null, '07700 900123']),
    businessName: name(),
    agreeToTerms: true,
    net: 10_000,
    vat: 2_000,
    total: 12_000,
    status: pick(quotientOrderStatuses),
    createdAt: time(),
  })
  insertRow(ctx, mailOutbox, {
    id: id(),
    cause: `receipt:${at}`,
    messageId: `m${at}`,
    subject: name(),
    text: '',
    html: '',
    userId: pick([null, pick(people).id]),
    to: pick(['kim@example.com', pick(people).email]),
    status: pick(mailStatuses),
    nextAttemptAt: time(),
    createdAt: time(),
  })
  insertRow(ctx, blogPosts, {
    id: id(),
    title: name(),
    slug: `post-${at}`,
    content: '',
    author: name(),
    excerpt: pick([null, name()]),
    isPublished: pick([true, false]),
    publishedAt: pick([null, time()]),
    createdAt: time(),
    updatedAt: time(),
  })
  insertRow(ctx, auditEntries, {
    id: id(),
    actor: pick(['system', `user:${pick(people).id}`]),
    action: pick(actions),
    detail: {},
    targetId: pick([null, ...people.slice(0, 2).map((one) => one.id)]),
    at: time(),
  })
}
