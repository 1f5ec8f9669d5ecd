// @module-tag full
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { billingOf, countRows, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { askDelayed, linkTo, offersOf } from '#api/testing/reactivating.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const net = 400_000
const shown = { tierSlug: 'xl', tierPrice: net }

/** Asks for the payment as the page does that is open. */
type Page = () => Promise<Response>
const anyone = (body: object): Page => {
  let cookie = ''
  return async () => {
    const sent = { body: { ...sam, ...body }, ...(cookie && { headers: { cookie } }) }
    const response = await world.call('/api/create-subscription', sent)
    cookie ||= response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return response
  }
}

const pages: Record<string, (priceId: string) => Promise<Page>> = {
  joining: async (priceId) => anyone({ ...shown, priceId }),
  'by invitation': async (priceId) => {
    world.ctx.sqlite.exec(`update membership_tiers set isShown = 0 where slug = 'xl'`)
    const body = { email: sam.email, firstName: 'Sam', lastName: 'Field', tierSlug: 'xl' }
    await acted(owner, '/api/admin/invitations', body)
    return anyone({ ...shown, priceId })
  },
  'coming back': async (priceId) => {
    const call = await becomeMember(world)
    await acted(call, '/api/billing/cancel')
    await world.advance(32)
    return () => call('/api/create-subscription', { body: { ...sam, ...shown, priceId } })
  },
  'coming back later': async (priceId) => {
    const lastPayment = addDays(londonDay(world.ctx.billingNow()), -10)
    const { carried } = await linkTo(world, { email: sam.email, name: sam.name, lastPayment })
    const delayedBillingDate = (await offersOf(world, carried)).xl?.date
    return () => askDelayed(world, { ...carried, ...shown, priceId, delayedBillingDate })
  },
}

const changes: Record<string, string> = {
  'its tier is retired': `update membership_tiers set isActive = 0 where slug = 'xl'`,
  'its price isn’t offered any more': `update tier_prices set isOffered = 0 where tierSlug = 'xl' and every = 'year'`,
  'its price goes up': `update tier_prices set net = 450000 where tierSlug = 'xl' and every = 'year'`,
}

describe.each(Object.entries(changes))('a year, and %s', (_name, change) => {
  test.each(Object.entries(pages))('%s: who has begun to pay finishes at the price of then', async (_page, open) => {
    const page = await open(addYearlyPrice(world, 'xl', net))
    const begun = await (await page()).json()
    expect(begun).toMatchObject({ ...withVat(net), every: 'year' })
    world.ctx.sqlite.exec(change)
    expect(await (await page()).json()).toMatchObject({
      ...withVat(net),
      clientSecret: begun.clientSecret,
      subscriptionId: begun.subscriptionId,
    })
    expect((await world.pay(begun.clientSecret)).status).toBe(200)
    await world.sandbox.settle()
    const paid = await billingOf(world.signIn(personCalled(world, sam.email)))
    expect([paid.hasAccess, paid.plan]).toMatchObject([true, { slug: 'xl', months: 12, ...withVat(net) }])
  })

  test.each(Object.entries(pages))(
    '%s: who has only the page open gets the tiers as they are now, and Stripe is asked nothing',
    async (...given) => {
      const page = await given[1](addYearlyPrice(world, 'xl', net))
      const attempts = countRows(world, 'purchase_attempts')
      world.ctx.sqlite.exec(change)
      const { status, code, tiers } = await readError(await page())
      expect([status, code]).toEqual([409, 'price_changed'])
      expect(tiers).toEqual((await (await world.call('/api/membership-tiers')).json()).tiers)
      expect(countRows(world, 'purchase_attempts')).toBe(attempts)
    },
  )
})

test('once Stripe has ended what was begun, it’s sold as it is now', async () => {
  const page = await pages.joining?.(addYearlyPrice(world, 'xl', net))
  if (page === undefined) throw new Error('no page')
  expect((await page()).status).toBe(200)
  world.ctx.sqlite.exec(`update tier_prices set net = 450000 where tierSlug = 'xl' and every = 'year'`)
  await world.advance(1)
  expect((await readError(await page())).code).toBe('price_changed')
})
