import { afterEach, expect, test } from 'vitest'
import { relational } from '#api/db/tables.ts'
import { describeRefusal } from '#api/features/site/content/check-service.ts'
import { assertReadyForMoney } from '#api/server.ts'
import { contentOf } from '#api/site/content.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { SetupCheck, SetupName, SetupState } from '#shared/contract/setup.ts'

const live = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bench.example',
  SESSION_SECRET: 'x'.repeat(40),
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

function startSite(world: World = startWorld()) {
  const person = world.addOwner()
  const owner = world.signIn(person)
  const read = async (): Promise<SetupState> => (await owner('/api/admin/setup')).json()
  return {
    world,
    owner,
    person,
    read,
    stateOf: async (name: SetupName) => (await read()).items.find((item) => item.name === name)?.state,
    check: async (name: SetupName) => {
      const { findings }: SetupCheck = await (await owner(`/api/admin/setup/${name}/check`, { method: 'POST' })).json()
      return findings
    },
    set: (name: string, value: string, version = 0) =>
      owner(`/api/admin/settings/${name}`, { method: 'PUT', body: { value, version } }),
  }
}

let money: PaymentWorld | null = null
afterEach(async () => {
  await money?.stop()
  money = null
})

test('a new site has everything before it; what is set is done', async () => {
  const { world, owner, read, set, stateOf } = startSite()
  const states = Object.fromEntries((await read()).items.map(({ name, state }) => [name, state]))
  expect(states).toEqual({
    seller: 'unset',
    legal: 'unset',
    brand: 'sample',
    contacts: 'sample',
    mail: 'sample',
    stripe: 'sample',
    'stripe-mails': 'optional',
    calendars: 'unset',
    community: 'sample',
    video: 'unset',
    post: 'unset',
    phones: 'optional',
  })
  await set('COMMUNITY_URL', 'https://community.example/us')
  openCalendar(world, ['consultation', 'coaching', 'catch-up'])
  await owner('/api/admin/blog', { body: { title: 'Vans', slug: 'vans', content: '<p>x</p>', isPublished: true } })
  const video = { title: 'Vans', videoType: 'wistia', videoId: 'abc123def4', category: 'Money', isPublished: true }
  await owner('/api/admin/videos', { body: video })
  for (const name of ['community', 'calendars', 'post', 'video'] as const)
    expect([name, await stateOf(name)]).toEqual([name, 'done'])
  await set('SELLER_NAME', 'Bench Ltd')
  await set('SELLER_ADDRESS', '1 Yard Lane, Leeds')
  expect(await stateOf('seller')).toBe('unset')
  await set('SELLER_VAT_NUMBER', 'GB 123 4567 82')
  expect(await stateOf('seller')).toBe('done')
})

test('a post and a video that come later are not there yet', async () => {
  const { world, owner, check, stateOf } = startSite()
  const post = { title: 'Vans', slug: 'vans', content: '<p>x</p>', isPublished: true }
  await owner('/api/admin/blog', { body: { ...post, publishedAt: '2026-06-13T09:00:00.000Z' } })
  const video = { title: 'Vans', videoType: 'wistia', videoId: 'abc123def4', category: 'Money', isPublished: true }
  await owner('/api/admin/videos', { body: { ...video, availableFrom: '2026-06-13' } })
  expect([await stateOf('post'), await stateOf('video')]).toEqual(['unset', 'unset'])
  for (const name of ['post', 'video'] as const) expect(await check(name)).toMatchObject([{ isFine: false }])
  world.forward(2 * 86_400_000)
  const later = startSite(world)
  expect([await later.stateOf('post'), await later.stateOf('video')]).toEqual(['done', 'done'])
})

test('a sample contact that is left says on which page it stands', async () => {
  const { owner, read } = startSite()
  const { value } = await (await owner('/api/admin/content/site')).json()
  const own = value.coaches.map(({ isSample: _, ...coach }: { isSample?: boolean }, at: number) => ({
    ...coach,
    chat: `https://wa.me/44790000000${at}`,
    email: `c${at}@bench.example`,
  }))
  const body = { version: 0, entry: 'coaches', value: own }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
  const contacts = (await read()).items.find(({ name }) => name === 'contacts')
  expect(contacts).toMatchObject({ state: 'sample', says: expect.stringContaining('on the page “quotient”') })
})

test('a new name is not done while tiers still have the one that the site came with', async () => {
  const { world, owner, read } = startSite()
  const { shortName } = contentOf(world.ctx).read().site.brand
  const rename = async (slug: string, name: string) => {
    const tiers: AdminTier[] = await (await owner('/api/admin/tiers')).json()
    const { description, features, visibility, version } = tiers.find((tier) => tier.slug === slug) ?? {}
    const body = { name, description, features, visibility, version }
    expect((await owner(`/api/admin/tiers/${slug}`, { method: 'PATCH', body })).status).toBe(200)
  }
  for (const [slug, name] of [
    ['lite', `${shortName} Lite`] as const,
    ['standard', 'Full'] as const,
    ['xl', 'XL'] as const,
  ])
    await rename(slug, name)
  const body = { version: 0, entry: 'brand.shortName', value: 'Bench' }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
  const brand = async () => (await read()).items.find(({ name }) => name === 'brand')
  expect(await brand()).toMatchObject({ state: 'sample', says: expect.stringContaining('still in 1 text') })
  const former = (await read()).unfinished.filter(({ kind }) => kind === 'name')
  expect(former).toEqual([{ kind: 'name', file: 'tiers', line: null, entry: 'lite.name', says: `${shortName} Lite` }])
  await rename('lite', 'Bench Lite')
  expect(await brand()).toMatchObject({ state: 'done' })
})

