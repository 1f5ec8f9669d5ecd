import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { callDays, callFeeds, callMornings } from '#api/db/schema/calendar.ts'
import { commissionLedger, manualCommissions } from '#api/db/schema/commission.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import {
  coachingApplications,
  coachingBookings,
  contacts,
  inboxNotes,
  membershipApplications,
} from '#api/db/schema/forms.ts'
import { imports } from '#api/db/schema/imports.ts'
import { memberInvitations, ownerInvitations } from '#api/db/schema/invitations.ts'
import { creditNotes, invoices, skippedNumbers } from '#api/db/schema/invoices.ts'
import { mailOutbox, suppressedAddresses } from '#api/db/schema/mail.ts'
import { media, mediaUploads, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { announcements, mailings } from '#api/db/schema/outreach.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { customerCredits, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoProgress, videoTexts } from '#api/db/schema/videos.ts'
import { relational } from '#api/db/tables.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { addPost } from '#api/features/site/blog/service.ts'
import { noImportOptions } from '#shared/contract/imports.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { addQuestions } from './asked-rows.ts'
import { addPhoto, type TestPerson } from './people.ts'
import { addQuestionRows } from './question-rows.ts'
import type { World } from './world.ts'

const amounts = { net: 25_000, vat: 5_000, total: 30_000 }
const line = { description: 'Alliance', quantity: 1, unitPrice: 25_000, net: 25_000, rate: 20, vat: 5_000 }

/** So many rows of everything lists show. Half the members have left. Returns one member with as many payments and ticks. */
export function fillDatabase(world: World, rows: number): TestPerson {
  const member = world.addMember()
  const customerId = customerOf(world, member)
  for (let at = 0; at < rows; at++) {
    addContent(world, member, at)
    addEnquiries(world, member, at)
    // Someone who joined long ago and has never opened a video.
    world.addMember({ membershipStartDate: '2026-01-05T09:00:00.000Z' })
    const former = world.addMember({ subscription: { status: 'canceled' } })
    addPhoto(world.ctx, former)
    addPayment(world, { customerId, at: 2 * at })
    addPayment(world, { customerId: customerOf(world, former), at: 2 * at + 1 })
  }
  for (let at = 1; at <= rows; at++) addGap(world.ctx, 2 * rows + at)
  addInvitations(world.ctx)
  return member
}

function addInvitations(ctx: Context): void {
  const [createdAt, expiresAt] = [ctx.now().toISOString(), new Date(ctx.now().getTime() + 86_400_000).toISOString()]
  insertRow(ctx, ownerInvitations, {
    id: ctx.newId(),
    email: 'invited@example.com',
    tokenHash: ctx.newId(),
    createdAt,
    expiresAt,
  })
  insertRow(ctx, memberInvitations, {
    id: ctx.newId(),
    email: 'asked@example.com',
    firstName: 'Ash',
    lastName: 'Ede',
    tierSlug: 'standard',
    sentAt: createdAt,
    expiresAt,
  })
}

function addGap(ctx: Context, number: number): void {
  const gap = { series: 'invoice', first: number, last: number, reason: 'Given before a backup was restored' } as const
  insertRow(ctx, skippedNumbers, { ...gap, createdAt: ctx.now().toISOString() })
}

const customerOf = ({ ctx }: World, person: TestPerson) =>
  relational(ctx.db)
    .query.customers.findFirst({ where: (customer, { eq }) => eq(customer.userId, person.id) })
    .sync()?.id ?? ''

/** A payment with its invoice, a partial refund with its credit note, and the sales partner's commission. */
function addPayment({ ctx }: World, { customerId, at }: { customerId: string; at: number }): void {
  const time = ctx.billingNow().toISOString()
  const day = time.slice(0, 10)
  const month = time.slice(0, 7)
  const subscriptionId = ctx.db.select({ id: subscriptions.id }).from(subscriptions).all().at(-1)?.id ?? ''
  const [providerInvoiceId, refundId, invoiceId, noteId] = [`in_${at}`, `re_${at}`, ctx.newId(), ctx.newId()]
  insertRow(ctx, providerInvoices, {
    id: providerInvoiceId,
    customerId,
    status: 'paid',
    lines: [line],
    tierSlug: 'standard',
    ...amounts,
    amountPaid: 30_000,
    amountRefunded: 1_200,
    created: time,
    paidAt: time,
    billingReason: 'subscription_cycle',
  })
  insertRow(ctx, providerRefunds, {
    id: refundId,
    customerId,
    providerInvoiceId,
    amount: 1_200,
    status: 'succeeded',
    created: time,
  })
  insertRow(ctx, customerCredits, {
    id: `cbtxn_${at}`,
    customerId,
    type: 'adjustment',
    amount: -500,
    created: time,
  })
  insertRow(ctx, invoices, {
    id: invoiceId,
    sequence: at + 1,
    number: `A-${at + 1}`,
    customerId,
    providerInvoiceId,
    taxPoint: day,
    issuedOn: day,
    createdAt: time,
    tierSlug: 'standard',
    net: 25_000,
    vat: 5_000,
    gross: 30_000,
    seller: { name: 'The Alliance', address: '1 Mill Lane', vatNumber: 'GB123456789' },
    customer: { name: 'Danny Marsh', address: '2 Mill Lane' },
    lines: [line],
  })
  insertRow(ctx, creditNotes, {
    id: noteId,
    sequence: at + 1,
    number: `C-${at + 1}`,
    invoiceId,
    kind: 'refund',
    reason: 'Refund',
    providerRefundId: refundId,
    net: 1_000,
    vat: 200,
    gross: 1_200,
    issuedOn: day,
    createdAt: time,
  })
  insertRow(ctx, commissionLedger, {
    id: ctx.newId(),
    kind: 'invoice',
    customerId,
    invoiceId,
    month,
    paymentMonth: month,
    tierSlug: 'standard',
    net: 25_000,
    rate: 10,
    amount: 2_500,
    dueOn: day,
    createdAt: time,
  })
  insertRow(ctx, revenueChanges, {
    id: ctx.newId(),
    customerId,
    subscriptionId,
    kind: 'new',
    tierSlug: 'standard',
    beforeYearly: 0,
    afterYearly: 300_000,
    at: time,
    month,
    createdAt: time,
  })
}

function addContent(world: World, member: TestPerson, at: number): void {
  const { ctx } = world
  const time = ctx.now().toISOString()
  const videoId = ctx.newId()
  insertRow(ctx, memberVideos, {
    id: videoId,
    slug: `video-${at}`,
    title: `Video ${at}`,
    videoId: `host${at}`,
    category: `Category ${at}`,
    createdAt: time,
    updatedAt: time,
  })
  setVideoTiers(ctx, videoId, shippedTierSlugs)
  addQuestions(ctx, { userId: member.id, videoId, place: at })
  const mediaId = ctx.newId()
  insertRow(ctx, media, {
    id: mediaId,
    sha256: String(at).padStart(64, '0'),
    bytes: 1,
    format: 'mp4',
    name: `film-${at}.mp4`,
    createdAt: time,
  })
  insertRow(ctx, videoTexts, { videoId, notes: `Notes ${at}`, transcript: 'Words', updatedAt: time })
  insertRow(ctx, videoFiles, { videoId, mediaId, position: 0 })
  insertRow(ctx, videoHandouts, { videoId, mediaId, position: 0, title: `Sheet ${at}` })
  insertRow(ctx, mediaUploads, {
    id: ctx.newId(),
    name: `film-${at}.mp4`,
    bytes: 9,
    fingerprint: String(at).padStart(64, '0'),
    createdAt: time,
    updatedAt: time,
  })
  addEpisode(ctx, at)
  insertRow(ctx, videoProgress, {
    id: ctx.newId(),
    userId: member.id,
    videoId,
    completed: true,
    at: time,
    counter: 1,
    deviceId: 'phone',
    changeId: ctx.newId(),
    createdAt: time,
    updatedAt: time,
  })
  addQuestionRows(ctx, { userId: member.id, videoId })
  const changeId = ctx.newId()
  insertRow(ctx, commitments, {
    id: ctx.newId(),
    userId: member.id,
    madeBy: 'member',
    videoId,
    text: `Do thing ${at}`,
    textAt: time,
    textCounter: 1,
    textDeviceId: 'phone',
    textChangeId: changeId,
    day: time.slice(0, 10),
    dayAt: time,
    dayCounter: 1,
    dayDeviceId: 'phone',
    dayChangeId: changeId,
    state: 'open',
    stateAt: time,
    stateCounter: 1,
    stateDeviceId: 'phone',
    stateChangeId: changeId,
    createdAt: time,
    updatedAt: time,
  })
  addPost(ctx, {
    title: `Post ${at}`,
    slug: `post-${at}`,
    excerpt: null,
    content: '<p>Text</p>',
    author: 'The coaches',
    isPublished: true,
    featuredImage: null,
    publishedAt: time,
  })
  insertRow(ctx, mailOutbox, {
    id: ctx.newId(),
    cause: `test:${at}`,
    to: `person${at}@example.com`,
    subject: 's',
    text: 't',
    html: 'h',
    messageId: `m${at}`,
    nextAttemptAt: time,
    createdAt: time,
  })
  insertRow(ctx, suppressedAddresses, { address: `gone${at}@example.com`, reason: 'They asked', since: time })
  addOutreach(ctx, at)
  insertRow(ctx, manualCommissions, {
    id: ctx.newId(),
    description: `Up-sell ${at}`,
    totalAmount: 10_000,
    commissionAmount: 1_000,
    saleDate: time.slice(0, 10),
    createdAt: time,
  })
  insertRow(ctx, quotientOrders, {
    id: ctx.newId(),
    firstName: 'Kim',
    lastName: 'Reed',
    email: `kim${at}@example.com`,
    businessName: 'Reed',
    agreeToTerms: true,
    net: 10_000,
    vat: 2_000,
    total: 12_000,
    createdAt: time,
  })
  insertRow(ctx, auditEntries, {
    id: ctx.newId(),
    actor: 'system',
    action: 'test',
    targetId: member.id,
    detail: {},
    at: time,
  })
}

function addEpisode(ctx: Context, at: number): void {
  const [mediaId, time] = [ctx.newId(), ctx.now().toISOString()]
  insertRow(ctx, media, {
    id: mediaId,
    sha256: `a${String(at).padStart(63, '0')}`,
    bytes: 1,
    format: 'mp3',
    name: `talk-${at}.mp3`,
    isPublic: true,
    createdAt: time,
  })
  insertRow(ctx, podcastEpisodes, {
    id: ctx.newId(),
    title: `Talk ${at}`,
    summary: 'A talk',
    mediaId,
    seconds: 60,
    isPublished: true,
    publishedAt: time,
    createdAt: time,
    updatedAt: time,
  })
}

function addOutreach(ctx: Context, at: number): void {
  const [createdAt, updatedAt] = [ctx.now().toISOString(), ctx.now().toISOString()]
  const endsAt = new Date(ctx.billingNow().getTime() + 86_400_000).toISOString()
  const times = { startsAt: ctx.billingNow().toISOString(), endsAt, createdAt, updatedAt }
  insertRow(ctx, announcements, { id: ctx.newId(), title: `Note ${at}`, text: 'Text', ...times })
  const segment = { state: 'with-access' as const, progress: null, notSeenDays: null, joined: null }
  insertRow(ctx, imports, {
    id: ctx.newId(),
    kind: 'members',
    options: noImportOptions,
    state: 'applied',
    columns: [],
    facts: {},
    createdAt,
  })
  insertRow(ctx, mailings, {
    id: ctx.newId(),
    subject: `Mailing ${at}`,
    text: 'Text',
    purpose: 'service',
    segment,
    perMinute: 60,
    createdAt,
    updatedAt,
  })
}

function addEnquiries({ ctx }: World, member: TestPerson, at: number): void {
  const time = ctx.now().toISOString()
  const sender = { name: `Sam ${at}`, email: `sam${at}@example.com`, createdAt: time }
  insertRow(ctx, membershipApplications, {
    id: ctx.newId(),
    selectedTier: 'standard',
    firstName: 'Sam',
    lastName: 'Field',
    email: sender.email,
    phone: '07700 900123',
    businessName: 'Field',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '12',
    goals: 'Rest',
    currentChallenges: 'Time',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
    createdAt: time,
  })
  insertRow(ctx, coachingApplications, {
    id: ctx.newId(),
    ...sender,
    phone: '07700 900123',
    trade: 'painter',
    biggestChallenge: 'Time',
    goals: 'Rest',
    timeCommitment: '3-5',
    investment: '1k-3k',
  })
  insertRow(ctx, coachingBookings, { id: ctx.newId(), ...sender, bookingDate: time.slice(0, 10), updatedAt: time })
  addCalendar(ctx, sender, at)
  insertRow(ctx, contacts, { ...sender, id: ctx.newId(), message: 'Do you coach in Leeds?' })
  insertRow(ctx, inboxNotes, {
    id: ctx.newId(),
    about: 'members',
    aboutId: member.id,
    kind: 'note',
    text: 'Rang back',
    createdAt: time,
  })
}

function addCalendar(ctx: Context, sender: { name: string; email: string; createdAt: string }, at: number): void {
  const startsAt = new Date(ctx.billingNow().getTime() + (at + 1) * 86_400_000)
  const endsAt = new Date(startsAt.getTime() + 1_800_000).toISOString()
  const [bookingDate, updatedAt] = [startsAt.toISOString().slice(0, 10), sender.createdAt]
  const time = { startsAt: startsAt.toISOString(), endsAt, bookingDate }
  insertRow(ctx, coachingBookings, { id: ctx.newId(), ...sender, ...time, updatedAt, kind: 'sales', coach: 'coach-1' })
  const { createdAt } = sender
  insertRow(ctx, callDays, { id: ctx.newId(), firstDay: bookingDate, lastDay: bookingDate, windows: [], createdAt })
  insertRow(ctx, callFeeds, { id: ctx.newId(), tokenHash: `hash-${at}`, createdAt })
  insertRow(ctx, callMornings, { coach: `coach-${at}`, email: `coach${at}@example.com`, sendsAt: '06:30', updatedAt })
}
