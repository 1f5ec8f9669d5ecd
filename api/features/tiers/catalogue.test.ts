import { beforeEach, describe, expect, test } from 'vitest'
import { videosOfTier } from '#api/testing/tier-videos.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminTier, NewTierRequest, TierUses } from '#shared/contract/admin-tier.ts'
import type { MembershipTierList } from '#shared/contract/tier.ts'

let world: World
let owner: Call
let other: Call
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
  other = world.signIn(world.addOwner())
})

const path = '/api/admin/tiers'
const silver = {
  name: 'Silver Crew',
  description: 'Between the two',
  features: ['**Videos**'],
  prices: [
    { every: 'month', net: 18_000 },
    { every: 'year', net: 180_000 },
  ],
} satisfies Partial<NewTierRequest>

const add = async (more: object = {}): Promise<AdminTier> =>
  (await owner(path, { body: { ...silver, ...more } })).json()
const tiers = async (): Promise<AdminTier[]> => (await owner(path)).json()
const tier = async (slug: string) => (await tiers()).find((one) => one.slug === slug)
const shown = async (): Promise<MembershipTierList['tiers']> =>
  (await (await world.call('/api/membership-tiers')).json()).tiers
const act = async (call: Call, slug: string, what: string, more: object = {}) => {
  const version = (await tier(slug))?.version ?? 1
  return call(`${path}/${slug}/${what}`, { body: { version, ...more } })
}
const remove = async (slug: string, more: object = {}) =>
  owner(`${path}/${slug}`, { method: 'DELETE', body: { version: (await tier(slug))?.version ?? 1, ...more } })

describe('a new tier', () => {
  test('is among the cards with its prices, once for a request that is sent twice', async () => {
    const headers = { 'idempotency-key': world.ctx.newId() }
    for (const _twice of [1, 2]) expect((await owner(path, { body: silver, headers })).status).toBe(200)
    const added = (await shown()).at(-1)
    expect((await shown()).map(({ slug }) => slug)).toEqual(['lite', 'standard', 'xl', 'silver-crew'])
    expect(added).toMatchObject({
      price: 18_000,
      badge: null,
      cardColour: 'paper',
      rejoinsNow: true,
      rejoinsLater: true,
    })
    expect(added?.prices).toMatchObject([
      { every: 'month', net: 18_000, vat: 3_600, total: 21_600 },
      { every: 'year', net: 180_000, vat: 36_000, total: 216_000 },
    ])
  })

  test('by the year alone says a twelfth, rounded up', async () => {
    await add({ prices: [{ every: 'year', net: 100_000 }] })
    expect((await shown()).at(-1)).toMatchObject({ price: 8_334, prices: [{ every: 'year', net: 100_000 }] })
  })

  test('begins with the videos that another one sees, and ten per cent', async () => {
    world.addVideos()
    await add({ videosLike: 'standard' })
    expect(videosOfTier(world, 'silver-crew')).toEqual(videosOfTier(world, 'standard'))
    await add({ name: 'Gold' })
    expect(videosOfTier(world, 'gold')).toEqual([])
    const rates = await (await owner('/api/admin/commission-rates')).json()
    expect(rates).toContainEqual({ tierSlug: 'gold', tierName: 'Gold', rate: 10, validFrom: null })
  })

  test('what can’t be one is refused at its field', async () => {
    await add({ slug: 'gold' })
    const refused: [body: object, field: string, says: RegExp][] = [
      [{ name: 'Silver Crew' }, 'name', /has this name/],
      [{ name: 'silver  CREW' }, 'name', /has this name/],
      [{ name: 'n'.repeat(200) }, 'name', /60/],
      [{ slug: 'gold' }, 'slug', /Choose another/],
      [{ slug: 'Gold!' }, 'slug', /small letters/],
      [{ slug: 'owner' }, 'slug', /Choose another/],
      [{ prices: [] }, 'prices', /Enter a price/],
      [{ prices: [{ every: 'month', net: 0 }] }, 'prices.0.net', /at least £1/],
      [{ prices: [{ every: 'month', net: 0.5 }] }, 'prices.0.net', /./],
      [{ prices: [{ every: 'month', net: 1_000_000_000 }] }, 'prices.0.net', /Check the price/],
      [{ prices: [{ every: 'month', net: 2_000_000 }] }, 'prices.0.net', /Check the price/],
      [{ prices: [silver.prices[0], silver.prices[0]] }, 'prices', /one price a month/],
      [{ callsPerMonth: 2 }, 'callDuration', /how long/],
      [{ videosLike: 'platinum' }, 'videosLike', /one of the tiers/],
    ]
    for (const [body, field, says] of refused) {
      const { status, fields } = await readError(await owner(path, { body: { ...silver, name: 'Other', ...body } }))
      expect([body, status, fields?.[field]]).toEqual([body, 422, expect.stringMatching(says)])
    }
    const named = await add({ name: 'Bench 👩‍🔧 <b>', slug: undefined })
    expect([named.slug, named.name]).toEqual(['bench-b', 'Bench 👩‍🔧 <b>'])
  })

  test('at most 12 are offered', async () => {
    for (let n = 1; n <= 9; n += 1) expect(await add({ name: `Tier ${n}` })).toMatchObject({ isActive: true })
    expect((await readError(await owner(path, { body: { ...silver, name: 'Tier 10' } }))).status).toBe(409)
    expect(await add({ name: 'Tier 10', isActive: false })).toMatchObject({ isActive: false })
    expect((await act(owner, 'tier-10', 'restore')).status).toBe(409)
  })
})

