import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { addManyMembers } from '#api/testing/many-members.ts'
import { knownMigrations, migrate, readMigrations, withSchemaWritable } from './migrations.ts'
import { addsOnly, readFloor } from './older-versions.ts'

type Sqlite = Database.Database

const at = '2026-06-01T09:00:00.000Z'
const migrations = readMigrations()
const tiers = migrations.findIndex(({ sql }) => sql.some((text) => text.includes('tier_slugs')))
const { sql: statements = [], folderMillis: when = 0 } = migrations[tiers] ?? {}

const folder = mkdtempSync(join(tmpdir(), 'alliance-tiers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A site of before: its tiers, one with a price to come, and something of everything that named one in JSON. */
function siteOfBefore(file = ':memory:'): Sqlite {
  const sqlite = new Database(file)
  sqlite.pragma('foreign_keys = ON')
  sqlite.exec('create table __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)')
  for (const { sql, hash, folderMillis } of migrations.slice(0, tiers)) {
    for (const text of sql) sqlite.exec(text)
    sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run(hash, folderMillis)
  }
  const later = JSON.stringify({ price: 27_500, stripePriceId: 'price_later', from: '2026-07-01' })
  const tier = sqlite.prepare(
    `insert into membership_tiers (id, slug, name, description, price, features, callDuration, isByInvitation, orderIndex,
      stripePriceId, nextPrice, createdAt, updatedAt) values (?, ?, ?, 'd', ?, '[]', ?, ?, ?, ?, ?, '${at}', '${at}')`,
  )
  tier.run('tier-1', 'lite', 'Bench Lite', 12_500, null, 0, 0, 'price_lite', null)
  tier.run('tier-2', 'standard', 'Bench', 25_000, 30, 0, 1, null, later)
  tier.run('tier-3', 'xl', 'Bench XL', 45_000, 60, 1, 2, null, null)
  const segment = JSON.stringify({ tiers: ['xl', 'lite'], state: 'ending' })
  sqlite.exec(`
    insert into member_videos (id, slug, title, videoId, category, tierAccess, revision, createdAt, updatedAt)
      values ('v1', 'v1', 'All', 'a', 'Money', '["lite","standard","xl"]', 7, '${at}', '${at}'),
        ('v2', 'v2', 'XL', 'b', 'Money', '["xl","xl","gold"]', 3, '${at}', '${at}');
    insert into announcements (id, title, text, tiers, startsAt, endsAt, createdAt, updatedAt)
      values ('a1', 'T', 't', '["standard"]', '${at}', '2026-06-02T09:00:00.000Z', '${at}', '${at}');
    insert into mailings (id, subject, text, purpose, segment, perMinute, createdAt, updatedAt)
      values ('m1', 'S', 't', 'news', '${segment}', 60, '${at}', '${at}')`)
  return sqlite
}

const tablesOf = (sqlite: Sqlite): string[] =>
  sqlite
    .prepare<[], string>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
    )
    .pluck()
    .all()
    .filter((name) => name !== '__drizzle_migrations' && name !== 'settings')

const columnsOf = (sqlite: Sqlite, table: string): string[] =>
  sqlite.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)

/** One hash of each table's rows, of these columns. */
function hashes(sqlite: Sqlite, columns: ReadonlyMap<string, readonly string[]>) {
  return new Map(
    Array.from(columns, ([table, names]) => {
      const hash = createHash('sha256')
      const quoted = [...names, 'null', 'null'].map((name) => (name === 'null' ? name : `"${name}"`)).join()
      for (const row of sqlite.prepare(`select ${quoted} from "${table}" order by 1, 2, 3`).raw().iterate())
        hash.update(JSON.stringify(row))
      return [table, hash.digest('hex')]
    }),
  )
}

const moved: Record<string, string[]> = {
  membership_tiers: ['price', 'nextPrice', 'stripePriceId'],
  member_videos: ['tierAccess'],
  announcements: ['tiers'],
  mailings: ['segment'],
}
const keptColumns = (sqlite: Sqlite) =>
  new Map(
    tablesOf(sqlite).map((table) => [table, columnsOf(sqlite, table).filter((name) => !moved[table]?.includes(name))]),
  )

const schemaOf = (sqlite: Sqlite) =>
  sqlite.prepare('select type, name, tbl_name, sql from sqlite_master order by type, name').all()