test('videos and posts that came with the sandbox are not the owners’ own', async () => {
  const { world, stateOf } = startSite()
  world.addVideos()
  expect(await stateOf('video')).toBe('unset')
  const real = startSite(startWorld({ env: { ...live, STRIPE_SECRET_KEY: 'sk_test_1' } }))
  real.world.addVideos()
  expect([await real.stateOf('video'), await real.stateOf('stripe')]).toEqual(['done', 'sample'])
})

test('what stands against a live start is what such a start says, to the line', async () => {
  const { world, read, set } = startSite(startWorld({ env: live }))
  const refusalOf = () => {
    try {
      assertReadyForMoney(world.ctx)
      return []
    } catch (error) {
      return String(error).split('\n  ').slice(1)
    }
  }
  const linesOf = ({ refusals }: SetupState) => refusals.map(describeRefusal)
  const first = await read()
  expect([first.isLive, linesOf(first)]).toEqual([true, refusalOf()])
  expect(linesOf(first)).toContain('Name of the business is not set (SELLER_NAME)')
  for (const [name, value] of Object.entries({
    SELLER_NAME: 'Bench Ltd',
    SELLER_ADDRESS: '1 Yard Lane, Leeds',
    SELLER_VAT_NUMBER: '12',
  })) {
    await set(name, value)
  }
  const after = linesOf(await read())
  expect(after).toEqual(refusalOf())
  expect(after.filter((line) => line.includes('SELLER_NAME'))).toEqual([])
  expect(after.at(-1)).toMatch(/^VAT number isn’t a UK VAT number.* \(SELLER_VAT_NUMBER\)$/)
})

test('with a key of Stripe’s its own renewal emails are asked about, until an owner says they’re off', async () => {
  const { check, set, stateOf } = startSite(startWorld({ env: live }))
  expect(await stateOf('stripe-mails')).toBe('unset')
  expect(await check('stripe-mails')).toContainEqual({
    isFine: false,
    says: 'Settings, Subscriptions and emails: switch off upcoming renewals and finalised invoices.',
  })
  await set('STRIPE_MAILS_OFF', 'yes')
  expect(await stateOf('stripe-mails')).toBe('done')
})

test('a test mail goes to who asks, and to nobody else', async () => {
  const { world, person, check } = startSite()
  expect(await check('mail')).toEqual([
    { isFine: true, says: expect.stringContaining('stays on this machine') },
    { isFine: true, says: `A test email is on its way to ${person.email}.` },
  ])
  const sent = relational(world.ctx.db).query.mailOutbox.findMany().sync()
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[person.email, 'A test of your email']])
})

test('addresses are called by the rules for outside addresses, and what comes of it is said', async () => {
  const { check, set } = startSite(
    startWorld({ outside: { resolve: async () => ['10.0.0.1'], isPublic: (address) => !address.startsWith('10.') } }),
  )
  expect(await check('community')).toEqual([{ isFine: false, says: 'No address is set.' }])
  await set('COMMUNITY_URL', 'https://intranet.example/')
  await set('BOOKING_URL', 'http://cal.example/us')
  expect(await check('community')).toMatchObject([{ isFine: false, says: expect.stringContaining('public internet') }])
  expect(await check('calendars')).toMatchObject([{ isFine: false, says: expect.stringContaining('https://') }])
})

test('gaps of the legal pages, the VAT number, colours and contacts are each looked at', async () => {
  const { check, set, stateOf } = startSite()
  const terms = (await check('legal')).find(({ says }) => says.startsWith('Terms'))
  expect(terms).toMatchObject({ isFine: false, says: expect.stringContaining('[registered office]') })
  expect(await check('seller')).toMatchObject([{ isFine: false }])
  await set('SELLER_NAME', 'Bench Ltd')
  await set('SELLER_ADDRESS', '1 Yard Lane, Leeds')
  await set('SELLER_VAT_NUMBER', 'GB 123 4567 83')
  expect(await check('seller')).toMatchObject([{ isFine: false, says: expect.stringContaining('mistyped') }])
  expect(await stateOf('seller')).toBe('unset')
  expect(await check('brand')).toMatchObject([{ isFine: true }])
  const contacts = await check('contacts')
  expect(contacts.map(({ isFine }) => isFine)).toEqual([false, false, false])
})

test('the payment keys are tried', async () => {
  money = await startPaymentWorld()
  const { check } = startSite(money)
  expect(await check('stripe')).toEqual([{ isFine: true, says: 'The payment sandbox is working.' }])
})
