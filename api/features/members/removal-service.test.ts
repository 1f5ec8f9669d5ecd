import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, becomeMember, beginTrial, personCalled } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { millLane } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { londonMonth } from '#shared/rules/london.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const remove = (who: string, query = '') => owner(`/api/admin/members/${who}${query}`, { method: 'DELETE' })
const join = () => becomeMember(world, undefined, { ...sam, billingAddress: millLane })
const read = async (path: string) => (await owner(path)).json()

function tablesNaming(word: string): string[] {
  const { sqlite } = world.ctx
  const tables = sqlite.prepare<[], string>(`select name from sqlite_master where type = 'table'`).pluck().all()
  return tables.filter((table) => JSON.stringify(sqlite.prepare(`select * from "${table}"`).all()).includes(word))
}

const goesAndStays = {
  subscriptions: 1,
  goes: { sessions: 1, progress: 1 },
  stays: { invoices: 1, creditNotes: 0, commissionLines: 1, applications: 0 },
}

async function memberWithTick() {
  const call = await join()
  const [video] = world
    .addVideos()
    .filter(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('standard'))
  await acted(call, `/api/video-progress/${video?.id}/complete`)
  return { call, id: personCalled(world, sam.email).id }
}

test('a customer whose response was lost at the provider is deleted there with the account, and only that one', {
  tags: ['full'],
}, async () => {
  const { stripe } = world.ctx
  const known = async () => (await stripe.customers.list({ limit: 100 })).data.map(({ email }) => email)
  for (const how of ['by an owner', 'abandoned']) {
    await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/customers', times: 3 })
    expect((await world.call('/api/create-subscription', { body: sam })).status).toBeGreaterThan(500)
    expect([await known(), countRows(world, 'customers')]).toEqual([[sam.email], 0])
    const { id } = personCalled(world, sam.email)
    if (how === 'by an owner') await acted(owner, `/api/admin/members/${id}`, undefined, 'DELETE')
    else {
      world.forward(31 * 86_400_000)
      await runJob(world.ctx, 'abandoned')
    }
    expect([how, await known(), countRows(world, 'users', `id = '${id}'`)]).toEqual([how, [], 0])
  }
})

test('CALLS-25 a member is removed for ever: the membership ends first, the person is erased, the books stay', async () => {
  const { call, id } = await memberWithTick()
  expect(await acted(owner, `/api/admin/members/${id}`, undefined, 'DELETE')).toMatchObject({
    success: true,
    dryRun: false,
    memberId: id,
    ...goesAndStays,
  })
  await world.sandbox.settle()
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
  for (const table of ['sessions', 'video_progress', 'applied_changes', 'addresses', 'payment_methods']) {
    expect([table, countRows(world, table, table === 'sessions' ? `userId = '${id}'` : '1 = 1')]).toEqual([table, 0])
  }
  expect((await call('/api/auth/user')).status).toBe(401)
  expect((await owner(`/api/admin/member/${id}`)).status).toBe(404)
  const month = londonMonth(world.ctx.billingNow())
  expect(await read('/api/admin/invoices')).toMatchObject([{ number: 'A-000001', memberId: null, name: 'Sam Field' }])
  expect(await read('/api/admin/member-payments')).toMatchObject([
    { firstName: 'Removed', lastName: 'member', email: '' },
  ])
  expect((await read(`/api/admin/commission-statements/${month}`)).lines).toMatchObject([{ member: 'Removed member' }])
  expect(await read('/api/admin/mrr')).toMatchObject({ totalMRR: 0, activeSubscriptions: 0 })
  expect(countRows(world, 'revenue_changes', `kind like 'churn%'`)).toBe(1)
  expect(world.ctx.sqlite.pragma('foreign_key_check')).toEqual([])
})

test('CALLS-25 the address can join again, as a new person', { tags: ['full'] }, async () => {
  await join()
  const { id } = personCalled(world, sam.email)
  await remove(id)
  const call = await join()
  expect(await billingOf(call)).toMatchObject({ status: 'active' })
  expect(await (await call('/api/billing/invoices')).json()).toMatchObject([{ number: 'A-000002' }])
  expect(personCalled(world, sam.email).id).not.toBe(id)
})

test('CALLS-25 ticks that still wait on the member’s phone are refused as logged out, and so is the account', {
  tags: ['full'],
}, async () => {
  const { call, id } = await memberWithTick()
  await remove(id)
  const body = { deviceId: 'd', changes: [], memberId: id }
  expect(await readError(await call('/api/video-progress/sync', { body }))).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  })
})