test('what named a tier in JSON or had a price is in tables, and nothing else has changed', () => {
  const sqlite = siteOfBefore()
  addManyMembers({ sqlite }, 200)
  sqlite.exec(`insert into adopted_subscriptions (id, stripeCustomerId, stripePriceId, tierSlug, adoptedAt)
      values ('sub_many1', 'cus_many1', 'price_theirs', 'standard', '${at}');
    update subscriptions set stripePriceId = 'price_theirs' where id = 'sub_many1';
    update subscriptions set chargeTotal = 300000, chargeMonths = 12 where id = 'sub_many2';
    update subscriptions set nextTierSlug = 'xl' where id = 'sub_many4'`)
  const columns = keptColumns(sqlite)
  const before = hashes(sqlite, columns)
  migrate(sqlite)
  expect(hashes(sqlite, columns)).toEqual(before)
  expect(
    sqlite.prepare('select id, tierSlug, every, net, isOffered, nextPrice, stripePriceId from tier_prices').all(),
  ).toEqual([
    {
      id: 'tier-1',
      tierSlug: 'lite',
      every: 'month',
      net: 12_500,
      isOffered: 1,
      nextPrice: null,
      stripePriceId: 'price_lite',
    },
    {
      id: 'tier-2',
      tierSlug: 'standard',
      every: 'month',
      net: 25_000,
      isOffered: 1,
      nextPrice: '{"net":27500,"stripePriceId":"price_later","from":"2026-07-01"}',
      stripePriceId: null,
    },
    { id: 'tier-3', tierSlug: 'xl', every: 'month', net: 45_000, isOffered: 1, nextPrice: null, stripePriceId: null },
  ])
  expect(sqlite.prepare('select * from video_tiers order by videoId, tierSlug').raw().all()).toEqual([
    ['v1', 'lite'],
    ['v1', 'standard'],
    ['v1', 'xl'],
    ['v2', 'xl'],
  ])
  expect(sqlite.prepare('select * from announcement_tiers').raw().all()).toEqual([['a1', 'standard']])
  expect(sqlite.prepare('select tierSlug from mailing_tiers order by 1').pluck().all()).toEqual(['lite', 'xl'])
  expect(sqlite.prepare('select segment from mailings').pluck().get()).toBe('{"state":"ending"}')
  const priceOf = (id: string) =>
    sqlite.prepare<[string]>('select tierPriceId, nextTierPriceId from subscriptions where id = ?').raw().get(id)
  expect(['sub_many1', 'sub_many2', 'sub_many3', 'sub_many4'].map(priceOf)).toEqual([
    [null, null],
    [null, null],
    ['tier-1', null],
    ['tier-2', 'tier-3'],
  ])
  const properties = sqlite.prepare(
    `select slug, callsPerMonth, hasWhatsApp, isShown, isDefault, isPreselected, isHighlighted, badge, cardColour, rejoinsNow, rejoinsLater
     from membership_tiers order by orderIndex`,
  )
  expect(properties.raw().all()).toEqual([
    ['lite', 0, 0, 1, 0, 0, 0, null, 'paper', 1, 0],
    ['standard', 1, 0, 1, 1, 1, 1, 'Most Popular', 'yellow', 1, 1],
    ['xl', 1, 1, 1, 0, 0, 0, 'INVITE ONLY', 'dark', 1, 1],
  ])
})

