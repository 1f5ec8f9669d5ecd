import { eq, sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { callHours } from '#api/db/schema/calendar.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, documentCsvRows, invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { addresses, ownerAddresses, users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { cardChanges, subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { hashPassword } from '#api/features/auth/password-service.ts'
import { findAccount } from '#api/features/auth/queries.ts'
import { addPost } from '#api/features/blog/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { newToken } from '#api/secrets.ts'
import { StartupError } from '#api/settings.ts'
import { callHourSeeds } from '#data/seed/calendar.ts'
import { lessonText } from '#data/seed/lesson-texts.ts'
import { addressSeeds, type PersonSeed, peopleSeeds, sandboxPassword } from '#data/seed/people.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { openSandbox, removeSandboxFile } from './provider-service.ts'
import { purchaseSteps } from './purchases-service.ts'

const seededKey = 'sandbox_seeded'

/** SQLite's own list of tables, indexes and triggers. */
const schemaObjects = sqliteTable('sqlite_master', {
  type: text().notNull(),
  name: text().notNull(),
  sql: text().notNull(),
})
const day = 86_400_000

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
  const clock = { at: ctx.billingNow().getTime() - 70 * day }
  const moveTo = (at: Date) => {
    clock.at = Math.max(clock.at, at.getTime())
  }
  // The Stripe client only learns that the request failed, so keep the cause here.
  let failure: unknown
  const sandbox = await openSandbox(ctx, {
    onFailure: (error) => {
      failure ??= error
    },
    clock: { now: () => new Date(clock.at), moveTo },
    deliver: async () => new Response(),
  })
  try {
    const bought: string[] = []
    for (const step of purchaseSteps(ctx, seededPeople(ctx))) {
      await sandbox.advance(new Date(Math.max(clock.at, step.at)))
      bought.push(...(await step.run()))
    }
    await sandbox.advance(ctx.billingNow())
    seedPeople(ctx, passwordHash)
    for (const stripeCustomerId of bought) await adoptCustomer(ctx, stripeCustomerId)
  } catch (error) {
    throw failure instanceof StartupError ? failure : error
  } finally {
    await sandbox.stop()
  }
  transact(ctx, () => finishSeeding(ctx))
  return password
}

/** In production the settings name the owners, who never get the demo password. Seeds skip addresses on record for owners. */
export function seededPeople({ db, settings }: Context): PersonSeed[] {
  const recorded = db.select({ email: ownerAddresses.email }).from(ownerAddresses).all()
  const ofOwners = new Set(recorded.map(({ email }) => email))
  return peopleSeeds.filter(({ state, email }) => (state === 'owner' ? !settings.isProduction : !ofOwners.has(email)))
}

function finishSeeding(ctx: Context): void {
  seedContent(ctx)
  // The seeded people were welcomed long ago. Mark their mails as sent, so that a later sync doesn't write them again.
  ctx.db.update(mailOutbox).set({ status: 'sent', text: '', html: '', sentAt: ctx.now().toISOString() }).run()
  writeSetting(ctx, seededKey, ctx.settings.isProduction ? randomPassword : true)
}

/** The tables a seeding writes, each before the ones it references, so they can be cleared in this order. */
const seededTables = [
  commissionLedger,
  documentCsvRows,
  creditNotes,
  invoices,
  revenueChanges,
  providerRefunds,
  providerInvoices,
  paymentMethods,
  cardChanges,
  subscriptions,
  customers,
  memberVideos,
  blogPosts,
  callHours,
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
  const at = ctx.now().toISOString()
  const people = seededPeople(ctx)
  for (const { email, firstName, lastName, trade, businessName, state } of people) {
    const row = { email, firstName, lastName, trade, businessName, phone: '07700 900123', isAdmin: state === 'owner' }
    ctx.db
      .insert(users)
      .values({ ...row, id: ctx.newId(), passwordHash, passwordChanged: true, createdAt: at, updatedAt: at })
      // The owners' accounts exist already. They get their names and the password here.
      .onConflictDoUpdate({ target: users.email, set: { ...row, passwordHash, passwordChanged: true } })
      .run()
  }
  for (const { email } of people) {
    const [account, address] = [findAccount(ctx, email), addressSeeds[email]]
    if (account !== undefined && address !== undefined)
      insertIfAbsent(ctx, addresses, { userId: account.id, ...address, updatedAt: at })
  }
}

/** Links a sandbox customer to the person with the same email address, and syncs them. */
async function adoptCustomer(ctx: Context, stripeCustomerId: string): Promise<void> {
  const customer = await ctx.stripe.customers.retrieve(stripeCustomerId)
  if (customer.deleted || customer.email === null) return
  const account = findAccount(ctx, customer.email)
  if (account === undefined) return
  const createdAt = ctx.billingNow().toISOString()
  insertRow(ctx, customers, { id: ctx.newId(), userId: account.id, stripeCustomerId, createdAt })
  await syncCustomer(ctx, stripeCustomerId)
}

function seedContent(ctx: Context): void {
  const now = ctx.now()
  const at = now.toISOString()
  for (const video of videoSeeds) {
    const id = ctx.newId()
    insertRow(ctx, memberVideos, { ...video, id, createdAt: at, updatedAt: at })
    insertRow(ctx, videoTexts, { videoId: id, ...lessonText(video), updatedAt: at })
  }
  for (const { daysAgo, ...post } of postSeeds) {
    const publishedAt = post.isPublished ? new Date(now.getTime() - daysAgo * day).toISOString() : null
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
