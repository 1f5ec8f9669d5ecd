import { expect, onTestFinished, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { fieldsOfCalls } from '#api/testing/contract-fields.ts'
import { coachingApplication, coachingBooking, contactMessage } from '#api/testing/enquiries.ts'
import { addWithPassword, behindProxy } from '#api/testing/passwords.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { quotientOrder } from '#api/testing/quotient.ts'
import { rowsOf } from '#api/testing/routes.ts'
import { startWorld } from '#api/testing/world.ts'

const person = { firstName: 'Sam', lastName: 'Field', phone: '07700 900123', businessName: 'Field', trade: 'Painter' }
const application = {
  ...person,
  businessStage: 'growing',
  yearsInTrade: '12',
  currentChallenges: 'Quoting',
  goals: 'Time off',
  whyJoin: 'A mate',
  hearAboutUs: 'Podcast',
  agreeTerms: true,
}
const signed = { lastPayment: '2026-05-01', name: 'Sam', expires: '1999999999', signature: 'x'.repeat(43) }
const wrong = { password: 'wrong-password' }

/** What to send along with an address. `account` is someone who's logged in without a password. */
const routes: Record<string, { body?: object; query?: object; as?: 'account' }> = {
  'POST /api/auth/login': { body: wrong },
  'POST /api/auth/token': { body: wrong },
  'POST /api/auth/forgot-password': { body: {} },
  'POST /api/auth/code': { body: {} },
  'POST /api/auth/code/login': { body: { code: '000000' } },
  'PATCH /api/user/profile': { body: {}, as: 'account' },
  'POST /api/calendar/holds': {
    body: { kind: 'consultation', coach: 'coach-1', name: 'Sam', phone: '', notes: '', homepage: '' },
  },
  'POST /api/membership-application': { body: application },
  'POST /api/coaching-application': { body: coachingApplication },
  'POST /api/coaching-bookings': { body: coachingBooking },
  'POST /api/contact': { body: contactMessage },
  'GET /api/delayed-subscription': { query: signed },
  'POST /api/create-delayed-subscription': {
    body: { ...signed, tierSlug: 'standard', delayedBillingDate: '2026-06-12' },
  },
  'POST /api/create-quotient-payment': { body: quotientOrder },
}

/** Joining reveals it on purpose: see docs/asvs.md. */
const join = [
  'POST /api/membership-application/email',
  'POST /api/create-subscription',
  // Here a new member corrects a mistyped address.
  'POST /api/auth/set-password',
]

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]))
}

test('V6.3.8 every route that takes an address stands in this table, or is the join', () => {
  const world = startWorld()
  const ofOthers = rowsOf(world.wholeApp()).filter(({ role }) => role !== 'owner')
  const taking = fieldsOfCalls(world)
    .filter(({ name }) => /(^|\.)\w*email$/i.test(name))
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`)
    .filter((route) => ofOthers.some(({ name }) => name === route))
  expect([...new Set(taking)].sort()).toEqual([...Object.keys(routes), ...join].sort())
})

test.each(Object.entries(routes))(
  'V6.3.8 a member’s, an owner’s and a new address get the same answer: %s',
  async (route, { body, query, as }) => {
    const world = await startPaymentWorld({ env: behindProxy })
    onTestFinished(() => world.stop())
    openCalendar(world)
    addWithPassword(world, { email: 'known@example.com' })
    addWithPassword(world, { email: 'owner@example.com', isAdmin: true })
    const [method = '', path = ''] = route.split(' ')
    const answerTo = async (email: string, at: number) => {
      const call = as === undefined ? world.call : world.signIn(world.addUser({ email: `caller${at}@example.com` }))
      const startsAt = new Date(Date.UTC(2026, 5, 15 + at, 8)).toISOString()
      const slot = path.endsWith('/holds') ? { startsAt } : {}
      const response = await call(query ? `${path}?${new URLSearchParams({ ...query, email })}` : path, {
        method,
        headers: { 'x-forwarded-for': `203.0.113.${at}` },
        ...(body ? { body: { ...body, ...slot, email } } : {}),
      })
      const { error, ...rest } = await response.json()
      return [response.status, error?.code, error?.message, error?.fields, shapeOf(rest)]
    }
    const unknown = await answerTo('unknown@example.com', 1)
    expect(await answerTo('known@example.com', 2)).toEqual(unknown)
    expect(await answerTo('owner@example.com', 3)).toEqual(unknown)
    // The route must not answer 422 to the address itself.
    expect(unknown[0]).not.toBe(422)
  },
)