test('one that isn’t shown or has been retired is in no list, and 422 wherever a visitor names it', async () => {
  await add()
  const { version } = (await tier('silver-crew')) ?? {}
  await owner(`${path}/silver-crew`, { method: 'PATCH', body: { version, isShown: false } })
  const named = async () => {
    const body = { email: 'sam@example.com', name: 'Sam Field', tierSlug: 'silver-crew' }
    return readError(await world.call('/api/create-subscription', { body }))
  }
  for (const what of ['hidden', 'retired']) {
    expect([what, (await shown()).map(({ slug }) => slug)]).toEqual([what, ['lite', 'standard', 'xl']])
    expect([what, await named()]).toMatchObject([what, { status: 422, fields: { tierSlug: expect.any(String) } }])
    await act(owner, 'silver-crew', 'retire')
  }
})

test('owners put the tiers in another order; one that is missing or new is said', async () => {
  const slugs = ['xl', 'lite', 'standard', 'mastermind']
  for (const _twice of [1, 2])
    expect((await owner('/api/admin/tier-order', { method: 'PUT', body: { slugs } })).status).toBe(200)
  expect((await shown()).map(({ slug }) => slug)).toEqual(['xl', 'lite', 'standard'])
  for (const wrong of [slugs.slice(1), [...slugs, 'gold'], ['xl', 'xl', 'lite', 'standard']])
    expect(
      (await readError(await owner('/api/admin/tier-order', { method: 'PUT', body: { slugs: wrong } }))).status,
    ).toBe(422)
})

test('one tier is preselected, and who had the one before open is told instead of choosing it again', async () => {
  const standard = await tier('standard')
  const patch = (slug: string, body: object) => owner(`${path}/${slug}`, { method: 'PATCH', body })
  await patch('standard', { version: standard?.version, isPreselected: true })
  const opened = await tier('standard')
  await patch('lite', { version: (await tier('lite'))?.version, isPreselected: true })
  const { code } = await readError(
    await patch('standard', { version: opened?.version, isPreselected: true, badge: 'New' }),
  )
  expect(code).toBe('version_conflict')
  expect((await tiers()).filter(({ isPreselected }) => isPreselected).map(({ slug }) => slug)).toEqual(['lite'])
})

