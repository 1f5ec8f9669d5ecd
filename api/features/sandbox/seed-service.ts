import { eq, sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { sandboxFile } from '#api/db/data-dir.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { callHours } from '#api/db/schema/calendar.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { customers } from '#api/db/schema/customers.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { creditNotes, documentCsvRows, invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { addresses, mailAgreements, ownerAddresses, users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { publishedQuestions, questions, savedReplies, usefulQuestions } from '#api/db/schema/questions.ts'
import { monthSums, movementSums, revenueChanges, revenueMonths, subscriptionSums } from '#api/db/schema/revenue.ts'
import { cardChanges, subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoPositions, videoProgress, videoTexts } from '#api/db/schema/videos.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { hashPassword } from '#api/features/accounts/login/password-service.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { addPost } from '#api/features/site/blog/service.ts'
import { seeVideosLike } from '#api/features/tiers/videos-service.ts'
import type { Sandbox } from '#api/sandbox/server.ts'
import { newToken } from '#api/secrets.ts'
import { StartupError } from '#api/settings.ts'
import { createStripe } from '#api/stripe/client.ts'
import { callHourSeeds } from '#data/seed/calendar.ts'
import { addressSeeds, namedPhone, type PersonSeed, peopleSeeds, sandboxPassword } from '#data/seed/people.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { tierSeeds } from '#data/seed/tiers.ts'
import { videoText } from '#data/seed/video-texts.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { seedCommitments } from './commitment-seeds-service.ts'
import { runPending, writeHistory } from './history-service.ts'
import { openSandbox, removeSandboxFile, sandboxControlAt } from './provider-service.ts'
import { type Bought, joinedAt, purchaseSteps } from './purchases-service.ts'
import { seedQuestions } from './question-seeds-service.ts'
import { seedActivity } from './year-activity-service.ts'
import { monthOf, yearPeople, yearSteps } from './year-service.ts'

const seededKey = 'sandbox_seeded'

/** SQLite's own list of tables, indexes and triggers. */
const schemaObjects = sqliteTable('sqlite_master', {
  type: text().notNull(),
  name: text().notNull(),
  sql: text().notNull(),
})

/** Whether the seeded accounts have publicly known passwords. */
export function hasKnownPasswords(ctx: Context): boolean {
  const seeded = readSetting(ctx, seededKey)
  return seeded !== undefined && seeded.value !== randomPassword
}

const isSeeded = (ctx: Context): boolean => readSetting(ctx, seededKey) !== undefined

/** Stored when the accounts got a random password. */
const randomPassword = 'random password'

/**
 * They buy at the payment sandbox on past dates, on a separate clock that ends today, so that our rows and the provider agree.
 * Returns the accounts' password (random in production), or null if they were seeded before.
 */
export async function seedSandbox(ctx: Context): Promise<string | null> {
  if (isSeeded(ctx)) return null
  clearUnfinished(ctx)
  const password = ctx.settings.isProduction ? newToken() : sandboxPassword
  const passwordHash = await hashPassword(password)
  const clock = { at: new Date(0) }
  // The Stripe client only learns that the request failed, so keep the cause here.
  let failure: unknown
  const sandbox = await openSandbox(ctx, {
    onFailure: (error) => {
      failure ??= error
    },
    clock: {
      now: () => clock.at,
      moveTo: (at) => {
        clock.at = at
      },
    },
    isInMemory: true,
  })
  try {
    transact(ctx, () => seedPeople(ctx, passwordHash))
    await writeThePast({ ...ctx, stripe: createStripe(ctx.settings, sandbox) }, sandbox, clock)
    sandbox.saveAs(sandboxFile(ctx.settings.dataDir))
  } catch (error) {
    throw failure instanceof StartupError ? failure : error
  } finally {
    await sandbox.stop()
  }
  transact(ctx, () => finishSeeding(ctx))
  return password
}

/** Nobody is told of what happened before there was a site. Who never pays is given up on, as by most who use Stripe. */
async function writeThePast(ctx: Context, sandbox: Sandbox, clock: { at: Date }): Promise<void> {
  const control = sandboxControlAt(ctx, sandbox.url)
  const past = { ...ctx, billingNow: () => clock.at }
  await control('POST settings', { afterRetries: 'canceled', webhooks: { copies: 0 } })
  const bought = await buyOnTheirDays(ctx, past, sandbox)
  await writeHistory(ctx, bought, (when) => {
    clock.at = when
    return past
  })
  clock.at = ctx.billingNow()
  await runPending(ctx, bought)
  await control('POST settings', { afterRetries: 'unpaid', webhooks: { copies: 1 } })
}

async function buyOnTheirDays(ctx: Context, past: Context, sandbox: Sandbox): Promise<Bought> {
  const bought: Bought = new Map()
  const steps = [
    ...purchaseSteps(ctx, seededPeople(ctx), bought),
    ...yearSteps(past, yearPeople(ctx), bought, ctx.billingNow()),
  ]
  for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
    await sandbox.advance(new Date(at))
    await run()
  }
  await sandbox.advance(ctx.billingNow())
  return bought
}

/** In production the settings name the owners, who never get the demo password. Seeds skip addresses on record for owners. */
export function seededPeople({ db, settings }: Context): PersonSeed[] {
  const recorded = db.select({ email: ownerAddresses.email }).from(ownerAddresses).all()
  const ofOwners = new Set(recorded.map(({ email }) => email))
  return peopleSeeds.filter(({ state, email }) => (state === 'owner' ? !settings.isProduction : !ofOwners.has(email)))
}

