import { afterAll, beforeAll, expect, test } from 'vitest'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { linkTo } from '#api/testing/reactivating.ts'
import { type Call, readError } from '#api/testing/world.ts'

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

const calls: Record<string, [field: string, send: (tier: string) => Promise<Response>]> = {
  'an application': [
    'selectedTier',
    (selectedTier) => world.call('/api/membership-application', { body: { ...applicant, selectedTier } }),
  ],
  'a purchase': [
    'tierSlug',
    (tierSlug) => world.call('/api/create-subscription', { body: { email: 'kit@example.com', name: 'Kit', tierSlug } }),
  ],
  'a delayed purchase': [
    'tierSlug',
    async (tierSlug) => {
      const { carried } = await linkTo(world, { email: 'ann@example.com', lastPayment: '2026-06-01' })
      const body = { ...carried, tierSlug, delayedBillingDate: '2026-07-01' }
      return world.call('/api/create-delayed-subscription', { body })
    },
  ],
  'a change of tier': ['tierSlug', (tierSlug) => member('/api/billing/change-tier', { body: { tierSlug } })],
  'what comes next': ['tierSlug', (tierSlug) => member(`/api/billing/next-payment?change=tier&tierSlug=${tierSlug}`)],
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
