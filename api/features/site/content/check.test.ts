import { expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { contentOverrides } from '#api/db/schema/content.ts'
import { assertReadyForMoney } from '#api/server.ts'
import { contentOf } from '#api/site/content.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { startWorld } from '#api/testing/world.ts'
import { findUnfinished, refusalsOfLiveStart } from './check-service.ts'

const live = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://bench.example',
  SESSION_SECRET: 'x'.repeat(40),
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SELLER_NAME: 'Bench Ltd',
  SELLER_ADDRESS: '1 Yard Lane, Leeds',
  SELLER_VAT_NUMBER: 'GB 123 4567 82',
  MAIL_FROM: 'Bench <hello@bench.example>',
}

test('with a live key, sample contacts and blank particulars refuse the start, each by its option or with its file and line', () => {
  const { ctx } = startWorld({ env: live })
  const missing = findUnfinished(ctx).filter(({ kind }) => kind === 'contact' || kind === 'blank')
  const start = () => assertReadyForMoney(ctx)
  expect(missing.length).toBeGreaterThan(0)
  for (const { entry } of missing) expect(start).toThrow(entry)
  expect(start).toThrow('\n  Company number is not set (SELLER_COMPANY_NUMBER)')
  expect(start).toThrow(
    /“olive@alliance\.test” is a sample.* \(data\/content\/site\.json, line \d+: coaches\.0\.email\)/,
  )
})

test('what stands against a live start is said without the name of a setting or a file, with where it is put right', () => {
  const refusals = refusalsOfLiveStart(startWorld().ctx)
  for (const { says } of refusals) expect(says).not.toMatch(/[A-Z]_[A-Z]|\.json|\w\.\d+\.\w|isSample/)
  expect(refusals).toEqual(
    expect.arrayContaining([
      { says: 'Company number is not set', where: 'SELLER_COMPANY_NUMBER', target: { group: 'seller' } },
      expect.objectContaining({ target: { page: 'site', part: 'coaches' } }),
      expect.objectContaining({
        where: expect.stringMatching(/: success\.help\.email$/),
        target: { page: 'quotient', part: 'success' },
      }),
      expect.objectContaining({ where: 'MAIL_FROM', target: null }),
    ]),
  )
})

test('a test key starts with them; the sample sender and a seller that is not set are named by their options', () => {
  const { ctx } = startWorld()
  expect(() => assertReadyForMoney(ctx)).not.toThrow()
  expect(findUnfinished(ctx).filter(({ says }) => says.includes('{'))).toEqual([])
  const options = findUnfinished(ctx).filter(({ file, kind }) => file === 'settings' && kind !== 'unset')
  expect(options.map(({ entry }) => entry)).toEqual([
    ...['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'SELLER_COMPANY_NUMBER', 'SELLER_REGISTERED_IN'],
    ...['SELLER_ICO_NUMBER', 'SELLER_EMAIL', 'SELLER_HOSTING', 'SELLER_MAIL_SERVICE', 'MAIL_FROM'],
  ])
})

test('what an owner has written in their place is theirs, and what is still a sample in it is named', () => {
  const { ctx } = startWorld()
  const coach = { name: 'Dave', chat: 'https://wa.me/447700900123', email: 'dave@bench.example' }
  const value = [
    { ...coach, id: 'coach-1' },
    { ...coach, id: 'coach-2', email: 'owen@alliance.test' },
  ]
  insertRow(ctx, contentOverrides, { page: 'site', entry: 'coaches', value, updatedAt: ctx.now().toISOString() })
  const inCoaches = findUnfinished(ctx).filter(({ entry }) => entry.startsWith('coaches'))
  expect(inCoaches).toMatchObject([{ kind: 'contact', entry: 'coaches.1.email', line: null }])
})

test('a contact that was replaced inside its mark is named with the mark', () => {
  const { ctx } = startWorld({ env: live })
  const updatedAt = ctx.now().toISOString()
  insertRow(ctx, contentOverrides, {
    page: 'quotient',
    entry: 'success.help.email',
    value: 'q@bench.example',
    updatedAt,
  })
  expect(() => assertReadyForMoney(ctx)).toThrow(
    /“q@bench\.example” is still marked as a sample\. If it’s yours, remove the mark \(.*success\.help\.isSample\)/,
  )
})

test('addresses that are not set are listed, but for those in whose place our own calendar stands', {
  tags: ['full'],
}, () => {
  const world = startWorld({ env: { COMMUNITY_URL: 'https://community.example' } })
  const unset = () => findUnfinished(world.ctx).flatMap(({ kind, entry }) => (kind === 'unset' ? [entry] : []))
  expect(unset()).toEqual(expect.arrayContaining(['BOOKING_URL', 'FACEBOOK_URL', 'SALES_TRAINING_VIDEO_URLS']))
  for (const other of ['COMMUNITY_URL', 'PIXEL_URL', 'SELLER_NAME']) expect(unset()).not.toContain(other)
  openCalendar(world, ['consultation', 'coaching'])
  expect(unset()).toEqual(expect.arrayContaining(['CATCH_UP_URLS', 'SALES_CALL_URL']))
  for (const own of ['BOOKING_URL', 'COACH_CALL_URLS']) expect(unset()).not.toContain(own)
})

test('what an owner wrote and no longer fits is named by its file and field', () => {
  const { ctx } = startWorld()
  const updatedAt = ctx.now().toISOString()
  insertRow(ctx, contentOverrides, { page: 'about', entry: 'title', value: '', updatedAt })
  insertRow(ctx, contentOverrides, { page: 'about', entry: 'description', value: 'Who we are.', updatedAt })
  expect(findUnfinished(ctx).filter(({ kind }) => kind === 'unfit')).toEqual([
    {
      kind: 'unfit',
      file: 'data/content/pages/about.json',
      line: null,
      entry: 'title',
      says: 'title: must not be empty',
    },
  ])
})

test('after a rebrand every text with the old name or a word of the old trade is named by its entry, until it is rewritten', () => {
  const { ctx } = startWorld()
  const updatedAt = ctx.now().toISOString()
  const put = (page: string, entry: string, value: unknown) =>
    insertRow(ctx, contentOverrides, { page, entry, value, updatedAt })
  const former = () => findUnfinished(ctx).filter(({ kind }) => kind === 'name' || kind === 'trade')
  const { name } = contentOf(ctx).read().site.brand
  expect(former()).toEqual([])
  put('site', 'brand.name', 'Bench & Sons')
  put('site', 'brand.shortName', 'Bench')
  put('about', 'description', `Who ${name.toUpperCase()} are.`)
  expect(former().filter(({ file }) => file !== 'tiers')).toEqual([
    {
      kind: 'name',
      file: 'data/content/pages/about.json',
      line: null,
      entry: 'description',
      says: `Who ${name.toUpperCase()} are.`,
    },
  ])
  put('site', 'brand.trades', 'Coaching for bakers.')
  put('contact', 'description', 'Ring us from the van.')
  const [trade] = former().filter(({ file, kind }) => file.endsWith('contact.json') && kind === 'trade')
  expect(trade).toMatchObject({ entry: 'description', says: 'Ring us from the van.' })
  put('site', 'brand.tagline', 'For bakers who deliver with vans.')
  expect(former().filter(({ says }) => says === 'Ring us from the van.')).toEqual([])
})