test('CALLS-25 while the provider cannot be reached nobody is removed, and the error says why', {
  tags: ['full'],
}, async () => {
  const { call, id } = await memberWithTick()
  await world.control('faults', { kind: 'error', method: 'DELETE', path: '/v1/subscriptions', times: 6 })
  expect(await readError(await remove(id))).toMatchObject({
    status: 502,
    code: 'unanswered',
    message:
      'We don’t know yet whether the membership has ended. The member hasn’t been removed. Try again in a few minutes.',
  })
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  expect(countRows(world, 'audit_entries', `action = 'member.removed'`)).toBe(0)
  expect((await remove(id)).status).toBe(200)
})

/** Whichever call it is, three lost answers use up its repeats, and six also the second look: then the owner asks again. */
test.each([3, 6])(
  'CALLS-25 one mail says that the membership has ended, whichever %i answers were lost',
  {
    tags: ['full'],
  },
  async (times) => {
    const statuses: number[] = []
    for (let before = 0; before < 16; before += 1) {
      const other = await startPaymentWorld()
      await becomeMember(other)
      await runJob(other.ctx, 'mail')
      if (before > 0) await other.control('faults', { kind: 'delay', times: before })
      await other.control('faults', { kind: 'lost', times })
      const by = other.signIn(other.addOwner())
      const removeOnce = async () =>
        (await by(`/api/admin/members/${personCalled(other, sam.email).id}`, { method: 'DELETE' })).status
      const first = await removeOnce()
      statuses.push(first)
      await other.clearFaults()
      if (first !== 200) expect(await removeOnce()).toBe(200)
      await other.sandbox.settle()
      await runJob(other.ctx, 'mail')
      expect([before, countRows(other, 'mail_outbox', `cause like 'ended:%' and status = 'sent'`)]).toEqual([before, 1])
      await other.stop()
    }
    // Some were lost where it matters, and the last ones after the end.
    expect([statuses.includes(502), statuses.at(-1)]).toEqual([times === 6, 200])
  },
)

test('CALLS-25 asked twice, also at the same time, it removes once, with the same response', {
  tags: ['full'],
}, async () => {
  const { id } = await memberWithTick()
  const [one, other] = await Promise.all([remove(id), remove(sam.email)])
  const first: unknown = await one.json()
  expect([one.status, other.status, await other.json()]).toEqual([200, 200, first])
  expect(await (await remove(id)).json()).toEqual(first)
  expect(countRows(world, 'audit_entries', `action = 'member.removed' and targetId = '${id}'`)).toBe(1)
  expect((await remove(sam.email)).status).toBe(404)
})

test('CALLS-25 a dry run reports what would be deleted and what would stay, and does nothing', async () => {
  const { call, id } = await memberWithTick()
  const before = world.ctx.sqlite.prepare('select total_changes() as n').get()
  expect(await (await remove(id, '?dryRun=true')).json()).toMatchObject({ ...goesAndStays, dryRun: true })
  expect(world.ctx.sqlite.prepare('select total_changes() as n').get()).toEqual(before)
  expect(await billingOf(call)).toMatchObject({ status: 'active' })
  for (const slip of ['?dryRun=perhaps', '?dryrun=true', '?dry-run=true', '?dryRun=true&dryRun=true']) {
    expect([slip, (await remove(id, slip)).status]).toEqual([slip, 422])
  }
  expect(await billingOf(call)).toMatchObject({ status: 'active' })
})

