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

/** SQLite's own list of what the database consists of. */
const schemaObjects = sqliteTable('sqlite_master', {
  type: text().notNull(),
  name: text().notNull(),
  sql: text().notNull(),
})
const day = 86_400_000

/** Whether anybody may know the passwords of the accounts that were seeded here. */
export function hasKnownPasswords(ctx: Context): boolean {
  const seeded = readSetting(ctx, seededKey)
  return seeded !== undefined && seeded.value !== randomPassword
}

const isSeeded = (ctx: Context): boolean => readSetting(ctx, seededKey) !== undefined

/** The setting's value where the accounts have a password of their own. */
const randomPassword = 'random password'

/**
 * Fills a fresh sandbox: people in every state of membership, videos, posts. Memberships are bought at the payment
 * sandbox at dates in the past, on a clock of their own that ends at today, so that rows and provider agree from the
 * start. Returns the password of the accounts, which is one of its own in production; null where they were seeded before.
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
  // The client of the provider learns no more than that it failed.
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

/**
 * In production the owners are those that the settings name, and none has the password that is given to everybody who may try
 * the site out. What an owner's address is on record for is nobody else's account, wherever it runs.
 */
export function seededPeople({ db, settings }: Context): PersonSeed[] {
  const recorded = db.select({ email: ownerAddresses.email }).from(ownerAddresses).all()
  const ofOwners = new Set(recorded.map(({ email }) => email))
  return peopleSeeds.filter(({ state, email }) => (state === 'owner' ? !settings.isProduction : !ofOwners.has(email)))
}

function finishSeeding(ctx: Context): void {
  seedContent(ctx)
  // The seeded people were welcomed long ago: their mails stay as sent, so that no later sync writes them again.
  ctx.db.update(mailOutbox).set({ status: 'sent', text: '', html: '', sentAt: ctx.now().toISOString() }).run()
  writeSetting(ctx, seededKey, ctx.settings.isProduction ? randomPassword : true)
}

/** The tables that a seeding writes, each before those that it references. */
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
 * Nothing has been served from a folder that is not seeded yet: its rows are those of a seeding that was cut short.
 * Only here are the triggers dropped that forbid deleting money rows, and the same transaction creates them again.
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
      // The owners' accounts are there already: they get their names and the password.
      .onConflictDoUpdate({ target: users.email, set: { ...row, passwordHash, passwordChanged: true } })
      .run()
  }
  for (const { email } of people) {
    const [account, address] = [findAccount(ctx, email), addressSeeds[email]]
    if (account !== undefined && address !== undefined)
      insertIfAbsent(ctx, addresses, { userId: account.id, ...address, updatedAt: at })
  }
}

/** Links a customer of the sandbox to the person with the same email address, and reads the customer into our rows. */
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
      // Version 0 says that no owner set them: a copy of the site leaves them here.
      for (const weekday of weekdays)
        insertRow(ctx, callHours, { ...hours, kind, weekday, id: ctx.newId(), version: 0, updatedAt: at })
    }
  }
}
