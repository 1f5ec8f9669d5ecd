import { beforeEach, describe, expect, test } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { tierPrices } from '#api/db/schema/tiers.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { beginJoin } from '#api/testing/joining.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { Invitation } from '#shared/contract/invitation.ts'
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

const crew = {
  name: 'Crew',
  description: 'Firms of five',
  features: ['Videos'],
  prices: [
    { every: 'month', net: 20_000 },
    { every: 'year', net: 200_000 },
  ],
}
const addCrew = async (more: object = {}): Promise<AdminTier> =>
  (await owner('/api/admin/tiers', { body: { ...crew, ...more } })).json()
const priceOf = (tier: AdminTier | undefined, every: string) =>
  tier?.prices.find((price) => price.every === every)?.id ?? ''

describe('a price that an invitation names', () => {
  const bodies = () =>
    world.ctx.db
      .select()
      .from(mailOutbox)
      .all()
      .filter(({ to }) => to === sam.email)
      .map(({ text, html }) => [text, html.replaceAll(/<[^>]+>/g, '')])

  test('is the one in both parts of its email; without one they read what they can choose from', async () => {
    const tier = await addCrew()
    await owner(`/api/admin/tiers`, { body: { ...crew, name: 'Board', prices: [{ every: 'year', net: 900_000 }] } })
    const said: [wanted: object, sum: string][] = [
      [{ tierSlug: 'crew', priceId: priceOf(tier, 'year') }, 'It’s £2,400.00 a year with VAT.'],
      [{ tierSlug: 'crew', priceId: priceOf(tier, 'month') }, 'It’s £240.00 a month with VAT.'],
      [{ tierSlug: 'crew' }, 'It’s £240.00 a month or £2,400.00 a year with VAT.'],
      [{ tierSlug: 'board' }, 'It’s £10,800.00 a year with VAT.'],
      [{ tierSlug: 'board', freeMonths: 1 }, 'After that it’s £10,800.00 a year with VAT.'],
    ]
    for (const [wanted, sum] of said) {
      expect((await invite(wanted)).status).toBe(200)
      expect(bodies().at(-1)).toEqual([expect.stringContaining(sum), expect.stringContaining(sum)])
    }
    await invite({ tierSlug: 'crew', priceId: priceOf(tier, 'year') })
    const [sent] = await open()
    expect(sent).toMatchObject({ priceId: priceOf(tier, 'year'), every: 'year' })
    expect(await (await follow(sent?.url ?? '')).json()).toMatchObject({ priceId: priceOf(tier, 'year') })
  })

  test('has to be the tier’s and on sale, and so has the tier', async () => {
    const tier = await addCrew()
    const year = priceOf(tier, 'year')
    await addCrew({ name: 'Old', isActive: false })
    const refused = async (wanted: object) => {
      const { status, fields } = await readError(await invite(wanted))
      return [status, fields]
    }
    const gone = (name: string) => ({ priceId: `${name} isn’t sold at this price any more. Choose another.` })
    expect(await refused({ tierSlug: 'standard', priceId: year })).toEqual([409, gone('Alliance')])
    expect(await refused({ tierSlug: 'old' })).toEqual([
      422,
      { tierSlug: 'This tier isn’t on sale. Restore it first, or choose another.' },
    ])
    const { id, url }: MemberInvitation = await (await invite({ tierSlug: 'crew', priceId: year })).json()
    const stop = { method: 'DELETE', body: { every: 'year', version: tier.version } } as const
    expect((await owner('/api/admin/tiers/crew/price/offer', stop)).status).toBe(200)
    expect(await refused({ tierSlug: 'crew', priceId: year })).toEqual([409, gone('Crew')])
    const again = await readError(await owner(`/api/admin/invitations/${id}/resend`, { method: 'POST' }))
    expect([again.status, again.fields]).toEqual([409, gone('Crew')])
    // The link goes on: it opens the tier as it's sold now.
    const opened: Invitation = await (await follow(url)).json()
    expect([opened.priceId, opened.tier.prices.map(({ every }) => every)]).toEqual([year, ['month']])
    expect((await owner('/api/admin/tiers/crew/retire', { body: { version: tier.version + 1 } })).status).toBe(200)
    expect(await readError(await follow(url))).toMatchObject({
      status: 409,
      message: 'We don’t sell Crew at the moment. Ask us, or join on another tier.',
    })
  })
})

test('someone invited to a tier that isn’t among the cards joins it by the year; a price that changes meanwhile is said', async () => {
  const paid = await startPaymentWorld()
  const call = paid.signIn(paid.addOwner())
  const mastermind = async () => {
    const tiers: AdminTier[] = await (await call('/api/admin/tiers')).json()
    return tiers.find(({ slug }) => slug === 'mastermind')
  }
  const setYear = async (price: number) => {
    const path = '/api/admin/tiers/mastermind/price'
    const { confirmation } = await (await call(`${path}?every=year&price=${price}`)).json()
    await call(path, { body: { every: 'year', price, movesMembers: false, confirmation } })
  }
  await call('/api/admin/tiers/mastermind/restore', { body: { version: (await mastermind())?.version } })
  await setYear(997_000)
  const priceId = priceOf(await mastermind(), 'year')
  const sale = { email: sam.email, name: 'Sam Field', tierSlug: 'mastermind', tierPrice: 997_000, priceId }
  const buy = (body: object = {}) => paid.call('/api/create-subscription', { body: { ...sale, ...body } })
  expect((await buy()).status).toBe(422)
  const invitation = { ...sam, tierSlug: 'mastermind', priceId }
  const { url }: MemberInvitation = await (await call('/api/admin/invitations', { body: invitation })).json()
  const opened: Invitation = await (await paid.call(`/api/invitation?${new URL(url).searchParams}`)).json()
  expect(opened).toMatchObject({ priceId, tier: { slug: 'mastermind' } })

  await setYear(1_080_000)
  expect(await readError(await buy())).toMatchObject({
    status: 409,
    message: 'The price has changed. Please choose your tier again.',
  })
  const { response } = await beginJoin(paid.call, { ...sale, tierPrice: 1_080_000 })
  expect(response).toMatchObject({ total: 1_296_000, every: 'year', isDue: true })
  await paid.pay(response.clientSecret)
  await paid.sandbox.settle()
  expect(await mastermind()).toMatchObject({ members: 1, prices: [{ members: 0 }, { every: 'year', members: 1 }] })
  await paid.stop()
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
