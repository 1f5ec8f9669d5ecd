import { describe, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import { shippedLowestPrice, tierSeeds } from '#data/seed/tiers.ts'
import { MembershipTier } from '#shared/contract/tier.ts'
import { lowestPriceLine } from '#shared/rules/price-mentions.ts'
import { allTiers, ensureTiers } from './service.ts'

test('API-01 CALLS-43 ENT-24 the tiers on sale, whole, in their order', async () => {
  const { success, tiers } = await (await startWorld().call('/api/membership-tiers')).json()
  expect(success).toBe(true)
  expect(tiers.map(({ slug, name, price }: MembershipTier) => [slug, name, price])).toEqual([
    ['lite', 'Alliance Lite', 12_500],
    ['standard', 'Alliance', 25_000],
    ['xl', 'Alliance XL', 45_000],
  ])
  for (const tier of tiers) expect(Object.keys(tier).sort()).toEqual(Object.keys(MembershipTier.entries).sort())
})

test('TIER-23 three tiers are sold by their slugs; Mastermind is mentioned, and nobody can buy it', async () => {
  const world = startWorld()
  const { tiers } = await (await world.call('/api/membership-tiers')).json()
  expect(tiers.map(({ slug }: MembershipTier) => slug)).toEqual(['lite', 'standard', 'xl'])
  const body = { email: 'sam@example.com', name: 'Sam Field', tierSlug: 'mastermind' }
  expect(await readError(await world.call('/api/create-subscription', { body }))).toMatchObject({
    status: 422,
    fields: { tierSlug: expect.any(String) },
  })
  const { site } = await (await world.call('/api/site-content')).json()
  expect(site.mastermind).toMatchObject({ name: expect.any(String), badge: expect.any(String) })
})

test('TIER-03 TIER-04 TIER-05 what each includes: videos and community; 30 minutes a month; an hour, weekly accountability and messages', async () => {
  const { tiers } = await (await startWorld().call('/api/membership-tiers')).json()
  const gives = (tier: MembershipTier) => [
    tier.hasVideoAccess && tier.hasCommunityAccess,
    tier.callDuration,
    tier.hasMonthlyCoaching,
    tier.hasWeeklyAccountability,
    tier.features.includes('**Direct WhatsApp access** to the coaches'),
  ]
  expect(tiers.map(gives)).toEqual([
    [true, null, false, false, false],
    [true, 30, true, false, false],
    [true, 60, true, true, true],
  ])
})

test('TIER-22 features mark emphasised words with a pair of asterisks each', async () => {
  const { tiers } = await (await startWorld().call('/api/membership-tiers')).json()
  const features: string[] = tiers.flatMap((tier: MembershipTier) => tier.features)
  expect(features.length).toBeGreaterThan(0)
  for (const feature of features) expect(feature.split('**').length % 2).toBe(1)
})

test('API-01 a tier that is off sale is not in the list', async () => {
  const world = startWorld()
  world.ctx.sqlite.exec(
    `update membership_tiers set isActive = 0, isDefault = 0, orderIndex = 9 where slug = 'standard'`,
  )
  const { tiers } = await (await world.call('/api/membership-tiers')).json()
  expect(tiers.map(({ slug }: MembershipTier) => slug)).toEqual(['lite', 'xl'])
})

test('API-01 the response is cached with its ETag until a tier changes', async () => {
  const world = startWorld()
  const first = await world.call('/api/membership-tiers')
  const etag = first.headers.get('etag') ?? ''
  const again = await world.call('/api/membership-tiers', { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  world.ctx.sqlite.exec(`update tier_prices set net = 13000 where tierSlug = 'lite'`)
  invalidateResponses(world.ctx)
  const changed = await world.call('/api/membership-tiers', { headers: { 'if-none-match': etag } })
  expect([changed.status, (await changed.json()).tiers[0].price]).toEqual([200, 13_000])
})

test('TIER-21 tiers are laid once: what owners changed survives the next start, and what they deleted stays deleted', () => {
  const { ctx } = startWorld()
  ctx.sqlite.exec(
    `update tier_prices set net = 13000 where tierSlug = 'lite'; delete from membership_tiers where slug = 'xl'`,
  )
  ensureTiers(ctx)
  expect(allTiers(ctx).map(({ slug, price, isActive, isShown }) => [slug, price, isActive, isShown])).toEqual([
    ['lite', 13_000, true, true],
    ['standard', 25_000, true, true],
    ['mastermind', 99_700, false, false],
  ])
})

test('a site from before Mastermind gets it, retired; where its name or slug is taken, nothing is touched and the start goes on', () => {
  const before = (sql: string) => {
    const { ctx } = startWorld()
    ctx.sqlite.exec(
      `delete from membership_tiers where slug = 'mastermind'; delete from tier_slugs where slug = 'mastermind'; ${sql}`,
    )
    const xl = () => ctx.sqlite.prepare(`select * from membership_tiers where slug = 'xl'`).get()
    const was = xl()
    for (const _start of [1, 2]) ensureTiers(ctx)
    expect(xl()).toEqual(was)
    return allTiers(ctx).map(({ slug, name, isActive }) => `${slug} ${name} ${isActive}`)
  }
  expect(before('').at(-1)).toBe('mastermind Alliance Mastermind false')
  expect(before(`update membership_tiers set name = 'Alliance Mastermind' where slug = 'xl'`)).toEqual([
    'lite Alliance Lite true',
    'standard Alliance true',
    'xl Alliance Mastermind true',
  ])
  expect(before(`update membership_tiers set name = 'alliance  mastermind' where slug = 'xl'`)).toHaveLength(3)
  const theirs = `insert into membership_tiers (id, slug, name, description, features, createdAt, updatedAt)
    values ('theirs', 'mastermind', 'Top Table', 'd', '[]', '2026-01-01T09:00:00.000Z', '2026-01-01T09:00:00.000Z')`
  expect(before(theirs).filter((one) => one.includes('mastermind'))).toEqual(['mastermind Top Table true'])
})

test('the lowest price on the front page follows the tiers once an owner has changed a price, or which there are', async () => {
  const world = startWorld()
  const lowest = async () => (await (await world.call('/api/site-content')).json()).site.prices.lowest
  const written = await lowest()
  const changed = (change: string) => {
    world.ctx.sqlite.exec(change)
    invalidateResponses(world.ctx)
    return lowest()
  }
  const follows = (line: string) => (written === shippedLowestPrice ? line : written)
  expect(await changed(`update membership_tiers set isActive = 0 where slug = 'xl'`)).toBe(
    follows('from £125 + VAT per month'),
  )
  expect(await changed(`update membership_tiers set isActive = 1 where slug = 'xl'`)).toBe(written)
  expect(await changed(`update tier_prices set net = 13500 where tierSlug = 'lite'`)).toBe(
    follows('from £135 + VAT per month'),
  )
  expect(lowestPriceLine('Ask us', [{ slug: 'lite', prices: [] }], { line: written, tiers: tierSeeds })).toBe('Ask us')
})

describe('an owner changes a tier', () => {
  const change = {
    name: 'Alliance Lite',
    description: 'Videos',
    features: ['**Videos**'],
    visibility: 'open',
    version: 1,
  }

  test('and the site shows it at once, audited, once for a request that is sent twice', async () => {
    const world = startWorld()
    const owner = world.signIn(world.addOwner())
    const patch = (body: object) => owner('/api/admin/tiers/lite', { method: 'PATCH', body: { ...change, ...body } })
    await world.call('/api/membership-tiers')
    const wanted = { name: 'Alliance Start', visibility: 'invitation' }
    expect(await (await patch(wanted)).json()).toMatchObject({ name: 'Alliance Start', version: 2 })
    expect(await (await patch(wanted)).json()).toMatchObject({ version: 2 })
    const { tiers } = await (await world.call('/api/membership-tiers')).json()
    expect(tiers[0]).toMatchObject({ name: 'Alliance Start', isByInvitation: true, features: ['**Videos**'] })
    await patch({ ...wanted, visibility: 'hidden', version: 2 })
    expect((await (await world.call('/api/membership-tiers')).json()).tiers).toHaveLength(2)
    const audited = world.ctx.sqlite.prepare(`select detail from audit_entries where action = 'tier.changed'`).all()
    expect(audited).toHaveLength(2)
    expect((await (await owner('/api/admin/tiers')).json())[0]).toMatchObject({ visibility: 'hidden', price: 12_500 })
  })

  test('that another owner has changed meanwhile: both are given back, and nothing is overwritten', async () => {
    const world = startWorld()
    const owner = world.signIn(world.addOwner())
    const patch = (body: object) => owner('/api/admin/tiers/lite', { method: 'PATCH', body: { ...change, ...body } })
    await patch({ description: 'Theirs' })
    const response = await patch({ description: 'Mine' })
    const { error } = await response.json()
    expect([response.status, error.versions.sent.description, error.versions.current.description]).toEqual([
      ...[409, 'Mine', 'Theirs'],
    ])
  })

  test.each([
    ['a name that another tier has', { name: 'Alliance XL' }, 'name'],
    ['half a pair of asterisks', { features: ['**Videos'] }, 'features.0'],
    ['no line at all', { features: [] }, 'features'],
    ['a new price', { price: 1 }, 'price'],
  ])('and is refused %s', async (_what, body, field) => {
    const world = startWorld()
    const owner = world.signIn(world.addOwner())
    const response = await owner('/api/admin/tiers/lite', { method: 'PATCH', body: { ...change, ...body } })
    expect(await readError(response)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } })
  })
})
