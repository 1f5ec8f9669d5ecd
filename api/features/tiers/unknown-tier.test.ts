import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { linkTo } from '#api/testing/reactivating.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'

let world: PaymentWorld
let owner: Call
let member: Call
beforeAll(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-12T07:40:00.000Z') })
  owner = world.signIn(world.addOwner())
  member = await becomeMember(world)
})
afterAll(() => world.stop())

const applicant = {
  firstName: 'Kit',
  lastName: 'Fell',
  email: 'kit@example.com',
  phone: '07700 900123',
  businessName: 'Fell Joinery',
  trade: 'Joiner',
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Quotes',
  goals: 'Days off',
  whyJoin: 'A mate did',
  hearAboutUs: 'Podcast',
  agreeTerms: true,
}
const campaign = { subject: 'Friday', text: 'Come.', purpose: 'news', perMinute: 2 }
const note = { title: 'Friday', text: 'Come.', endsAt: '2026-07-01T00:00:00.000Z' }
const video = { title: 'Quoting', videoType: 'youtube', videoId: 'abcdefghijk', category: 'Money' }

type Send = (tier: string, shown?: { priceId: string }) => Promise<Response>
/** What sells a tier, with the field that names it. */
const sales: Record<string, [field: string, send: Send]> = {
  'an application': [
    'selectedTier',
    (selectedTier, shown) =>
      world.call('/api/membership-application', { body: { ...applicant, selectedTier, ...shown } }),
  ],
  'a purchase': [
    'tierSlug',
    (tierSlug, shown) =>
      world.call('/api/create-subscription', { body: { email: 'kit@example.com', name: 'Kit', tierSlug, ...shown } }),
  ],
  'a delayed purchase': [
    'tierSlug',
    async (tierSlug, shown) => {
      const { carried } = await linkTo(world, { email: 'ann@example.com', lastPayment: '2026-06-01' })
      const body = { ...carried, tierSlug, ...shown, delayedBillingDate: '2026-07-01' }
      return world.call('/api/create-delayed-subscription', { body })
    },
  ],
  'a change of tier': [
    'tierSlug',
    (tierSlug, shown) => member('/api/billing/change-tier', { body: { tierSlug, ...shown } }),
  ],
  'what comes next': [
    'tierSlug',
    (tierSlug, shown) =>
      member(`/api/billing/next-payment?${new URLSearchParams({ change: 'tier', tierSlug, ...shown })}`),
  ],
}

const calls: Record<string, [field: string, send: Send]> = {
  ...sales,
  'an invitation': [
    'tierSlug',
    (tierSlug) => owner('/api/admin/invitations', { body: { email: 'ida@example.com', tierSlug } }),
  ],
  'a rate': ['tierSlug', (tierSlug) => owner('/api/admin/commission-rates', { body: { tierSlug, rate: 12 } })],
  'a campaign': [
    'tiers',
    (tier) => owner('/api/admin/mailings', { body: { ...campaign, segment: { state: 'with-access', tiers: [tier] } } }),
  ],
  'a notice': ['tiers', (tier) => owner('/api/admin/announcements', { body: { ...note, tiers: [tier] } })],
  'a video': ['tierAccess', (tier) => owner('/api/admin/videos', { body: { ...video, tierAccess: [tier] } })],
  'a list': ['tier', (tier) => owner(`/api/admin/members?tier=${tier}`)],
}

test.each(Object.keys(calls))('TIER-23 %s with a tier that there isn’t is refused at its field', async (name) => {
  const [field, send] = calls[name] ?? []
  for (const tier of ['platinum', 'no-such-tier-2', 'Not a slug', 'a'.repeat(41)]) {
    const response = await send?.(tier)
    if (response === undefined || field === undefined) throw new Error(name)
    expect([tier, response.status]).toEqual([tier, 422])
    const { fields } = await readError(response)
    expect(
      Object.keys(fields ?? {})
        .join()
        .split(/[.,]/),
      tier,
    ).toContain(field)
  }
})

test.each(Object.keys(sales))(
  'TIER-23 %s with a tier that was retired under an open page gets the tiers as they are now',
  async (name) => {
    const [field, send] = sales[name] ?? []
    const { tiers } = v.parse(MembershipTierList, await (await world.call('/api/membership-tiers')).json())
    const priceId = tiers.find(({ slug }) => slug === 'xl')?.prices[0]?.id ?? ''
    const retire = (isActive: number) =>
      world.ctx.sqlite.exec(`update membership_tiers set isActive = ${isActive} where slug = 'xl'`)
    const answered = async (shown?: { priceId: string }) => {
      const response = await send?.('xl', shown)
      return response && readError(response)
    }
    retire(0)
    const [open, link] = [await answered({ priceId }), await answered()]
    retire(1)
    const message = 'We don’t sell this tier at the moment. Choose another.'
    expect(open).toMatchObject({ status: 409, code: 'price_changed', message })
    expect(open?.tiers?.map(({ slug }) => slug)).toEqual(['lite', 'standard'])
    expect(link).toMatchObject({ status: 422, fields: { [field ?? '']: message } })
  },
)