describe('retiring', () => {
  test('leaves members their tier and its videos, and restoring undoes it', async () => {
    world.addVideos()
    const member = world.signIn(world.addMember({ tier: 'xl' }))
    const videos = async () => (await (await member('/api/member-videos')).json()).length
    const before = await videos()
    for (const _twice of [1, 2]) expect((await act(owner, 'xl', 'retire')).status).toBe(200)
    expect([await videos(), (await shown()).map(({ slug }) => slug)]).toEqual([before, ['lite', 'standard']])
    expect((await act(owner, 'xl', 'restore')).status).toBe(200)
    expect((await shown()).map(({ slug }) => slug)).toEqual(['lite', 'standard', 'xl'])
  })

  test('the default tier is retired, hidden or deleted only with another default, in the same step', async () => {
    expect((await readError(await act(owner, 'standard', 'retire'))).message).toMatch(/default tier/)
    const { version } = (await tier('standard')) ?? {}
    for (const body of [{ visibility: 'hidden' }, { isShown: false }])
      expect((await owner(`${path}/standard`, { method: 'PATCH', body: { version, ...body } })).status).toBe(422)
    expect(
      (await readError(await act(owner, 'standard', 'retire', { newDefault: 'mastermind' }))).fields,
    ).toHaveProperty('newDefault')
    expect(await tier('standard')).toMatchObject({ isActive: true, isDefault: true })
    expect((await act(owner, 'standard', 'retire', { newDefault: 'lite' })).status).toBe(200)
    expect([await tier('standard'), await tier('lite')]).toMatchObject([
      { isActive: false, isDefault: false },
      { isActive: true, isDefault: true },
    ])
    expect(
      (await (await world.call('/api/membership-tiers')).json()).tiers.filter((one: AdminTier) => one.isDefault),
    ).toHaveLength(1)
  })

  test('two owners who each retire the other’s new default leave one', async () => {
    const [standard, lite] = [await tier('standard'), await tier('lite')]
    const answers = await Promise.all([
      owner(`${path}/standard/retire`, { body: { version: standard?.version, newDefault: 'lite' } }),
      other(`${path}/lite/retire`, { body: { version: lite?.version } }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.any(Number)])
    const left = (await tiers()).filter(({ isDefault }) => isDefault)
    expect(left).toHaveLength(1)
    expect(left[0]).toMatchObject({ isActive: true, isShown: true })
  })

  test('two owners who each take the default away at once leave one', async () => {
    const versions = new Map((await tiers()).map(({ slug, version }) => [slug, version]))
    const take = (call: Call, slug: string, what: string, more: object = {}) =>
      call(`${path}/${slug}/${what}`, { body: { version: versions.get(slug), ...more } })
    const answers = await Promise.all([
      take(owner, 'lite', 'default'),
      take(other, 'standard', 'retire', { newDefault: 'xl' }),
      take(owner, 'xl', 'default'),
    ])
    expect(answers.map(({ status }) => status)).toContain(200)
    const left = (await tiers()).filter(({ isDefault }) => isDefault)
    expect([left.length, left[0]?.isActive, left[0]?.isShown]).toEqual([1, true, true])
  })

  test('of two owners who save one tier at once, one is shown the other’s', async () => {
    const version = (await tier('lite'))?.version
    const save = (call: Call, badge: string) => call(`${path}/lite`, { method: 'PATCH', body: { version, badge } })
    const answers = await Promise.all([save(owner, 'Ours'), save(other, 'Theirs')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = answers[0]?.status === 200 ? 'Ours' : 'Theirs'
    const lost = answers.find(({ status }) => status === 409)
    expect(lost && (await readError(lost)).code).toBe('version_conflict')
    expect((await tier('lite'))?.badge).toBe(won)
  })

  test('two owners see each other’s change', async () => {
    const version = (await tier('lite'))?.version
    expect((await owner(`${path}/lite`, { method: 'PATCH', body: { version, badge: 'New' } })).status).toBe(200)
    const late = await readError(await other(`${path}/lite/retire`, { body: { version } }))
    expect([late.status, late.code]).toEqual([409, 'version_conflict'])
    expect(await tier('lite')).toMatchObject({ badge: 'New', isActive: true })
  })
})

test('who pays is told in their own period and named, and who has booked a change to it, also once it’s retired', async () => {
  const named = (firstName: string, subscription: object) => world.addMember({ firstName, tier: 'xl', subscription })
  for (const name of ['Fay', 'Eve', 'Dan', 'Cid', 'Bob', 'Ada']) named(name, { yearlyNet: 540_000 })
  named('Gus', { yearlyNet: 450_000, chargeMonths: 12 })
  named('Hal', { yearlyNet: 260_000, chargeDays: 7 })
  const booked = { nextTierSlug: 'xl', nextTierNet: 45_000, nextTierAt: '2027-02-01T09:00:00.000Z' }
  const kim = world.addMember({ firstName: 'Kim', lastName: 'Reed', tier: 'lite', subscription: booked })
  world.addMember({ firstName: 'Lou', tier: 'lite', subscription: { ...booked, status: 'canceled' } })
  const uses = async (): Promise<TierUses> => (await owner(`${path}/xl/uses`)).json()
  const { payers } = await uses()
  expect(payers.map(({ people, ...sum }) => [sum, people.map(({ name }) => name.split(' ')[0])])).toEqual([
    [{ net: 45_000, months: 1, days: null, members: 6 }, ['Ada', 'Bob', 'Cid', 'Dan', 'Eve']],
    [{ net: 450_000, months: 12, days: null, members: 1 }, ['Gus']],
    [{ net: 5_000, months: 1, days: 7, members: 1 }, ['Hal']],
  ])
  const coming = { members: 1, people: [{ memberId: kim.id, name: 'Kim Reed', on: '2027-02-01' }] }
  expect((await uses()).booked).toEqual(coming)
  expect(await (await act(owner, 'xl', 'retire')).json()).toMatchObject({ isActive: false, booked: coming })
  expect(await tier('xl')).toMatchObject({ booked: coming })
  expect(await tier('lite')).toMatchObject({ booked: { members: 0, people: [] } })
})

describe('deleting', () => {
  test('takes a tier that nothing names, with its prices; its short name is never given again', async () => {
    await add()
    expect((await remove('silver-crew')).status).toBe(200)
    expect(await tier('silver-crew')).toBeUndefined()
    expect(world.ctx.sqlite.prepare(`select * from tier_prices where tierSlug = 'silver-crew'`).all()).toEqual([])
    expect((await add()).slug).toBe('silver-crew-2')
    expect(
      (await readError(await owner(path, { body: { ...silver, name: 'X', slug: 'silver-crew' } }))).fields,
    ).toHaveProperty('slug')
  })

  test('is refused while anything names it, and says what', async () => {
    world.addMember({ tier: 'xl' })
    const { status, message } = await readError(await remove('xl'))
    expect([status, message]).toEqual([409, expect.stringMatching(/used by 1 subscription.*Retire it instead/)])
    const uses: TierUses = await (await owner(`${path}/xl/uses`)).json()
    expect(uses).toMatchObject({
      payers: [{ net: 45_000, months: 1, members: 1, people: [{ name: expect.any(String) }] }],
      namedBy: expect.arrayContaining(['1 subscription']),
    })
  })

  test('names the videos that it alone sees first', async () => {
    world.addVideos()
    await add()
    world.ctx.sqlite.exec(`delete from video_tiers where videoId = (select min(id) from member_videos);
      insert into video_tiers select min(id), 'silver-crew' from member_videos`)
    const { message } = await readError(await remove('silver-crew'))
    expect(message).toMatch(/No other tier sees “.+”\. Give it to another tier first/)
    expect((await remove('silver-crew', { leavesVideos: true })).status).toBe(200)
  })
})

describe('a price that’s no longer offered', () => {
  test('is chosen by nobody, and the last one stays', async () => {
    await add()
    const stop = async (every: string) =>
      owner(`${path}/silver-crew/price/offer`, {
        method: 'DELETE',
        body: { every, version: (await tier('silver-crew'))?.version },
      })
    expect((await stop('month')).status).toBe(200)
    expect((await shown()).at(-1)).toMatchObject({ price: 15_000, prices: [{ every: 'year' }] })
    const body = { email: 'sam@example.com', name: 'Sam Field', tierSlug: 'silver-crew' }
    const { message, ...told } = await readError(await world.call('/api/create-subscription', { body }))
    expect([told.status, told.code, message]).toEqual([
      409,
      // Pages lead back to the tiers by it.
      'price_changed',
      'Choose again: this tier is paid by the year.',
    ])
    expect((await readError(await stop('year'))).message).toMatch(/no other price/)
  })

  test('an id of another tier, or of none, is a price that has changed', async () => {
    const [lite] = await shown()
    for (const priceId of [lite?.prices[0]?.id, world.ctx.newId()]) {
      const body = { email: 'sam@example.com', name: 'Sam Field', tierSlug: 'xl', priceId }
      expect(await readError(await world.call('/api/create-subscription', { body }))).toMatchObject({
        status: 409,
        code: 'price_changed',
      })
    }
  })
})
