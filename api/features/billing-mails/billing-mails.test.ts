import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Customer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { runReconcileSteps, syncCustomer } from '#api/features/reconcile/service.ts'
import { listVideos } from '#api/features/videos/service.ts'
import { contentOf } from '#api/site/content.ts'
import { beginTrial } from '#api/testing/billing.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { joinAndPay, millLane, refundNewest } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { addDays, formatLongDate, londonDay, weekdayName } from '#shared/rules/london.ts'
import { videosByCategory } from '#shared/rules/video.ts'

const body = { ...sam, billingAddress: millLane }

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
  // Delivers each event twice, newest first.
  await world.control('settings', { webhooks: { copies: 2, order: 'reversed' } })
})
afterEach(() => world.stop())

type Row = { cause: string; to: string; subject: string; text: string; attachment: string | null }
const mails = () =>
  world.ctx.sqlite
    .prepare<[], Row>(
      `select cause, "to", subject, text, attachment from mail_outbox where cause not like 'owner-link%' order by id`,
    )
    .all()
const kinds = () => mails().map(({ cause }) => cause.split(':')[0])
function mail(kind: string): Row {
  const [found, ...more] = mails().filter(({ cause }) => cause.startsWith(`${kind}:`))
  if (found === undefined || more.length > 0) throw new Error(`${more.length + (found ? 1 : 0)} mails: ${kind}`)
  return found
}

async function joined(card?: string): Promise<Call> {
  const { call } = await joinAndPay(world, body, card)
  return call
}
async function post(call: Call, path: string, more?: object) {
  const response = await call(path, { method: 'POST', ...(more ? { body: more } : {}) })
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(await readError(response))}`)
  await world.sandbox.settle()
}
/** One day at a time, so that events arrive as promptly as in production. */
async function live(days: number) {
  for (let day = 0; day < days; day += 1) await world.advance(1)
  await world.sandbox.settle()
}
async function untilItFails() {
  await live(27)
  while (!kinds().includes('payment-failed')) await live(1)
}
const dayIn = (days: number) => formatLongDate(addDays(londonDay(world.ctx.billingNow()), days))

describe('joining', () => {
  test('API-20 PAY-07 brings a welcome and a receipt with the VAT invoice', async () => {
    await joined()
    expect(kinds().sort()).toEqual(['receipt', 'welcome'])
    const receipt = mail('receipt')
    const [invoice] = world.ctx.sqlite
      .prepare<[], { id: string; number: string }>('select id, number from invoices')
      .all()
    expect(receipt).toMatchObject({ to: sam.email, subject: `Receipt for £300.00, VAT invoice ${invoice?.number}` })
    expect(receipt.text).toContain('Net: £250.00\nVAT 20%: £50.00\nTotal: £300.00')
    expect(receipt.text).toContain(`Paid on: ${dayIn(0)}`)
    expect(JSON.parse(receipt.attachment ?? '')).toEqual({ kind: 'invoice', id: invoice?.id })
    expect(receipt.text).not.toContain('no address')
    expect(mail('welcome').text).not.toContain('consumer')
  })

  test('where consumers may join, the welcome says until when they may cancel, with the form of the law', async () => {
    const owner = world.signIn(world.addOwner())
    await owner('/api/admin/settings/SELLS_TO_CONSUMERS', { method: 'PUT', body: { value: 'yes', version: 0 } })
    await joined()
    const { text } = mail('welcome')
    expect(text).toContain(
      `you have until the end of ${dayIn(14)} to cancel and get back everything you paid, no reason needed.`,
    )
    expect(text).toContain('hereby give notice that I/We')
    expect(text).toContain('/cancellation')
  })

  test('the welcome leads to the first video of the tier, the community, the next weekly call and a coach', async () => {
    world.addVideos()
    openCalendar(world, ['coaching'])
    await joined()
    const { text } = mail('welcome')
    const [first] = videosByCategory(listVideos(world.ctx, 'standard')).flatMap(({ videos }) => videos)
    expect(text).toContain(
      `Watch the first video, “${first?.title}”.\n   http://localhost:3000/members/videos/${first?.slug}`,
    )
    expect(text).toContain(`Join the community and say hello.\n   ${contentOf(world.ctx).read().site.links.community}`)
    const wednesday = [1, 2, 3, 4, 5, 6, 7].find(
      (days) => weekdayName(addDays(londonDay(world.ctx.billingNow()), days)) === 'Wednesday',
    )
    expect(text).toContain(`Come to the next weekly call, on Wednesday ${dayIn(wednesday ?? 0)}.`)
    expect(text).toContain('Book your first 30-minute coaching call.\n   http://localhost:3000/book-call')
  })

  test('API-20 the link of the welcome works for a week, as it says, and once', async () => {
    await joined()
    const { text } = mail('welcome')
    expect(text).toContain('The link works once, for 7 days. Get a new one here: http://localhost:3000/forgot-password')
    const token = text.match(/reset-password\?token=([\w-]+)/)?.[1]
    world.forward(7 * 86_400_000 - 1)
    const set = () => world.call('/api/auth/reset-password', { body: { token, newPassword: 'brass-tap-9' } })
    expect([(await set()).status, (await set()).status]).toEqual([200, 400])
  })

  test('without an address says so in the receipt; the address brings the corrected invoice, once', async () => {
    const { call } = await joinAndPay(world, sam)
    expect(mail('receipt').text).toContain('Your address isn’t on the invoice yet.')
    for (const _twice of [1, 2]) await call('/api/billing/address', { method: 'PUT', body: millLane })
    await syncCustomer(world.ctx, onlyCustomer(world))
    const [, corrected, ...more] = mails().filter(({ cause }) => cause.startsWith('receipt:'))
    expect(more).toEqual([])
    expect(corrected?.subject).toBe('Corrected VAT invoice A-000002')
    expect(corrected?.text).toContain('replaces VAT invoice A-000001, which we’ve cancelled with credit note C-000001.')
  })
})

