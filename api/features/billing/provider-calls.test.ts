// @module-tag full
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { act, acted, becomeMember } from '#api/testing/billing.ts'
import { beginJoin, countRows, sam } from '#api/testing/joining.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ env: behindProxy })
})
afterEach(() => world.stop())

const routes = [
  ...['cancel', 'resume', 'end', 'card', 'card/settle', 'pay'].map((name) => ['POST', `/api/billing/${name}`] as const),
  ['POST', '/api/billing/change-tier'],
  ['DELETE', '/api/billing/change-tier'],
  ['POST', '/api/billing/upgrade/preview'],
  ['POST', '/api/billing/upgrade'],
  ['POST', '/api/billing/upgrade/settle'],
] as const

describe('what reaches the provider', () => {
  /** Calls the routes in turn, as a person without a membership, whom each refuses with 409. */
  const press = (person: { id: string; email: string }, count: number, address: string) => {
    const [method, path] = routes[count % routes.length] ?? routes[0]
    const asksTier = method === 'POST' && /change-tier$|preview$/.test(path)
    const asksUpgrade = /upgrade$|settle$/.test(path) && !path.endsWith('card/settle')
    const body = asksTier ? { body: { tierSlug: 'xl' } } : asksUpgrade ? { body: { attemptId: world.ctx.newId() } } : {}
    return world.signIn(person)(path, { method, ...body, headers: { 'x-forwarded-for': address } })
  }

  test('is limited to 60 an hour for a person, all routes together, from wherever they are sent', async () => {
    const person = world.addUser()
    for (let count = 0; count < 60; count += 1) {
      const response = await press(person, count, `10.0.1.${count}`)
      expect([count, response.status]).toEqual([count, 409])
    }
    for (const [count, [method, path]] of routes.entries()) {
      const response = await press(person, count, '10.0.2.1')
      expect([method, path, response.status]).toEqual([method, path, 429])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
    }
    expect((await press(world.addUser(), 0, '10.0.2.1')).status).toBe(409)
    world.forward(60 * 60_000)
    expect((await press(person, 0, '10.0.2.1')).status).toBe(409)
  })

  test('is limited to 300 an hour for an address, across all accounts that log in there', async () => {
    const people = Array.from({ length: 6 }, () => world.addUser())
    for (let count = 0; count < 300; count += 1) {
      const person = people[count % 6] ?? world.addUser()
      expect([count, (await press(person, count, '10.0.0.1')).status]).toEqual([count, 409])
    }
    expect((await press(world.addUser(), 0, '10.0.0.1')).status).toBe(429)
    expect((await press(world.addUser(), 0, '10.0.0.2')).status).toBe(409)
  })

  test('of a page that polls is limited too: past it the page is answered from our rows', async () => {
    const { call } = await beginJoin(world.call)
    let requests = 0
    world.ctx.stripe.on('request', () => {
      requests += 1
    })
    for (let count = 0; count < 241; count += 1) {
      const response = await call('/api/billing/subscription')
      expect((await response.json()).status).toBe('incomplete')
      if (count === 239) requests = 0
    }
    expect(requests).toBe(0)
  })

  test('to begin a membership is limited for a person too, from wherever it is sent', async () => {
    const { call } = await beginJoin(world.call)
    const again = (count: number) =>
      call('/api/create-subscription', { body: sam, headers: { 'x-forwarded-for': `10.0.3.${count}` } })
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) statuses.push((await again(count)).status)
    expect([statuses.indexOf(429), new Set(statuses.slice(0, 60))]).toEqual([60, new Set([200])])
  })

  test('to make an account is limited to 60 tries an hour for all the networks of one customer', async () => {
    const join = async (email: string, address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (await world.call('/api/create-subscription', { body: { ...sam, email }, headers })).status
    }
    const statuses: number[] = []
    for (let count = 0; count < 60; count += 1)
      statuses.push(await join(sam.email, `2001:db8:77:${count.toString(16)}::1`))
    expect([statuses[0], new Set(statuses.slice(1))]).toEqual([200, new Set([409])])
    expect(await join('kim@example.com', '2001:db8:77:ff::1')).toBe(429)
    expect(await join('kim@example.com', '2001:db8:78::1')).toBe(200)
    expect(await join('lee@example.com', '10.0.0.1')).toBe(200)
  })

  test('to make an account from one IPv4 address is open to an office: 60 an hour', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.1' }
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1)
      statuses.push((await world.call('/api/create-subscription', { body: sam, headers })).status)
    expect([statuses.indexOf(409), statuses.indexOf(429)]).toEqual([1, 60])
  })
})

describe('the audit holds changes alone', () => {
  const recorded = (action: string) => countRows(world, 'audit_entries', `action = '${action}'`)

  test('a card is recorded when another is charged, not when a form is opened', async () => {
    const call = await becomeMember(world)
    for (let count = 0; count < 3; count += 1) await acted(call, '/api/billing/card')
    expect(recorded('card.change')).toBe(0)
    await world.pay((await acted(call, '/api/billing/card')).clientSecret)
    await acted(call, '/api/billing/card/settle')
    await acted(call, '/api/billing/card/settle')
    await world.sandbox.settle()
    expect(recorded('card.change')).toBe(1)
  })

  test('a tier that is booked already is booked once', async () => {
    const call = await becomeMember(world)
    const booked = await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    expect(await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })).toEqual(booked)
    expect(recorded('subscription.change_tier')).toBe(1)
  })

  test('an invoice that is looked at and not paid is no change', async () => {
    const call = await becomeMember(world, '4000000000000341')
    await world.advance(32)
    for (let count = 0; count < 3; count += 1) await acted(call, '/api/billing/pay')
    expect((await readError(await act(call, '/api/billing/end'))).status).toBe(409)
    expect(countRows(world, 'audit_entries', `action like 'invoice.%'`)).toBe(0)
  })
})
