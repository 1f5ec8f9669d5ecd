// @module-tag full
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { writeSetting } from '#api/db/stored-settings.ts'
import { issueInvoices } from '#api/features/invoices/issue-service.ts'
import { createBackup } from '#api/features/operations/backup/create-service.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
const opened: World[] = []
beforeEach(() => {
  folder = openDataFolder()
  folder.world.addMember({ email: 'sam@alliance.test' })
})
afterEach(() => {
  for (const { ctx } of opened.splice(0)) ctx.sqlite.close()
  folder.close()
})

function reopen(dataDir = folder.dataDir): World {
  const world = startWorld({ file: databaseFile(dataDir), env: folder.env })
  opened.push(world)
  return world
}

let payments = 0
/** A member pays: the next sync issues the invoices it may. */
function pay(
  { ctx }: World,
  payer = ctx.db.select().from(customers).orderBy(customers.createdAt, customers.id).get(),
): string[] {
  payments += 1
  const customerId = payer?.id ?? ''
  const at = '2026-06-11T09:00:00.000Z'
  const line = { description: 'Alliance', quantity: 1, unitPrice: 25_000, rate: 20, net: 25_000, vat: 5_000 }
  insertRow(ctx, providerInvoices, {
    id: `in_${payments}`,
    customerId,
    status: 'paid',
    lines: [line],
    tierSlug: 'standard',
    net: 25_000,
    vat: 5_000,
    total: 30_000,
    amountPaid: 30_000,
    created: at,
    paidAt: at,
    billingReason: 'subscription_cycle',
  })
  return issue(ctx)
}

function issue(ctx: World['ctx']): string[] {
  for (const customer of ctx.db.select().from(customers).all()) transact(ctx, () => issueInvoices(ctx, customer, false))
  return ctx.sqlite.prepare<[], string>('select number from invoices order by sequence').pluck().all()
}

const backup = () => join(folder.dataDir, 'backups', readdirSync(join(folder.dataDir, 'backups'))[0] ?? '')
const doctor = async (env = folder.env) =>
  JSON.parse((await folder.local('doctor --json', { env })).out).checks.find(
    ({ name }: { name: string }) => name === 'document numbers',
  )

test('what was issued after the backup is put in as it was, and its number never given again', async () => {
  pay(folder.world)
  await folder.local('backup create')
  expect(pay(folder.world)).toEqual(['A-000001', 'A-000002'])
  const issued = documents(folder.world)
  const plan = await folder.local(`backup restore ${backup()} --dry-run`)
  expect(plan.out).toMatch(/Numbers issued +up to A-000002: whatever isn’t in the backup is added or skipped/)
  const { out } = await folder.local(`backup restore ${backup()} --yes`)
  expect(out).toMatch(/Documents added +A-000002\n/)
  expect(out).toMatch(/Next numbers +A-000003, C-000001\n/)

  const world = reopen()
  expect(documents(world)).toEqual(issued)
  // Neither its payment nor its sync issues another one.
  expect(issue(world.ctx)).toEqual(['A-000001', 'A-000002'])
  expect(pay(world)).toEqual(['A-000001', 'A-000002', 'A-000003'])
  expect(await doctor()).toMatchObject({ state: 'ok', message: 'No gaps.' })
})

const documents = ({ ctx }: World) => ctx.sqlite.prepare('select * from invoices order by sequence').all()

/** Someone joins after the backup, so their invoices belong to no account once it's restored. */
function payAsStranger(world: World): void {
  const { id: userId } = world.addMember({ email: `stranger-${payments}@alliance.test` })
  const customer = world.ctx.db.select().from(customers).where(eq(customers.userId, userId)).get()
  pay(world, customer)
}