describe('a renewal', () => {
  test('that is paid brings its receipt', async () => {
    await joined()
    await live(32)
    expect(kinds().sort()).toEqual(['receipt', 'receipt', 'welcome'])
  })

  test('that fails is mailed once, with the way to pay and the end of access; once paid, only the receipt follows', async () => {
    const call = await joined(cards.failsLater)
    await untilItFails()
    expect((await billingOf(call)).status).toBe('past_due')
    const failed = mail('payment-failed')
    const { graceEndsOn } = await billingOf(call)
    expect(failed.subject).toBe('Your payment didn’t go through')
    expect(failed.text).toContain('We couldn’t take £300.00 with VAT for your Alliance membership')
    expect(failed.text).toContain(
      `Payment due: £300.00. You keep your access until ${formatLongDate(graceEndsOn ?? '')}.`,
    )
    expect(failed.text).toContain('Pay now:\nhttp://localhost:3000/reactivate')
    const { clientSecret } = await (await call('/api/billing/pay', { method: 'POST' })).json()
    await world.pay(clientSecret)
    await live(1)
    expect(kinds().sort()).toEqual(['payment-failed', 'receipt', 'receipt', 'welcome'])
  })

  test('that is owed when a member leaves may still be taken, and what confirms the cancellation says so', {
    tags: ['full'],
  }, async () => {
    const call = await joined(cards.failsLater)
    await live(36)
    expect((await call('/api/billing/cancel', { method: 'POST' })).status).toBe(200)
    await live(0)
    const { text } = mail('ending')
    expect(text).toContain(
      'We won’t take any more payments, but we’ll keep trying your card for what you owe until then.',
    )
    expect(text).not.toContain('we won’t take another payment')
    const [{ text: copy }] = await (await call('/api/user/cancellations')).json()
    expect(copy).toContain('After that we’ll write it off.')
  })

  test('gives no end to access that the owners granted, and nothing at all to a person whose access they revoked', {
    tags: ['full'],
  }, async () => {
    await joined(cards.failsLater)
    const override = (word: string) => world.ctx.sqlite.prepare('update users set accessOverride = ?').run(word)
    override('revoked')
    await live(33)
    expect(kinds()).not.toContain('payment-failed')
    override('granted')
    await live(15)
    await syncCustomer(world.ctx, onlyCustomer(world))
    const failures = mails().filter(({ cause }) => cause.startsWith('payment-failed:'))
    expect(failures[0]?.text).toContain('Payment due: £300.00. You keep your access.\n')
    expect(failures.at(-1)?.text).toContain('Your access is free.')
    expect(kinds().filter((kind) => kind?.startsWith('access'))).toEqual([])
  })

  test('that is never paid ends the membership, and the mail says why', { tags: ['full'] }, async () => {
    await world.control('settings', { afterRetries: 'canceled', webhooks: { copies: 2, order: 'reversed' } })
    const call = await joined(cards.failsLater)
    await live(50)
    expect((await billingOf(call)).status).toBe('canceled')
    // The provider may show the payment before the membership it started.
    expect(kinds().slice(0, 2).sort()).toEqual(['receipt', 'welcome'])
    const failures = ['payment-failed', 'payment-failed', 'payment-failed']
    expect(
      kinds()
        .slice(2)
        .filter((kind) => kind !== 'access-ending'),
    ).toEqual([...failures, 'ended'])
    expect(mail('ended').text).toContain('because your payment didn’t go through.')
    expect(mail('ended').text).toContain('http://localhost:3000/reactivate')
    expect(mail('ended').text).not.toContain('sooner')
  })

  test('that the provider gives up sooner than the mail promised is mailed with the promised date, and access ends', {
    tags: ['full'],
  }, async () => {
    await world.control('settings', { retryDays: [3], afterRetries: 'canceled' })
    const call = await joined(cards.failsLater)
    await live(32)
    const { graceEndsOn } = await billingOf(call)
    const promised = formatLongDate(graceEndsOn ?? '')
    expect(mail('payment-failed').text).toContain(`You keep your access until ${promised}.`)
    await live(10)
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
    expect(mail('ended').text).toContain('because your payment didn’t go through.')
    expect(mail('ended').text).toContain(
      `We told you you’d have access until ${promised}, but it ended early. Sorry about that.`,
    )
  })
})

