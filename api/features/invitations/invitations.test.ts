import { beforeEach, describe, expect, test } from 'vitest'
import { tierPrices } from '#api/db/schema/tiers.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { beginJoin } from '#api/testing/joining.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { MemberInvitation } from '#shared/contract/member-invitations.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { addMonths } from '#shared/rules/price-move.ts'

let world: World
let owner: World['call']
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
})

const sam = { email: 'sam@example.com', firstName: 'Sam', lastName: 'Field', tierSlug: 'standard' }
const invite = (more: object = {}) => owner('/api/admin/invitations', { body: { ...sam, ...more } })
const open = async (): Promise<MemberInvitation[]> => (await owner('/api/admin/invitations')).json()

async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
  await runJob(world.ctx, 'mail')
  return (await world.call('/sandbox/mail', { headers: { accept: 'application/json' } })).json()
}

async function act(slug: string, what: string, more: object = {}, method = 'POST'): Promise<void> {
  const tiers: AdminTier[] = await (await owner('/api/admin/tiers')).json()
  const body = { version: tiers.find((one) => one.slug === slug)?.version, ...more }
  expect((await owner(`/api/admin/tiers/${slug}/${what}`, { method, body })).status).toBe(200)
}

const follow = (url: string) => world.call(`/api/invitation?${new URL(url).searchParams}`)
describe('an invitation to anyone', () => {
  test('is mailed as it was shown, opens the join at its tier, and is sent once however often it’s asked for', async () => {
    const id = world.ctx.newId()
    const shown = await (await owner('/api/admin/invitations/preview', { body: { ...sam, freeMonths: 2 } })).json()
    const first: MemberInvitation = await (await invite({ id, freeMonths: 2 })).json()
    expect((await invite({ id, freeMonths: 2 })).status).toBe(200)
    const sent = (await mails()).filter(({ to }) => to === sam.email)
    expect(sent).toMatchObject([{ subject: shown.subject }])
    expect(sent[0]?.text).toContain('Your first 2 months are free.')
    expect(shown.text).toContain('Your first 2 months are free.')
    expect(await (await follow(first.url)).json()).toMatchObject({ ...sam, freeMonths: 2, tier: { slug: 'standard' } })
    expect(await open()).toMatchObject([{ id, email: sam.email, freeMonths: 2 }])
  })

  test('names the price that starts before its link expires', async () => {
    const previewed = async () => (await owner('/api/admin/invitations/preview', { body: sam })).json()
    const startAt = (day: string) =>
      world.ctx.db
        .update(tierPrices)
        .set({ nextPrice: { net: 27_500, from: day, stripePriceId: 'price_later' } })
        .run()
    startAt(addDays(londonDay(world.ctx.now()), 20))
    expect((await previewed()).text).not.toContain('£330.00')
    const day = addDays(londonDay(world.ctx.now()), 10)
    startAt(day)
    expect((await previewed()).text).toContain(`If you join from ${formatLongDate(day)}, it’s £330.00 a month.`)
  })

  test('to a tier that isn’t among the cards names what it costs by the month and by the year, and a retired one is refused', async () => {
    const tier = { ...sam, tierSlug: 'mastermind' }
    const previewed = () => owner('/api/admin/invitations/preview', { body: tier })
    for (const refused of [await previewed(), await invite(tier)])
      expect((await readError(refused)).fields).toEqual({
        tierSlug: 'This tier isn’t on sale. Restore it first, or choose another.',
      })
    expect(await open()).toEqual([])
    await act('mastermind', 'restore')
    addYearlyPrice(world, 'mastermind', 997_000)
    expect((await (await previewed()).json()).text).toContain('It’s £1,196.40 a month or £11,964.00 a year with VAT.')
    const { url, id }: MemberInvitation = await (await invite(tier)).json()
    expect(await (await follow(url)).json()).toMatchObject({ tier: { slug: 'mastermind', prices: [{}, {}] } })
    await act('mastermind', 'price/offer', { every: 'month' }, 'DELETE')
    expect((await (await previewed()).json()).text).toContain('It’s £11,964.00 a year with VAT.')
    await act('mastermind', 'retire')
    const again = await owner(`/api/admin/invitations/${id}/resend`, { method: 'POST' })
    expect((await readError(again)).fields).toHaveProperty('tierSlug')
  })

  test('is replaced by the next one, sent again for another fortnight, and cancelled', async () => {
    const old: MemberInvitation = await (await invite()).json()
    const next: MemberInvitation = await (await invite({ tierSlug: 'xl' })).json()
    expect((await readError(await follow(old.url))).code).toBe('invalid_link')
    world.forward(13 * 86_400_000)
    owner = world.signIn(world.addOwner())
    const again: MemberInvitation = await (
      await owner(`/api/admin/invitations/${next.id}/resend`, { method: 'POST' })
    ).json()
    world.forward(13 * 86_400_000)
    owner = world.signIn(world.addOwner())
    expect((await follow(again.url)).status).toBe(200)
    expect((await owner(`/api/admin/invitations/${next.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await readError(await follow(again.url))).code).toBe('invalid_link')
    expect(await open()).toEqual([])
  })

  test('isn’t for a member, and a member’s own isn’t open any more', async () => {
    await invite()
    world.addMember({ email: sam.email })
    expect(await open()).toEqual([])
    expect((await readError(await invite())).fields).toHaveProperty('email')
    expect((await world.signIn(world.addMember())('/api/admin/invitations')).status).toBe(403)
  })
})

describe('free months', () => {
  test('begin when a card is saved, and only at the tier they were given for', async () => {
    const paid = await startPaymentWorld()
    const call = paid.signIn(paid.addOwner())
    expect((await call('/api/admin/invitations', { body: { ...sam, freeMonths: 2 } })).status).toBe(200)
    const other = await beginJoin(paid.call, { email: sam.email, name: 'Sam Field', tierSlug: 'xl' })
    expect(other.response).toMatchObject({ isDue: true })
    const again = { email: sam.email, name: 'Sam Field', tierSlug: 'standard' }
    const free = await (await other.call('/api/create-subscription', { body: again })).json()
    const first = londonDay(addMonths(paid.ctx.billingNow().toISOString(), 2))
    expect(free).toMatchObject({ isDue: false, nextPaymentOn: first, total: 30_000 })
    await paid.pay(free.clientSecret)
    await paid.sandbox.settle()
    expect(await (await other.call('/api/billing/subscription')).json()).toMatchObject({
      status: 'trialing',
      firstPaymentOn: first,
    })
    expect((await other.call('/api/member-videos')).status).toBe(200)
  })
})
