// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { isRightPassword } from '#api/features/accounts/login/password-service.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { ensureTiers } from '#api/features/tiers/service.ts'
import { readSettings } from '#api/settings.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { seedClips } from './sample-service.ts'
import { seededPeople, seedSandbox } from './seed-service.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'alliance-seed-'))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** A free port. The provider's address must be known before it listens. */
test('in public no owner has the password of the accounts, and nobody else’s seed becomes an owner’s account', async () => {
  const owners = ['owner@alliance.test', 'standard@alliance.test', 'pastdue@alliance.test', 'boss@example.com']
  const settings = readSettings({
    DATA_DIR: dataDir,
    SANDBOX_PORT: freePorts(1)[0],
    SANDBOX_PEOPLE: 'few',
    NODE_ENV: 'production',
    ALLOW_SANDBOX: '1',
    SESSION_SECRET: 'x'.repeat(40),
    PUBLIC_URL: 'https://club.example',
    OWNER_EMAILS: owners.join(),
    SIMPLE_ADMIN_EMAIL: 'lite@alliance.test',
  })
  const ctx = openContext(settings)
  ensureTiers(ctx)
  ensureOwners(ctx)
  const password = (await seedSandbox(ctx)) ?? ''
  const mayLogIn = (email: string) => isRightPassword(password, findAccount(ctx, email)?.passwordHash ?? null)
  for (const email of [...owners, 'lite@alliance.test']) {
    expect(findAccount(ctx, email)?.isAdmin, email).toBe(true)
    expect(await mayLogIn(email), email).toBe(false)
  }
  expect(findAccount(ctx, 'owner2@alliance.test')).toBeUndefined()
  expect(await mayLogIn('xl@alliance.test')).toBe(true)
  const payers = ctx.sqlite
    .prepare('select email from customers join users on users.id = userId order by email')
    .pluck()
  expect(payers.all()).toEqual(['delayed@alliance.test', 'lapsed@alliance.test', 'xl@alliance.test'])
  expect(seededPeople(ctx).map(({ email }) => email.split('@')[0])).toEqual(['xl', 'delayed', 'lapsed', 'visitor'])
  ctx.sqlite.close()
})

test('a seeding that was cut short is done again, with the same result', async () => {
  const settings = readSettings({ DATA_DIR: dataDir, SANDBOX_PORT: freePorts(1)[0], SANDBOX_PEOPLE: 'few' })
  /** Starts the server up to and including the seed. */
  const seed = async () => {
    const ctx = openContext(settings)
    ensureTiers(ctx)
    ensureOwners(ctx)
    await seedSandbox(ctx)
    await seedClips(ctx)
    const count = (table: string) =>
      ctx.sqlite.prepare<[], { count: number }>(`select count(*) as count from ${table}`).get()?.count
    const counts = ['users', 'customers', 'subscriptions', 'member_videos', 'blog_posts'].map(count)
    const states = ctx.sqlite
      .prepare<[], { status: string }>('select status from subscriptions order by status')
      .all()
      .map(({ status }) => status)
    const lapsed = ctx.sqlite
      .prepare<[], { days: number }>(
        `select cast(julianday(endedAt) - julianday(created) as integer) as days from subscriptions where status = 'canceled'`,
      )
      .get()
    expect(lapsed?.days, 'a former member had the month they paid for').toBeGreaterThanOrEqual(27)
    const playing = ctx.sqlite.prepare('select count(distinct videoId) from video_files').pluck().get()
    expect(playing, 'every video plays a clip').toBe(count('member_videos'))
    const seen = ctx.sqlite.prepare('select count(*) from video_tiers where tierSlug = ?').pluck()
    expect(seen.get('mastermind'), 'who’s invited sees what XL sees').toBe(seen.get('xl'))
    ctx.sqlite.exec(`delete from settings where key in ('sandbox_seeded', 'sandbox_clips')`)
    ctx.sqlite.close()
    return { counts, states }
  }
  const once = await seed()
  expect(once).toEqual({
    counts: [9, 6, 6, 39, 5],
    states: ['active', 'active', 'active', 'canceled', 'past_due', 'trialing'],
  })
  expect(await seed()).toEqual(once)
})