function finishSeeding(ctx: Context): void {
  seedContent(ctx)
  seedQuestions(ctx)
  seedCommitments(ctx)
  seedActivity(ctx, yearPeople(ctx), seededPeople(ctx))
  // The seeded people were welcomed long ago. Mark their mails as sent, so that a later sync doesn't write them again.
  ctx.db.update(mailOutbox).set({ status: 'sent', text: '', html: '', sentAt: ctx.now().toISOString() }).run()
  writeSetting(ctx, seededKey, ctx.settings.isProduction ? randomPassword : true)
}

/** The tables a seeding writes, each before the ones it references, so they can be cleared in this order. */
const seededTables = [
  monthSums,
  movementSums,
  subscriptionSums,
  commissionLedger,
  documentCsvRows,
  creditNotes,
  invoices,
  revenueMonths,
  revenueChanges,
  providerRefunds,
  providerInvoices,
  paymentMethods,
  cardChanges,
  subscriptions,
  customers,
  videoProgress,
  videoPositions,
  usefulQuestions,
  publishedQuestions,
  questions,
  savedReplies,
  commitments,
  memberVideos,
  blogPosts,
  callHours,
  contacts,
  coachingApplications,
  membershipApplications,
  coachingBookings,
  mailAgreements,
  dailyCounts,
]

/**
 * An unseeded folder has served nothing, so its rows come from an interrupted seeding. Only here are the triggers dropped that
 * forbid deleting money rows; the same transaction creates them again.
 */
function clearUnfinished(ctx: Context): void {
  removeSandboxFile(ctx)
  transact(ctx, () => {
    const triggers = ctx.db
      .select({ name: schemaObjects.name, sql: schemaObjects.sql })
      .from(schemaObjects)
      .where(eq(schemaObjects.type, 'trigger'))
      .all()
    for (const { name } of triggers) ctx.db.run(sql`drop trigger ${sql.identifier(name)}`)
    for (const table of seededTables) ctx.db.delete(table).run()
    for (const trigger of triggers) ctx.db.run(sql.raw(trigger.sql))
  })
}

function seedPeople(ctx: Context, passwordHash: string): void {
  const people = seededPeople(ctx)
  const now = ctx.now()
  const at = now.toISOString()
  for (const { email, firstName, lastName, trade, businessName, state } of people) {
    const row = { email, firstName, lastName, trade, businessName, phone: namedPhone, isAdmin: state === 'owner' }
    const joined = (yearPeople(ctx).length > 0 ? joinedAt(ctx, { state }) : null) ?? now.getTime()
    const createdAt = new Date(joined).toISOString()
    const id = Bun.randomUUIDv7('hex', joined)
    ctx.db
      .insert(users)
      .values({ ...row, id, passwordHash, passwordChanged: true, createdAt, updatedAt: at })
      // The owners' accounts exist already. They get their names and the password here.
      .onConflictDoUpdate({ target: users.email, set: { ...row, passwordHash, passwordChanged: true } })
      .run()
  }
  for (const { email } of people) {
    const [account, address] = [findAccount(ctx, email), addressSeeds[email]]
    if (account !== undefined && address !== undefined)
      insertIfAbsent(ctx, addresses, { userId: account.id, ...address, updatedAt: at })
  }
  seedYearPeople(ctx, passwordHash)
}

function seedYearPeople(ctx: Context, passwordHash: string): void {
  const now = ctx.billingNow()
  for (const person of yearPeople(ctx)) {
    const { email, firstName, lastName, trade, businessName, phone, address } = person
    const at = monthOf(person, 0, now)
    const createdAt = new Date(at).toISOString()
    const row = {
      id: Bun.randomUUIDv7('hex', at),
      email,
      firstName,
      lastName,
      trade,
      businessName,
      phone,
      passwordHash,
    }
    if (insertIfAbsent(ctx, users, { ...row, passwordChanged: true, createdAt, updatedAt: createdAt }))
      insertRow(ctx, addresses, { userId: row.id, ...address, updatedAt: createdAt })
  }
}

function seedContent(ctx: Context): void {
  const now = ctx.now()
  const at = now.toISOString()
  for (const { tierAccess, ...video } of videoSeeds) {
    const id = ctx.newId()
    insertRow(ctx, memberVideos, { ...video, id, createdAt: at, updatedAt: at })
    setVideoTiers(ctx, id, tierAccess)
    insertRow(ctx, videoTexts, { videoId: id, ...videoText(video), updatedAt: at })
  }
  // The tiers were laid before there was a video.
  for (const { slug, videosLike } of tierSeeds) if (videosLike !== undefined) seeVideosLike(ctx, slug, videosLike)
  for (const { daysAgo, ...post } of postSeeds) {
    const publishedAt = post.isPublished ? new Date(now.getTime() - daysAgo * dayMs).toISOString() : null
    addPost(ctx, { ...post, publishedAt })
  }
  for (const { kinds, weekdays, ...hours } of callHourSeeds) {
    for (const kind of kinds) {
      // Version 0 means no owner has set them, so a copy of the site leaves them out.
      for (const weekday of weekdays)
        insertRow(ctx, callHours, { ...hours, kind, weekday, id: ctx.newId(), version: 0, updatedAt: at })
    }
  }
}