test('a pause is mailed once, with what it means and how to carry on; resumed, only the receipt follows', {
  tags: ['full'],
}, async () => {
  const call = await beginTrial(world, cards.pays)
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const [trial] = (await stripe.subscriptions.list({ customer })).data
  await stripe.subscriptions.update(trial?.id ?? '', {
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  for (const { id } of (await stripe.customers.listPaymentMethods(customer)).data)
    await stripe.paymentMethods.detach(id)
  await live(25)
  expect(await billingOf(call)).toMatchObject({ status: 'paused', hasAccess: false })
  const { subject, text } = mail('paused')
  expect(subject).toBe('Your membership is paused')
  expect(text).toContain('Your membership is paused. We won’t take a payment until you resume it.')
  expect(text).toContain('While your Alliance membership is paused you can’t open the videos or the community.')
  expect(text).toContain('press Resume membership and pay for your next month, £300.00 with VAT.')
  expect(text).toContain('Resume membership:\nhttp://localhost:3000/reactivate')
  await post(call, '/api/billing/resume')
  const { clientSecret } = await (await call('/api/billing/pay', { method: 'POST' })).json()
  await world.pay(clientSecret)
  await live(1)
  expect((await billingOf(call)).status).toBe('active')
  expect(kinds()).toEqual(['set-up', 'paused', 'receipt'])
})

test('a provider whose clock runs a minute behind ours costs nobody their welcome', { tags: ['full'] }, async () => {
  await world.control('settings', { webhooks: { hold: true } })
  await joined()
  const minuteAhead = new Date(world.ctx.billingNow().getTime() + 60_000).toISOString()
  world.ctx.sqlite.prepare('update customers set createdAt = ?').run(minuteAhead)
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(kinds().sort()).toEqual(['receipt', 'welcome'])
})

describe('cancelling', () => {
  test('is confirmed with the day of the end, and so is taking it back, each time', async () => {
    const call = await joined()
    await post(call, '/api/billing/cancel')
    const { endsOn } = await billingOf(call)
    const ending = mail('ending')
    expect(ending.subject).toBe(`Your membership ends on ${formatLongDate(endsOn ?? '')}`)
    expect(ending.text).toContain('You keep your access until then. We won’t take another payment.')
    await post(call, '/api/billing/resume')
    expect(mail('resumed').text).toContain(`Paid until ${formatLongDate(endsOn ?? '')}. Then we’ll take £300.00`)
    await post(call, '/api/billing/cancel')
    await live(1)
    expect(kinds().slice(2)).toEqual(['ending', 'resumed', 'ending'])
  })

  test('ends as asked, and coming back is no first time', { tags: ['full'] }, async () => {
    const call = await joined()
    await post(call, '/api/billing/cancel')
    await live(32)
    expect(mail('ended').text).toMatch(/Your Alliance membership ended on .*, as you asked\./)
    const again = await call('/api/create-subscription', { body })
    await world.pay((await again.json()).clientSecret)
    await world.sandbox.settle()
    const back = mail('reactivated')
    expect(back.subject).toBe('Your membership is active again')
    expect(back.text).toContain('Set your password:\n')
    expect(kinds().filter((kind) => kind === 'welcome')).toHaveLength(1)
    expect(kinds().filter((kind) => kind === 'receipt')).toHaveLength(2)
  })
})

test('the mail about a delayed membership names the first payment, its day and its sum', {
  tags: ['full'],
}, async () => {
  const lastPayment = addDays(londonDay(world.ctx.billingNow()), -10)
  const { carried } = await linkTo(world, { ...sam, lastPayment })
  const { response } = await beginDelayed(world, carried, { tierSlug: 'xl' })
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  expect(kinds()).toEqual(['set-up'])
  expect(mail('set-up').subject).toBe('Your membership is set up')
  expect(mail('set-up').text).toContain(`Total a month: £540.00\n\nFirst payment: ${formatLongDate(response.date)}`)
  await live(21)
  expect(kinds()).toEqual(['set-up', 'receipt'])
})

test('a change of tier is mailed when it is booked and when it is undone, not when it takes effect', async () => {
  const call = await joined()
  await post(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  expect(mail('tier-change').subject).toMatch(/^Alliance XL from /)
  expect(mail('tier-change').text).toContain('Total a month: £540.00')
  await call('/api/billing/change-tier', { method: 'DELETE' })
  expect(mail('tier-kept').subject).toBe('You stay on Alliance')
  await post(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  await live(33)
  expect(kinds().slice(2)).toEqual(['tier-change', 'tier-kept', 'tier-change', 'receipt'])
})

test('a refund is mailed with its credit note', async () => {
  await joined()
  await refundNewest(world, 12_000)
  const refund = mail('refund')
  expect(refund.subject).toBe('Refund of £120.00')
  expect(refund.text).toContain('Credit note: C-000001\nFor VAT invoice: A-000001')
  expect(refund.text).toContain('within 5 to 10 working days')
  expect(JSON.parse(refund.attachment ?? '')).toMatchObject({ kind: 'credit_note' })
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(kinds()).toHaveLength(3)
})

test('a refund that the bank returns is mailed, if its start was mailed before', async () => {
  await joined()
  await refundNewest(world, 12_000)
  world.ctx.sqlite.exec(`update provider_refunds set status = 'failed'`)
  const customer = world.ctx.sqlite.prepare<[], Customer>('select id, userId from customers').get()
  for (const _twice of [1, 2]) if (customer) transact(world.ctx, () => runReconcileSteps(world.ctx, customer))
  expect(mail('refund-failed').text).toContain(`The £120.00 we sent on ${dayIn(0)} came back`)
  expect(kinds().filter((kind) => kind?.startsWith('refund'))).toEqual(['refund', 'refund-failed'])
})

test('an event that arrives weeks late is still mailed; one from before we knew the customer is not', {
  tags: ['full'],
}, async () => {
  await world.control('settings', { webhooks: { hold: true } })
  await joined()
  await world.advance(20)
  world.ctx.sqlite.prepare('update customers set createdAt = ?').run(world.ctx.billingNow().toISOString())
  await runJob(world.ctx, 'reconcile')
  expect(kinds()).toEqual([])
  world.ctx.sqlite.prepare('update customers set createdAt = ?').run('2020-01-01T00:00:00.000Z')
  await runJob(world.ctx, 'reconcile')
  expect(kinds().sort()).toEqual(['receipt', 'welcome'])
})

describe('a card that expires', () => {
  const expires = (month: number, year: number) =>
    world.ctx.sqlite.prepare('update payment_methods set expMonth = ?, expYear = ?').run(month, year)
  const lastDay = () => {
    const [year = 0, month = 0] = londonDay(world.ctx.billingNow()).split('-').map(Number)
    return { year, month, day: new Date(Date.UTC(year, month, 0)).getUTCDate() }
  }

  test('is mailed once within its last 30 days, and again for another card', async () => {
    await joined()
    const { year, month, day } = lastDay()
    expires(month, year)
    // On the first of a 31-day month there are 30 days left; later there are fewer.
    if (londonDay(world.ctx.billingNow()).endsWith('-01')) await live(1)
    for (const _twice of [1, 2]) await runJob(world.ctx, 'card-expiry')
    const told = mail('card-expiring')
    expect(told.text).toContain(`Your Visa ending 4242 works until ${day} `)
    expect(told.text).toContain('Your next payment is £300.00 with VAT on ')
    world.ctx.sqlite.exec(`update payment_methods set stripePaymentMethodId = 'pm_other'`)
    await runJob(world.ctx, 'card-expiry')
    expect(kinds().filter((kind) => kind === 'card-expiring')).toHaveLength(2)
  })

  test('isn’t mailed to someone who has cancelled, or whose card lasts longer', { tags: ['full'] }, async () => {
    const call = await joined()
    const { year, month } = lastDay()
    expires(month, year + 1)
    await runJob(world.ctx, 'card-expiry')
    expires(month, year)
    await post(call, '/api/billing/cancel')
    expires(month, year)
    expect(await runJob(world.ctx, 'card-expiry')).toMatchObject({ report: { mails: 0 } })
    expect(kinds()).not.toContain('card-expiring')
  })
})
