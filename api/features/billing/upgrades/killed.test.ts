// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, becomeMember, personCalled, timesCharged } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { askAndDie, copyFolder, startAgainOn } from '#api/testing/killed-servers.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, toRequest } from '#api/testing/world.ts'

let root = ''
let world: PaymentWorld
/** The server that's killed gets no webhooks, nor does the world in its place. */
let isHeard = true
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-killed-'))
})
beforeEach(() => startAgain())
afterEach(() => world.stop())
afterAll(() => rmSync(root, { recursive: true, force: true }))

const years: Record<string, string> = {}
async function startAgain(): Promise<void> {
  isHeard = true
  world = await startPaymentWorld({
    onWebhook: (webhook) => (isHeard ? world.handle(webhook) : Promise.resolve(new Response(null, { status: 503 }))),
  })
  for (const [slug, net] of Object.entries({ standard: 250_000, xl: 450_000 }))
    years[slug] = addYearlyPrice(world, slug, net)
}

const byYear = (tierSlug: string) => ({ tierSlug, priceId: years[tierSlug] })

async function memberBy(more: object): Promise<Call> {
  const call = await becomeMember(world, undefined, { ...sam, ...more })
  await world.advance(10)
  return call
}

type Scene = {
  name: string
  path: string
  /** Who they are, and what they send. */
  begins(): Promise<object>
  ends: { plan: object; nextPlan: object | null; charges: number }
}

const shown = async (call: Call, to: object) => ({
  attemptId: (await acted(call, '/api/billing/upgrade/preview', to)).attemptId,
})

const scenes: Scene[] = [
  {
    name: 'a year in place of a month, today',
    path: '/api/billing/upgrade',
    begins: async () => shown(await memberBy({}), byYear('standard')),
    ends: { plan: { slug: 'standard', months: 12 }, nextPlan: null, charges: 2 },
  },
  {
    name: 'a dearer year today',
    path: '/api/billing/upgrade',
    begins: async () => shown(await memberBy(byYear('standard')), byYear('xl')),
    ends: { plan: { slug: 'xl', months: 12 }, nextPlan: null, charges: 2 },
  },
  {
    name: 'a smaller tier when the year ends',
    path: '/api/billing/change-tier',
    begins: async () => {
      await memberBy(byYear('standard'))
      return { tierSlug: 'lite' }
    },
    ends: { plan: { slug: 'standard', months: 12 }, nextPlan: { slug: 'lite' }, charges: 1 },
  },
]

/** Kills the server at a change asked of Stripe. Null if there were fewer. */
async function killed({ name, path, begins }: Scene, at: number) {
  const body = await begins()
  const { cookie } = world.signIn(personCalled(world, sam.email))
  const sent = { body, headers: { cookie } }
  const dataDir = copyFolder(world, join(root, `${name} ${world.ctx.newId()}`))
  isHeard = false
  const alive = await askAndDie(world, dataDir, (url) => toRequest(path, sent, url), { at, counts: 'writes' })
  if (alive !== null) return null
  const again = startAgainOn(world, dataDir)
  const call: Call = (to, options = {}) => again.call(to, { ...options, headers: { cookie } })
  return { ...again, call, body }
}

type Killed = NonNullable<Awaited<ReturnType<typeof killed>>>

/** Returns how many changes were asked of Stripe, counted before and after. */
async function atEachChange(scene: Scene, check: (done: Killed) => Promise<void>): Promise<number> {
  for (let at = 1; ; at += 1) {
    const done = await killed(scene, at)
    if (done === null) return at - 1
    await check(done)
    done.stop()
    await world.stop()
    await startAgain()
  }
}

async function atStripe() {
  const customer = onlyCustomer(world)
  const [{ data }, open] = await Promise.all([
    world.ctx.stripe.subscriptions.list({ customer, status: 'all' }),
    world.ctx.stripe.invoices.list({ customer, status: 'open' }),
  ])
  const isPending = data.some(({ pending_update: update }) => update !== null)
  return { subscriptions: data.length, open: open.data.length, isPending, charges: await timesCharged(world) }
}
const once = { subscriptions: 1, open: 0, isPending: false }

describe.each(scenes)('$name, killed before and after each change asked of Stripe', (scene) => {
  const { path, ends } = scene

  test('started again and sent again, it’s there once, and paid once', async () => {
    const changes = await atEachChange(scene, async ({ call, body }) => {
      for (const _twice of [1, 2]) await acted(call, path, body)
      expect(await atStripe()).toEqual({ ...once, charges: ends.charges })
      expect(await billingOf(call)).toMatchObject({ plan: ends.plan, nextPlan: ends.nextPlan, openInvoice: null })
    })
    expect(changes).toBeGreaterThan(1)
  })

  test('started again and never sent again, it’s wholly there or not at all', async () => {
    await atEachChange(scene, async ({ ctx, call }) => {
      await world.advance(11 / (24 * 60))
      raiseBillingOffset(ctx, world.ctx.billingNow().getTime() - ctx.now().getTime())
      for (const job of ['upgrades', 'reconcile'] as const) await runJob(ctx, job)
      const { charges, ...left } = await atStripe()
      expect(left).toEqual(once)
      expect([1, ends.charges]).toContain(charges)
      const { plan, openInvoice, status } = await billingOf(call)
      expect([openInvoice, status]).toEqual([null, 'active'])
      if (charges === 2) expect(plan).toMatchObject(ends.plan)
    })
  })
})
