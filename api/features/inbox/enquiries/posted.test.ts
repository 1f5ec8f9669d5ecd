import { beforeEach, expect, test } from 'vitest'
import { coachingApplication, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'

let world: World
beforeEach(() => {
  world = startWorld({ env: behindProxy })
})

const post = (path: string, fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  world.call(path, {
    body: new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '10.0.0.1', ...headers },
  })

const wholeBooking = {
  name: 'Sam Field',
  email: 'sam@example.com',
  trade: 'Plumber',
  phone: '',
  preferredTimes: '',
  homepage: '',
}

test.each([
  { path: '/contact', table: 'contacts', fields: contactMessage, says: 'Message sent' },
  {
    path: '/coaching-application',
    table: 'coaching_applications',
    fields: coachingApplication,
    says: 'Application sent',
  },
  { path: '/book-coaching-call', table: 'coaching_bookings', fields: wholeBooking, says: 'Booking request sent' },
])('API-15 $path takes a form sent without our scripts, once a day, and answers with a page', async (form) => {
  const { path, table, fields, says } = form
  for (const _press of ['the first', 'another']) {
    const response = await post(path, fields)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(await response.text()).toContain(`<h1>${says}</h1>`)
  }
  expect(rowsOf(world, table)).toMatchObject([{ email: 'sam@example.com', isSpam: 0 }])
  world.forward(86_400_000)
  await post(path, fields)
  expect(rowsOf(world, table)).toHaveLength(2)
})

test('what’s wrong is said a line each, nothing is stored, and a bot’s is set aside', async () => {
  const wrong = await post('/contact', { ...contactMessage, name: '<b>'.repeat(60), email: 'sam' })
  expect(wrong.status).toBe(422)
  const page = await wrong.text()
  expect(page).toContain('<li>Name: Use up to 100 characters.</li><li>Email: Please enter a valid email address</li>')
  expect(rowsOf(world, 'contacts')).toEqual([])
  await post('/contact', { ...contactMessage, homepage: 'https://example.com' })
  expect(rowsOf(world, 'contacts')).toMatchObject([{ isSpam: 1 }])
})

test('it has the limits of any form: how many, and from where', async () => {
  const answers: Response[] = []
  for (let count = 0; count < 61; count += 1) answers.push(await post('/contact', contactMessage))
  const last = answers.at(-1)
  expect([last?.status, await last?.text()]).toEqual([429, expect.stringContaining('Try again in an hour.')])
  expect((await post('/contact', contactMessage, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await world.call('/contact', { body: contactMessage })).status).toBe(415)
})