test('a number whose document cannot be put in is left out, recorded, and never given again', async () => {
  pay(folder.world)
  await folder.local('backup create')
  for (const _who of [1, 2]) payAsStranger(folder.world)
  expect(pay(folder.world)).toHaveLength(4)
  payAsStranger(folder.world)
  const { out } = await folder.local(`backup restore ${backup()} --yes`)
  expect(out).toMatch(/Documents added +A-000004\nNumbers skipped +A-000002 to A-000003\nNumbers skipped +A-000005\n/)
  const world = reopen()
  expect(pay(world)).toEqual(['A-000001', 'A-000004', 'A-000006'])
  expect(await doctor()).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('No gaps, apart from 3 numbers recorded as skipped.'),
  })
  const numbers = await folder.local('invoices numbers --csv')
  expect(numbers.out).toMatch(/\r\nA-000002,A-000003,.*Issued after the backup of 12 June 2026, 08:40.*before-restore/)
  expect((await folder.local('invoices lint')).out).not.toContain('series is broken')
  for (const sql of ['delete from skipped_numbers', 'update skipped_numbers set last = 9']) {
    expect(() => world.ctx.sqlite.exec(sql)).toThrow('stays out')
  }
  const copy = `insert into invoices select 'x', 3, 'A-000003', customerId, null, 'y', isRetroactive, isMissingAddress, taxPoint, issuedOn,
    seller, customer, lines, tierSlug, net, vat, gross, createdAt, null, null from invoices limit 1`
  expect(() => world.ctx.sqlite.exec(copy)).toThrow('the next invoice has the next number')

  const again = await folder.local(`backup restore ${backup()} --yes`, { now: () => new Date('2026-06-12T09:00:00Z') })
  expect(again.out).toMatch(/Documents added +A-000004, A-000006\n/)
  expect(pay(reopen())).toEqual(['A-000001', 'A-000004', 'A-000006', 'A-000007'])
})

test('an invoice for a payment whose number was left out says whose place it takes, here and after another restore', async () => {
  await folder.local('backup create')
  const { id: userId } = folder.world.addMember({ email: 'kim@alliance.test' })
  const kim = folder.world.ctx.db.select().from(customers).where(eq(customers.userId, userId)).get()
  expect(pay(folder.world, kim)).toEqual(['A-000001'])
  await folder.local(`backup restore ${backup()} --yes`)
  await folder.local(`backup restore ${backup()} --yes`, { now: () => new Date('2026-06-12T09:00:00Z') })
  const world = reopen()
  const lost = await folder.local('invoices numbers --json')
  expect(JSON.parse(lost.out).skipped).toMatchObject([
    { first: 'A-000001', documents: { 'A-000001': `in_${payments}` } },
  ])

  // The same customer, now that their account exists here again.
  payments -= 1
  expect(pay(world)).toEqual(['A-000002'])
  const [{ id = '' } = {}] = world.ctx.sqlite.prepare<[], { id: string }>('select id from invoices').all()
  const owner = world.signIn(world.addOwner())
  expect(await (await owner(`/api/billing/invoices/${id}`)).text()).toContain(
    'Replaces invoice A-000001, which is no longer in our books.',
  )
  expect(JSON.parse((await folder.local('invoices show A-000002 --json')).out)).toMatchObject({ replaces: 'A-000001' })
  expect(JSON.parse((await folder.local('invoices list --json')).out)).toMatchObject([{ replaces: 'A-000001' }])
  expect((await folder.local('invoices export --csv')).out).toMatch(/A-000002,.*,A-000001,/)
})

