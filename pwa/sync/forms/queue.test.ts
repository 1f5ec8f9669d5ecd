import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { coachingApplication, coachingBooking, contactMessage, enquiryForms, rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { contactForm, storedMessages } from '#pwa/sync/testing/forms.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createFormQueue, type FormQueue } from './queue.ts'
import type { FormKind } from './store.ts'

let world: World
let phone: Phone
let queue: FormQueue
const opened: FormQueue[] = []

function open(platform = phone.platform) {
  const next = createFormQueue(platform)
  opened.push(next)
  return next
}
const signInPage = { status: 200, body: '<html><body>Sign in to the Wi-Fi</body></html>' }
const text = (value: unknown) => JSON.stringify(value)

beforeEach(() => {
  world = startWorld()
  phone = createPhone(world)
  queue = open()
})

afterEach(() => {
  for (const one of opened.splice(0)) one.stop()
  expect(phone.faults).toEqual([])
})

describe('with signal', () => {
  test('API-15 a form is sent with its key, and leaves a receipt without its text', async () => {
    const form = contactForm(phone)
    const delivery = await queue.submit(form)
    expect(storedMessages(world)).toEqual(['Can you ring me about quotes?'])
    expect(delivery).toMatchObject({ kind: 'sent', receipt: { id: form.id, kind: 'contact' } })
    const { forms, receipts } = await queue.readAll()
    expect(forms).toEqual([])
    expect(receipts[0]?.sentAt).toBe(world.ctx.now().toISOString())
    expect(text([await queue.read(form.id), receipts])).not.toMatch(/sam|quotes/i)
  })

  test('a receipt is deleted after 48 hours', async () => {
    await queue.submit(contactForm(phone))
    phone.wait(48 * 3_600_000 + 1)
    await queue.flush()
    expect(await queue.readAll()).toEqual({ forms: [], receipts: [] })
  })

  test('API-15 a form pressed twice, or in two tabs at once, makes one row', async () => {
    const form = contactForm(phone)
    const other = open()
    const deliveries = await Promise.all([queue.submit(form), queue.submit(form), other.submit(form)])
    expect(deliveries.map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent'])
    expect(storedMessages(world)).toHaveLength(1)
    expect(phone.network.sent).toHaveLength(1)
  })

  test('API-15 a request that comes twice makes one row', async () => {
    phone.network.next('twice')
    expect(await queue.submit(contactForm(phone))).toMatchObject({ kind: 'sent' })
    expect(storedMessages(world)).toHaveLength(1)
  })
})

describe('without a response', () => {
  test.each([
    ['no signal', 'lose-request'],
    ['a lost response', 'lose-response'],
    ['a response after the phone timed out', 'delay'],
    ['a server in trouble', ourError(500, 'internal')],
    ['a proxy in trouble', { status: 502, body: '<html>Bad gateway</html>' }],
    ['too many at once', ourError(429, 'rate_limited')],
    ['a Wi-Fi sign-in page', signInPage],
    ['a sign-in page with 403', { ...signInPage, status: 403 }],
    ['a sign-in response of JSON', { status: 200, body: { ok: true } }],
  ] as const)('API-15 %s: the form is stored, and sent once when it can be', async (_name, delivery) => {
    phone.network.next(delivery)
    expect(await queue.submit(contactForm(phone))).toMatchObject({ kind: 'pending' })
    expect((await queue.readAll()).receipts).toEqual([])
    for (const deliver of phone.network.delayed) await deliver()
    phone.wait(5 * 60_000)
    await queue.settled()
    expect(storedMessages(world)).toHaveLength(1)
    const [first, second] = phone.network.sent
    expect(second?.body).toEqual(first?.body)
    expect((await queue.readAll()).receipts).toHaveLength(1)
  })

  test('the server’s Retry-After is respected', async () => {
    phone.network.next(ourError(429, 'rate_limited', { 'retry-after': '600' }))
    await queue.submit(contactForm(phone))
    await queue.flush()
    expect(phone.network.sent).toHaveLength(1)
    phone.wait(600_000)
    await queue.settled()
    expect(storedMessages(world)).toHaveLength(1)
  })

  test('a submit takes 8 seconds at most; the late response still counts', async () => {
    const late = Promise.withResolvers<void>()
    const platform = { ...phone.platform }
    platform.fetch = async (path, init) => {
      await late.promise
      return phone.platform.fetch(path, init)
    }
    const slow = open(platform)
    const delivery = slow.submit(contactForm(phone))
    await expect.poll(async () => (await slow.readAll()).forms[0]?.state).toBe('sending')
    phone.wait(8_000)
    expect(await delivery).toEqual({ kind: 'pending' })
    late.resolve()
    await slow.settled()
    expect((await slow.readAll()).receipts).toHaveLength(1)
  })

  test('a form that fails does not hold up the others', async () => {
    phone.isOnline = false
    phone.network.usual = 'lose-request'
    await queue.submit(contactForm(phone, 'First'))
    phone.wait(1_000)
    await queue.submit(contactForm(phone, 'Second'))
    phone.network.usual = 'deliver'
    phone.network.next(ourError(500, 'internal'))
    await queue.flush()
    expect(storedMessages(world)).toEqual(['Second'])
  })

  test('without a response the others are not tried, since each would wait as long', async () => {
    phone.isOnline = false
    phone.network.usual = 'lose-request'
    for (const message of ['First', 'Second', 'Third']) await queue.submit(contactForm(phone, message))
    phone.network.sent = []
    await queue.flush()
    expect(phone.network.sent).toHaveLength(1)
    phone.network.usual = 'deliver'
    await queue.flush()
    expect(storedMessages(world).sort()).toEqual(['First', 'Second', 'Third'])
  })

  describe.each([502, 504])('a gateway’s %i after the server had stored it', (status) => {
    const submit = async (headers: Record<string, string>) => {
      const platform = { ...phone.platform }
      platform.fetch = async (path, init) => {
        await phone.platform.fetch(path, init)
        platform.fetch = phone.platform.fetch
        return new Response('<html>Bad gateway</html>', { status, headers })
      }
      queue = open(platform)
      const form = contactForm(phone)
      expect(await queue.submit(form)).toMatchObject({ kind: 'pending' })
      expect(storedMessages(world)).toHaveLength(1)
      return form
    }

    test('API-15 after 8 days the visitor decides: no second row', async () => {
      const form = await submit({})
      phone.isOnline = false
      phone.wait(8 * 24 * 3_600_000)
      await queue.settled()
      phone.isOnline = true
      await queue.flush()
      expect(storedMessages(world)).toHaveLength(1)
      expect(await queue.read(form.id)).toMatchObject({ state: 'refused' })
    })

    test('its Retry-After is respected', async () => {
      await submit({ 'retry-after': '600' })
      phone.network.sent = []
      await queue.flush()
      expect(phone.network.sent).toEqual([])
      phone.wait(600_000)
      await queue.settled()
      expect((await queue.readAll()).receipts).toHaveLength(1)
    })
  })

  test('after days without a response the visitor decides, since the server may have forgotten the key', async () => {
    phone.network.next('lose-response')
    const form = contactForm(phone)
    await queue.submit(form)
    phone.isOnline = false
    phone.wait(7 * 24 * 3_600_000)
    await queue.settled()
    phone.isOnline = true
    await queue.flush()
    expect(storedMessages(world)).toHaveLength(1)
    expect(await queue.read(form.id)).toMatchObject({ state: 'refused', refusal: { fields: {} } })
  })
})

test('API-02 API-03 API-15 each form is queued without signal, then makes one row of its own', async () => {
  const forms: [FormKind, object][] = [
    ['coaching-application', coachingApplication],
    ['coaching-booking', coachingBooking],
    ['contact', contactMessage],
  ]
  phone.network.usual = 'lose-request'
  for (const [kind, body] of forms)
    expect(await queue.submit({ ...contactForm(phone), kind, body: JSON.stringify(body) })).toMatchObject({
      kind: 'pending',
    })
  phone.network.usual = 'deliver'
  expect(await queue.flush()).toBe('done')
  for (const { table } of enquiryForms) expect(rowsOf(world, table), table).toHaveLength(1)
  expect((await queue.readAll()).receipts.map(({ kind }) => kind).sort()).toEqual(forms.map(([kind]) => kind))
})

describe('offline', () => {
  const leave = async () => {
    phone.isOnline = false
    phone.network.usual = 'lose-request'
    const form = contactForm(phone)
    await queue.submit(form)
    queue.stop()
    phone.network.usual = 'deliver'
    phone.network.sent = []
    return form
  }

  test('API-15 the next start on any page sends it', async () => {
    await leave()
    phone.isOnline = true
    const next = open()
    next.start()
    await next.settled()
    expect(storedMessages(world)).toHaveLength(1)
  })

  test('a start without signal tries nothing; signal or a visible page does', async () => {
    await leave()
    const next = open()
    next.start()
    await next.settled()
    expect(phone.network.sent).toEqual([])
    phone.isOnline = true
    phone.wake('online')
    await next.settled()
    expect(storedMessages(world)).toHaveLength(1)
    phone.wake('visible')
    await next.settled()
    expect(phone.network.sent).toHaveLength(1)
  })

  test('the browser wakes the service worker, and again while something is pending', async () => {
    await leave()
    expect(phone.backgroundSyncs).toBe(1)
    phone.isOnline = true
    phone.network.next(ourError(500, 'internal'))
    await expect(flushFromServiceWorker(phone.platform)).rejects.toThrow('Not every form')
    await flushFromServiceWorker(phone.platform)
    expect(storedMessages(world)).toHaveLength(1)
  })

  test('the form is sent without the session of a member who is logged in', async () => {
    phone.cookie = world.signIn(world.addMember({ tier: 'lite' })).cookie
    const seen: (RequestCredentials | undefined)[] = []
    const platform = { ...phone.platform }
    platform.fetch = (path, init) => {
      seen.push(init.credentials)
      return phone.platform.fetch(path, init)
    }
    await open(platform).submit(contactForm(phone))
    expect(seen).toEqual(['omit'])
  })
})

describe('refused', () => {
  test.each([
    [422, 'invalid'],
    [409, 'idempotency_conflict'],
    [400, 'malformed'],
  ])('%i: it comes back with its text and its errors, and is not sent again', async (status, code) => {
    const fields = { message: 'Please use at most 5000 characters.' }
    phone.network.next({ status, body: { error: { code, message: 'Please look at the form.', fields } } })
    const form = contactForm(phone)
    expect(await queue.submit(form)).toEqual({
      kind: 'refused',
      refusal: { message: 'Please look at the form.', fields },
    })
    expect((await queue.read(form.id))?.typed).toEqual(form.typed)
    phone.wait(3_600_000)
    await queue.flush()
    expect(phone.network.sent).toHaveLength(1)
    expect(await queue.remove(form.id)).toBe(true)
    expect(await queue.readAll()).toEqual({ forms: [], receipts: [] })
  })

  test('API-15 the real server refuses another body under the same key', async () => {
    const form = contactForm(phone)
    await queue.submit(form)
    await queue.dismiss(form.id)
    const delivery = await queue.submit({ ...form, body: form.body.replace('quotes', 'invoices') })
    expect(delivery).toMatchObject({ kind: 'refused' })
    expect(storedMessages(world)).toHaveLength(1)
  })
})

test('deleting leaves nothing of what was made before, also of a request that has begun', async () => {
  const late = Promise.withResolvers<void>()
  const platform = { ...phone.platform }
  platform.fetch = async (path, init) => {
    const response = await phone.platform.fetch(path, init)
    await late.promise
    return response
  }
  const slow = open(platform)
  const delivery = slow.submit(contactForm(phone))
  await expect.poll(() => phone.network.sent.length).toBe(1)
  expect(await slow.remove((await slow.readAll()).forms[0]?.id ?? '')).toBe(false)
  await slow.deleteWhere(() => true)
  late.resolve()
  await delivery
  expect(await slow.readAll()).toEqual({ forms: [], receipts: [] })
})

test('what was written after a logout stays', async () => {
  phone.network.usual = 'lose-request'
  await queue.submit(contactForm(phone, 'Before'))
  const leftAt = phone.platform.wall()
  phone.wait(1_000)
  const after = contactForm(phone, 'After')
  await queue.submit(after)
  await queue.deleteWhere(({ madeAt }) => madeAt <= leftAt)
  expect((await queue.readAll()).forms.map(({ id }) => id)).toEqual([after.id])
})

test('the receipt of a sent form is returned once, to one tab', async () => {
  phone.network.next('lose-request')
  await queue.submit(contactForm(phone))
  phone.wait(60_000)
  await queue.settled()
  const receipts = await Promise.all([queue.takeUnseenReceipts(), open().takeUnseenReceipts()])
  expect(receipts.flat()).toHaveLength(1)
  await queue.submit(contactForm(phone, 'Told by the page that sent it'))
  expect(await queue.takeUnseenReceipts()).toEqual([])
})