test('a new slug is taken everywhere, an unknown one nowhere, and a tier that’s named stays', () => {
  const sqlite = siteOfBefore()
  addManyMembers({ sqlite }, 10)
  migrate(sqlite)
  const add = (slug: string) =>
    sqlite.exec(`insert into membership_tiers (id, slug, name, description, features, createdAt, updatedAt)
      values ('${slug}', '${slug}', '${slug}', 'd', '[]', '${at}', '${at}')`)
  add('gold')
  for (const table of ['users set membershipTier', 'subscriptions set tierSlug', 'provider_invoices set tierSlug']) {
    sqlite.exec(`update ${table} = 'gold'`)
    expect(() => sqlite.exec(`update ${table} = 'platinum'`)).toThrow('FOREIGN KEY')
  }
  expect(() => sqlite.exec(`delete from membership_tiers where slug = 'gold'`)).toThrow('FOREIGN KEY')
  expect(() => sqlite.exec(`update membership_tiers set slug = 'silver' where slug = 'gold'`)).toThrow('set once')
  add('silver')
  sqlite.exec(`delete from membership_tiers where slug = 'silver'`)
  expect(() => add('silver')).toThrow('UNIQUE')
  expect(() => sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'standard'`)).toThrow(
    'default_offered',
  )
})

test('the schema is a fresh database’s, and an older version can’t run on it', () => {
  const [moving, fresh] = [siteOfBefore(), new Database(':memory:')]
  migrate(moving)
  migrate(fresh)
  expect(schemaOf(moving)).toEqual(schemaOf(fresh))
  expect(moving.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(addsOnly(statements)).toBe(false)
  expect(readFloor(moving)?.oldest).toBeGreaterThanOrEqual(when)
  expect(knownMigrations()).toContain(when)
})

test('one that fails at any statement leaves the database as it was', () => {
  const sqlite = siteOfBefore()
  addManyMembers({ sqlite }, 10)
  const columns = new Map(tablesOf(sqlite).map((table) => [table, columnsOf(sqlite, table)]))
  const before = [schemaOf(sqlite), hashes(sqlite, columns)]
  for (const end of statements.keys()) {
    const fail = sqlite.transaction(() => {
      for (const text of statements.slice(0, end + 1)) sqlite.exec(text)
      throw new Error('power')
    })
    expect(() => withSchemaWritable(sqlite, fail)).toThrow('power')
    expect([end, schemaOf(sqlite), hashes(sqlite, columns)]).toEqual([end, ...before])
    expect(() => sqlite.exec(`update sqlite_schema set sql = '' where name = 'users'`)).toThrow('may not be modified')
  }
  migrate(sqlite)
})

test('rows that name a missing tier are named, and nothing has changed', () => {
  const sqlite = siteOfBefore()
  addManyMembers({ sqlite }, 10)
  sqlite.exec(`delete from membership_tiers where slug = 'xl'; update mailings set segment = '{"tiers":[]}'`)
  const before = schemaOf(sqlite)
  expect(() => migrate(sqlite)).toThrow(/that name a missing row of membership_tiers\. Nothing was changed/)
  expect(schemaOf(sqlite)).toEqual(before)
})

test('killed at any statement, the next start finds it as it was and migrates it', { tags: ['full'] }, () => {
  const file = join(folder, 'killed.db')
  const sqlite = siteOfBefore(file)
  addManyMembers({ sqlite }, 500)
  sqlite.pragma('journal_mode = WAL')
  const columns = new Map(tablesOf(sqlite).map((table) => [table, columnsOf(sqlite, table)]))
  const before = [schemaOf(sqlite), hashes(sqlite, columns)]
  sqlite.close()
  const kill = `const { default: Database } = await import('better-sqlite3')
    const sqlite = new Database(process.argv[1])
    sqlite.unsafeMode(true)
    sqlite.exec('begin immediate')
    for (const text of JSON.parse(process.argv[2])) sqlite.exec(text)
    process.kill(process.pid, 'SIGKILL')`
  for (const end of statements.keys()) {
    const sent = JSON.stringify(statements.slice(0, end + 1))
    const { signalCode } = Bun.spawnSync([process.execPath, '--eval', kill, file, sent], { stdout: 'inherit' })
    expect([end, signalCode]).toEqual([end, 'SIGKILL'])
    const again = new Database(file)
    expect([end, schemaOf(again), hashes(again, columns)]).toEqual([end, ...before])
    again.close()
  }
  const last = new Database(file)
  expect(migrate(last)).toBeGreaterThan(0)
  last.close()
})

test('100,000 members move within 30 seconds, each row the same', { tags: ['full'], timeout: 300_000 }, () => {
  const sqlite = siteOfBefore(join(folder, 'many.db'))
  addManyMembers({ sqlite }, 100_000)
  const columns = keptColumns(sqlite)
  const before = hashes(sqlite, columns)
  const from = performance.now()
  migrate(sqlite)
  expect((performance.now() - from) / 1000).toBeLessThan(30)
  expect(hashes(sqlite, columns)).toEqual(before)
  expect(sqlite.prepare('select count(*) from subscriptions where tierPriceId is null').pluck().get()).toBe(0)
  sqlite.close()
})