test('in a new place real invoices wait until an owner says which numbers are out, and then go on behind them', async () => {
  pay(folder.world)
  writeSetting(folder.world.ctx, 'provider_account', { mode: 'live', id: 'acct_1' })
  const request = { folder: join(folder.dataDir, 'backups'), passphrase: null, isMediaApart: false }
  await createBackup(folder.world.ctx, request)
  const env = { ...folder.env, DATA_DIR: join(folder.dataDir, 'other') }
  const restored = await folder.local(`backup restore ${backup()}`, { env })
  expect(restored.out).toMatch(/Next numbers +not known yet/)
  expect(restored.err).toMatch(/A-000002 and C-000001 may already be issued.*\n.*alliance invoices skip NUMBER/)
  expect(await doctor(env)).toMatchObject({ state: 'failed', fix: 'invoices numbers' })

  const world = reopen(env.DATA_DIR)
  expect(pay(world)).toEqual(['A-000001'])
  // These tests use the sandbox's settings.
  writeSetting(world.ctx, 'provider_account', { mode: 'sandbox', id: 'sandbox' })
  expect((await folder.local('invoices numbers', { env })).out).toMatch(
    /Waiting +1 payment without an invoice here[^\n]*\nTo go on +alliance invoices skip NUMBER/,
  )
  expect(await folder.local('invoices skip NUMBER --yes', { env })).toMatchObject({ code: 2 })
  expect((await folder.local('invoices skip A-000001 --yes', { env })).err).toContain(
    'A-000001 is already used. The next is A-000002.',
  )
  expect((await folder.local('invoices skip A-900000 --yes', { env })).err).toContain('too many')
  expect(await folder.local('invoices skip A-000007', { env })).toMatchObject({ code: 2 })
  expect(issue(world.ctx)).toEqual(['A-000001'])
  for (const number of ['A-000001', 'A-000008']) {
    const wrong = `invoices skip A-000007 --for ${number}=in_${payments} --yes`
    expect((await folder.local(wrong, { env })).err).toContain(`${number} isn’t one of the skipped numbers`)
  }
  const replaced = ['A-000002', 'A-000007'].map((number) => `--for ${number}=in_${payments}`)
  const skip = `invoices skip A-000007 --reason Disk ${replaced.join(' ')} --yes`
  const skipped = await folder.local(skip, { env })
  expect(skipped).toMatchObject({ code: 0, err: expect.stringContaining('The next invoice is A-000008') })
  expect(issue(world.ctx)).toEqual(['A-000001', 'A-000008'])
  expect((await folder.local('invoices show A-000008 --json', { env })).out).toContain('"replaces": "A-000007"')
  expect(await doctor(env)).toMatchObject({ state: 'ok' })
})

test('a site that was begun on the new machine before the restore does not know the numbers either', async () => {
  pay(folder.world)
  writeSetting(folder.world.ctx, 'provider_account', { mode: 'live', id: 'acct_1' })
  await createBackup(folder.world.ctx, {
    folder: join(folder.dataDir, 'backups'),
    passphrase: null,
    isMediaApart: false,
  })
  const env = { ...folder.env, DATA_DIR: join(folder.dataDir, 'other') }
  mkdirSync(env.DATA_DIR)
  reopen(env.DATA_DIR).addOwner()
  const restored = await folder.local(`backup restore ${backup()} --yes`, { env })
  expect(restored.out).toMatch(/Previous data[\s\S]+Next numbers +not known yet/)
})

test('a sandbox in a new place goes on at once, and an owner who knows of none says so', async () => {
  pay(folder.world)
  await folder.local('backup create')
  const env = { ...folder.env, DATA_DIR: join(folder.dataDir, 'other') }
  expect((await folder.local(`backup restore ${backup()}`, { env })).out).toMatch(/Next numbers +A-000002, C-000001/)
  expect(pay(reopen(env.DATA_DIR))).toEqual(['A-000001', 'A-000002'])
  expect((await folder.local('invoices skip none --yes', { env })).err).toContain('The next invoice is A-000003')
})

/** What happens to the database before the restore, by what's left of it. */
const damages: readonly (readonly [string, (file: string) => void])[] = [
  ['a damaged table of invoices', (file) => damagePage(file, 'invoices')],
  ['a damaged table of customers and accounts', (file) => ['customers', 'users'].map((name) => damagePage(file, name))],
  ['a damaged schema', (file) => damagePage(file, 'sqlite_schema')],
  ['a missing file', (file) => rmSync(file)],
  ['an empty file', (file) => truncateSync(file)],
  ['half a file', (file) => truncateSync(file, 200 * 4096)],
  ['no database at all', (file) => writeFileSync(file, 'hello '.repeat(2000))],
]

