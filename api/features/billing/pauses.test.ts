import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { act, acted, becomeMember } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import type { AdminMember } from '#shared/contract/members.ts'
import { listedMemberState } from '#shared/rules/member-state.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-15T09:00:00Z') })
})
afterEach(() => world.stop())

const seconds = (at: string) => Math.floor(Date.parse(at) / 1000)

async function subscriptionId(): Promise<string> {
  const [found] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  return found?.id ?? ''
}

type Behavior = 'void' | 'keep_as_draft' | 'mark_uncollectible'

/** As an owner does in Stripe's dashboard. */
async function pauseCollection(behavior: Behavior | null, until?: string): Promise<void> {
  const resumes_at = until === undefined ? {} : { resumes_at: seconds(until) }
  await world.ctx.stripe.subscriptions.update(await subscriptionId(), {
    pause_collection: behavior === null ? '' : { behavior, ...resumes_at },
  })
  await world.sandbox.settle()
}

const line = async (call: Call) => stateLine(await billingOf(call))
const invoices = async () =>
  (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data.map(
    ({ status, amount_paid: paid }) => `${status} ${paid}`,
  )
const owned = () => world.signIn(world.addOwner())
const mrrOf = async (owner: Call) => (await owner('/api/admin/mrr')).json()
const hasVideos = async (call: Call) => (await call('/api/member-videos')).status === 200

describe('payments paused at Stripe, which goes on saying active', () => {
  test.each(['void', 'keep_as_draft', 'mark_uncollectible'] as const)(
    '%s: access stays, nothing is promised, and MRR and the target leave it out and say so',
    async (behavior) => {
      const call = await becomeMember(world)
      const owner = owned()
      expect(await mrrOf(owner)).toMatchObject({ totalMRR: 25_000, target: { customers: 1 } })
      await pauseCollection(behavior)
      expect(await line(call)).toBe('Payments are paused for now. You have access.')
      expect(await billingOf(call)).toMatchObject({ status: 'active', next_billing_date: null, pause: { until: null } })
      expect(await mrrOf(owner)).toMatchObject({
        totalMRR: 0,
        activeSubscriptions: 0,
        target: { customers: 0 },
        subscriptionDetails: [{ monthlyAmount: 0, rule: 'Payments paused: not counted' }],
      })
      const members: AdminMember[] = await (await owner('/api/admin/members')).json()
      const member = members.find(({ isAdmin }) => !isAdmin)
      expect(member && listedMemberState(member).text).toBe('Payments are paused for now')
      expect((await (await owner('/api/admin/members?show=paying')).json()).length).toBe(0)
      await world.advance(31)
      expect(await hasVideos(call)).toBe(true)
      expect(await line(call)).toBe('Payments are paused for now. You have access.')
      expect(await invoices()).toEqual([
        `${{ void: 'void', keep_as_draft: 'draft', mark_uncollectible: 'uncollectible' }[behavior]} 0`,
        'paid 30000',
      ])
      await pauseCollection(null)
      // Nobody paid for this month.
      expect(await line(call)).toBe('You have access. Then we’ll take £300.00 for the next month on 15 August 2026.')
      expect(await mrrOf(owner)).toMatchObject({ totalMRR: 25_000, target: { customers: 1 } })
    },
  )

  test('with a day on which they start again: what’s due after it is promised, what’s due before isn’t', async () => {
    const call = await becomeMember(world)
    await pauseCollection('void', '2026-07-01T09:00:00Z')
    expect(await line(call)).toBe(
      'Payments are paused until 1 July 2026. You have access. Then we’ll take £300.00 for the next month on 15 July 2026.',
    )
    await pauseCollection('void', '2026-08-01T09:00:00Z')
    expect(await line(call)).toBe('Payments are paused until 1 August 2026. You have access.')
    await world.advance(50)
    expect(await line(call)).toBe('You have access. Then we’ll take £300.00 for the next month on 15 August 2026.')
    await world.advance(12)
    expect(await line(call)).toBe('Paid until 15 September 2026. Then we’ll take £300.00 for the next month.')
    expect(await invoices()).toEqual(['paid 30000', 'void 0', 'paid 30000'])
  })

  test('no other tier, no upgrade, no free month and no price move; cancelling works', async () => {
    const call = await becomeMember(world)
    const owner = owned()
    const { id } = await (await call('/api/auth/user')).json()
    await pauseCollection('void')
    const paused = /payments are paused/
    for (const path of ['/api/billing/change-tier', '/api/billing/upgrade/preview']) {
      const response = await act(call, path, { tierSlug: 'xl' })
      expect([response.status, (await response.json()).error.message]).toEqual([409, expect.stringMatching(paused)])
    }
    const free = await act(owner, `/api/admin/members/${id}/free-month`, { isFree: true }, 'PUT')
    expect([free.status, (await free.json()).error.message]).toEqual([409, expect.stringMatching(paused)])
    await acted(call, '/api/billing/cancel')
    expect(await line(call)).toBe(
      'Payments are paused for now. You keep your access until 15 July 2026. We won’t take another payment.',
    )
    await world.advance(31)
    expect(await line(call)).toMatch(/^Your membership ended on 15 July 2026/)
  })

  test('nor is a renewal’s draft that an owner stopped by hand', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { draftMinutes: 60 })
    const { stripe } = world.ctx
    const newest = async () => (await stripe.invoices.list({ customer: onlyCustomer(world) })).data[0]
    await world.sandbox.advance(new Date('2026-07-15T09:10:00Z'))
    await world.sandbox.settle()
    expect((await billingOf(call)).beingTaken).toBe(30_000)
    const draft = await newest()
    await stripe.invoices.update(draft?.id ?? '', { auto_advance: false })
    await world.sandbox.settle()
    expect((await billingOf(call)).beingTaken).toBeUndefined()
    await world.advance(62)
    await acted(call, '/api/billing/cancel')
    await world.advance(31)
    expect((await stripe.invoices.retrieve(draft?.id ?? '')).status).toBe('draft')
  })

  test('a draft it keeps is never voided by us: not after the pause, nor once a later month is paid, nor at the end', async () => {
    const call = await becomeMember(world)
    const owner = owned()
    const { id } = await (await call('/api/auth/user')).json()
    await pauseCollection('keep_as_draft')
    await world.advance(31)
    const told = '£300.00 for 15 July 2026 is a draft at Stripe. Collect or void it there.'
    const findings = async () => (await (await owner('/api/admin/today')).json()).findings
    expect(await findings()).toContainEqual({
      check: 'kept drafts',
      state: 'warning',
      message: told,
      member: { id, name: expect.any(String) },
    })
    expect((await (await owner(`/api/admin/members/${id}/record`)).json()).keptDrafts).toMatchObject([
      { total: 30_000 },
    ])
    expect(await line(call)).toBe('Payments are paused for now. You have access.')
    await pauseCollection(null)
    expect(await line(call)).toMatch(/^You have access\. Then we’ll take £300\.00/)
    await world.advance(31)
    expect(await invoices()).toEqual(['paid 30000', 'draft 0', 'paid 30000'])
    await acted(call, '/api/billing/cancel')
    await world.advance(40)
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await invoices()).toEqual(['paid 30000', 'draft 0', 'paid 30000'])
    // The owners collect it themselves.
    const [, draft] = (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data
    await world.ctx.stripe.invoices.voidInvoice(
      (await world.ctx.stripe.invoices.finalizeInvoice(draft?.id ?? '')).id ?? '',
    )
    await world.sandbox.settle()
    expect((await (await owner(`/api/admin/members/${id}/record`)).json()).keptDrafts).toEqual([])
  })

  test('what was open before it goes on being asked for', async () => {
    const call = await becomeMember(world, '4000000000000341')
    await world.advance(31)
    await pauseCollection('void')
    expect(await line(call)).toMatch(/^Payment due: £300\.00\. You keep your access until /)
  })
})