test('CALLS-25 owners cannot be removed; an unknown member is not found', async () => {
  const { id } = world.addOwner()
  expect(await readError(await remove(id))).toMatchObject({ status: 409, message: 'You can’t remove an owner here.' })
  expect((await remove('019a0000-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await remove('nobody@example.com')).status).toBe(404)
})

test('CALLS-25 unsent mails about the member’s money are still sent; then only the invoices name the member', {
  tags: ['full'],
}, async () => {
  await join()
  const { id } = personCalled(world, sam.email)
  const waiting = () =>
    world.ctx.sqlite.prepare(`select cause from mail_outbox where status = 'waiting' order by cause`).pluck().all()
  expect(waiting()).toEqual([expect.stringMatching(/^receipt:/), expect.stringMatching(/^welcome:/)])
  await remove(id)
  expect(waiting()).toEqual([expect.stringMatching(/^ended:/), expect.stringMatching(/^receipt:/)])
  await runJob(world.ctx, 'mail')
  await runJob(world.ctx, 'clean-up')
  expect([tablesNaming(sam.email), tablesNaming('Sam Field')]).toEqual([[], ['invoices', 'document_csv_rows']])
  await runJob(world.ctx, 'reconcile')
  expect(waiting()).toEqual([])
})

test('CALLS-25 that a link was made for the member stays in the audit, without the address', {
  tags: ['full'],
}, async () => {
  await join()
  await acted(owner, '/api/admin/reactivation-links', { email: sam.email })
  await remove(sam.email)
  await runJob(world.ctx, 'mail')
  await runJob(world.ctx, 'clean-up')
  expect(countRows(world, 'audit_entries', `action = 'reactivation.link'`)).toBe(1)
  expect(tablesNaming(sam.email)).toEqual([])
})

test('CALLS-25 a purchase that reaches the provider after its member was removed is cancelled and refunded', {
  tags: ['full'],
}, async () => {
  await join()
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const [old] = (await stripe.subscriptions.list({})).data
  await remove(personCalled(world, sam.email).id)
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.subscriptions.create({
    customer,
    default_payment_method: card.id,
    items: [{ price: old?.items.data[0]?.price.id ?? '' }],
  })
  await world.sandbox.settle()
  expect(await providerSubscriptions(world)).toEqual(['canceled', 'canceled'])
  expect((await stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([25_000])
  expect(await read('/api/admin/mrr')).toMatchObject({ totalMRR: 0 })
  expect(countRows(world, 'payment_methods')).toBe(0)
})

test('CALLS-25 a purchase that begins while its member is removed stores nothing about the member again', {
  tags: ['full'],
}, async () => {
  const call = await join()
  await world.ctx.stripe.subscriptions.cancel((await world.ctx.stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.sandbox.settle()
  await world.control('faults', { kind: 'delay', ms: 2_000, method: 'GET', path: '/v1/customers/' })
  const buying = call('/api/create-subscription', { body: sam })
  await expect.poll(() => countRows(world, 'purchase_attempts', 'closedAt is null')).toBe(1)
  expect((await remove(sam.email)).status).toBe(200)
  expect((await buying).status).not.toBe(200)
  await world.sandbox.settle()
  await runJob(world.ctx, 'mail')
  await runJob(world.ctx, 'clean-up')
  expect([tablesNaming(sam.email), tablesNaming('Sam Field')]).toEqual([[], ['invoices', 'document_csv_rows']])
  expect(new Set(await providerSubscriptions(world))).toEqual(new Set(['canceled']))
})

test('CALLS-25 a purchase that waits for its payment ends too, and can be paid no more', {
  tags: ['full'],
}, async () => {
  const { response } = await beginJoin(world.call)
  expect((await remove(sam.email)).status).toBe(200)
  expect((await world.pay(response.clientSecret)).status).not.toBe(200)
  await world.sandbox.settle()
  expect((await providerSubscriptions(world)).filter((status) => status !== 'incomplete_expired')).toEqual([])
  expect(countRows(world, 'purchase_attempts', 'closedAt is null')).toBe(0)
})

test.each<[string, () => Promise<unknown>]>([
  ['a trial with a card', () => beginTrial(world, cards.pays)],
  ['a trial without one', () => beginTrial(world)],
  [
    'an unpaid renewal',
    async () => {
      await becomeMember(world, cards.failsLater)
      await world.advance(32)
    },
  ],
  ['a booked tier', async () => acted(await join(), '/api/billing/change-tier', { tierSlug: 'xl' })],
  ['an end that is booked', async () => acted(await join(), '/api/billing/cancel')],
])('CALLS-25 nothing is left running or owed at the provider: %s', { tags: ['full'] }, async (_what, begin) => {
  await begin()
  expect((await remove(sam.email)).status).toBe(200)
  await world.sandbox.settle()
  const { stripe } = world.ctx
  const live = (await stripe.subscriptions.list({})).data.map(({ status }) => status)
  const open = (await stripe.invoices.list({})).data.filter(({ status }) => status === 'open' || status === 'draft')
  const charges = async () => (await stripe.charges.list({})).data.length
  const before = await charges()
  await world.advance(70)
  expect([live, open, await charges()]).toEqual([[], [], before])
  expect(countRows(world, 'subscriptions', `status not in ('canceled', 'incomplete_expired')`)).toBe(0)
})

test('CALLS-25 a member that the provider does not know can be removed too', async () => {
  const member = world.addMember()
  expect((await remove(member.id)).status).toBe(200)
  expect(countRows(world, 'subscriptions', `status = 'active'`)).toBe(0)
  expect(await read('/api/admin/mrr')).toMatchObject({ totalMRR: 0 })
})