test.each(damages)(
  'over %s the restore is whole, and no invoice is issued until an owner says',
  async (_what, damage) => {
    pay(folder.world)
    await folder.local('backup create')
    pay(folder.world)
    const file = databaseFile(folder.dataDir)
    folder.world.ctx.sqlite.close()
    damage(file)
    const { code, out, err } = await folder.local(`backup restore ${backup()} --yes`)
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/Next numbers +not known yet/) })
    expect(err).toMatch(
      /is damaged or incomplete[^\n]*A-000002 and C-000001 may already be issued[^\n]*\n[^\n]*alliance invoices skip/,
    )

    const world = reopen()
    expect(pay(world)).toEqual(['A-000001'])
    expect(await doctor()).toMatchObject({ state: 'failed', fix: 'invoices numbers' })
    expect((await folder.local('invoices skip A-000002 --yes')).code).toBe(0)
    expect(issue(world.ctx)).toEqual(['A-000001', 'A-000003'])
  },
)

test('of a damaged database the highest number that can be read is named, and of one damaged elsewhere nothing is lost', async () => {
  pay(folder.world)
  await folder.local('backup create')
  pay(folder.world)
  const file = databaseFile(folder.dataDir)
  folder.world.ctx.sqlite.close()
  damagePage(file, 'users')
  expect((await folder.local(`backup restore ${backup()} --yes`)).out).toMatch(/Documents added +A-000002\n/)
  damagePage(file, 'invoices')
  const again = { now: () => new Date('2026-06-12T09:00:00Z') }
  const { err } = await folder.local(`backup restore ${backup()} --yes`, again)
  expect(err).toContain('The last one it can still read: A-000002.')
  expect(err).toMatch(/you emailed, then: \S+ alliance invoices skip A-000002 \(or: /)
})

test('what one restore left open stays open in the next, until an owner has said', async () => {
  pay(folder.world)
  await folder.local('backup create')
  pay(folder.world)
  folder.world.ctx.sqlite.close()
  damagePage(databaseFile(folder.dataDir), 'invoices')
  const restoreAt = async (time: string) => {
    const now = () => new Date(`2026-06-12T${time}:00Z`)
    return (await folder.local(`backup restore ${backup()} --yes`, { now })).out
  }
  expect(await restoreAt('09:00')).toMatch(/Next numbers +not known yet/)
  expect(await restoreAt('10:00')).toMatch(/Next numbers +not known yet/)
  expect((await folder.local('invoices skip A-000002 --yes')).code).toBe(0)
  expect(await restoreAt('11:00')).toMatch(/Numbers skipped +A-000002\nNext numbers +A-000003/)
})

test('a log whose database is gone is not taken for that of the backup', async () => {
  await folder.local('backup create')
  folder.world.addUser({ email: 'late@alliance.test' })
  const log = `${databaseFile(folder.dataDir)}-wal`
  copyFileSync(log, join(folder.dataDir, 'kept'))
  folder.world.ctx.sqlite.close()
  rmSync(databaseFile(folder.dataDir))
  copyFileSync(join(folder.dataDir, 'kept'), log)
  expect((await folder.local(`backup restore ${backup()} --yes`)).out).toMatch(/Previous data/)
  const members = await folder.local('members list --csv')
  expect(members.out).toContain('sam@alliance.test')
  expect(members.out).not.toContain('late@alliance.test')
})

test('a restore that fails has changed nothing', async () => {
  pay(folder.world)
  await folder.local('backup create')
  pay(folder.world)
  const before = documents(folder.world)
  rmSync(join(folder.dataDir, 'in-use'))
  symlinkSync('/no-such-disk/it', join(folder.dataDir, 'in-use'))
  const failed = await folder.local(`backup restore ${backup()} --yes`)
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('Nothing has changed.') })
  rmSync(join(folder.dataDir, 'in-use'))
  expect(documents(reopen())).toEqual(before)
  expect(readdirSync(folder.dataDir).filter((name) => /^(before|\.)/.test(name))).toEqual([])
})