describe('a real pause', () => {
  const pause = async (type: 'now' | 'none' | 'item_current_period_start') => {
    await world.ctx.stripe.subscriptions.pause(await subscriptionId(), { bill_for: { unused_time_from: { type } } })
    await world.sandbox.settle()
  }

  test('access ends where the credit begins, and it comes back with a month that the credit lowers', async () => {
    const call = await becomeMember(world)
    const owner = owned()
    await world.advance(15)
    await pause('now')
    expect(await line(call)).toBe('Payments are paused for now. You have no access until you resume.')
    expect(await hasVideos(call)).toBe(false)
    expect(await mrrOf(owner)).toMatchObject({ totalMRR: 0, target: { customers: 0 } })
    const asked = await (await call('/api/billing/next-payment?change=resume')).json()
    expect(asked).toMatchObject({ nextPayment: { due: 15_000 } })
    await world.advance(40)
    const { openInvoice } = await acted(call, '/api/billing/resume')
    expect(openInvoice).toMatchObject({ total: 15_000 })
    expect(await line(call)).toBe('Payment due: £150.00. Pay it and your membership starts again.')
    const { clientSecret } = await acted(call, '/api/billing/pay')
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await line(call)).toBe('Paid until 9 September 2026. Then we’ll take £300.00 for the next month.')
    expect(await hasVideos(call)).toBe(true)
    const [newest] = await (await call('/api/billing/invoices')).json()
    expect(newest).toMatchObject({ total: 15_000, number: expect.stringMatching(/^A-/) })
  })

  test('without a credit, access runs to the end of what’s paid', async () => {
    const call = await becomeMember(world)
    await world.advance(15)
    await pause('none')
    expect(await line(call)).toBe('Payments are paused for now. You keep your access until 15 July 2026.')
    expect(await hasVideos(call)).toBe(true)
    await world.advance(16)
    expect(await line(call)).toBe('Payments are paused for now. You have no access until you resume.')
    expect(await hasVideos(call)).toBe(false)
  })

  test('a credit that it invoices at once gets our credit note once, and pays for a part of the resumption’s invoice', async () => {
    const call = await becomeMember(world)
    await world.advance(15)
    await world.ctx.stripe.subscriptions.pause(await subscriptionId(), { invoicing_behavior: 'invoice' })
    await world.sandbox.settle()
    const noted = () => issuedNotes(world).map(({ gross }) => gross)
    expect(noted()).toEqual([15_000])
    await world.advance(40)
    await acted(call, '/api/billing/resume')
    const { clientSecret } = await acted(call, '/api/billing/pay')
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(issuedInvoices(world).map(({ gross, fromCredit }) => [gross, fromCredit])).toEqual([
      [30_000, 0],
      [30_000, 15_000],
    ])
    expect(noted()).toEqual([15_000])
  })

  test('no other tier while it’s paused; cancelling ends it', async () => {
    const call = await becomeMember(world)
    await pause('none')
    expect((await act(call, '/api/billing/change-tier', { tierSlug: 'xl' })).status).toBe(409)
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ status: 'canceled', hasAccess: false })
  })
})
