import '#pwa/testing/window.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { errorUnder, field, fill, press, typedIn } from '#pwa/features/forms/testing/filling.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { CoachingApplicationForm } from '#shared/contract/coaching.ts'
import { ContactForm } from '#shared/contract/contact.ts'
import { bookingTrades, honeypotName } from '#shared/contract/form-labels.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const rows = (table: 'contacts' | 'coaching_applications' | 'coaching_bookings') =>
  world.ctx.sqlite.prepare<[], Record<string, unknown>>(`select * from ${table}`).all()
const sentTo = (path: string) => browser.network.sent.filter((request) => request.path === path)

const message = { Name: 'Sam Field', Email: 'sam@example.com', Message: 'Can you ring me about quotes?' }
const application = {
  Name: 'Sam Field',
  Email: 'sam@example.com',
  Phone: '07700 900123',
  Trade: 'heating',
  'Biggest challenge': 'Evenings go on quotes',
  Goals: 'Friday afternoons off',
  'Time commitment': '3-5',
  Investment: '1k-3k',
}

test.each([
  ['/contact', 'Contact us', ContactForm],
  ['/coaching-application', 'Coaching application', CoachingApplicationForm],
])('CONT-01 CAPP-05 %s has every field of its contract', async (path, name, { entries }) => {
  await browser.open(path)
  const form = await screen.findByRole<HTMLFormElement>('form', { name })
  const names = Array.from(form.elements, (control) => control.getAttribute('name')).filter(Boolean)
  expect(names.toSorted()).toEqual([...Object.keys(entries), honeypotName].toSorted())
})

describe('contact', () => {
  test('CONT-01 ERR-24 API-15 a message is sent, the form is empty again, and a receipt names it', async () => {
    await browser.open('/contact')
    await fill({ ...message, Trade: 'Roofer' })
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(screen.getByText("We'll get back to you soon")).toBeTruthy()
    expect(rows('contacts')).toMatchObject([
      { name: 'Sam Field', email: 'sam@example.com', trade: 'Roofer', message: message.Message, isSpam: 0 },
    ])
    expect(await typedIn('Message')).toBe('')
    expect(within(await screen.findByRole('region', { name: 'Receipt' })).getByText('Your message')).toBeTruthy()
    expect(JSON.stringify({ ...localStorage })).not.toMatch(/sam|quotes/i)
  })

  test('CONT-01 what is missing is said under each field, and the first has the focus', async () => {
    await browser.open('/contact')
    await field('Name')
    press('Send message')
    await waitFor(async () => expect(await errorUnder('Name')).toBe('Name is required'))
    expect(await errorUnder('Email')).toBe('Please enter a valid email address')
    expect(await errorUnder('Message')).toBe('Message is required')
    expect(await errorUnder('Trade')).toBeUndefined()
    expect(document.activeElement).toBe(await field('Name'))
    expect(sentTo('/api/contact')).toEqual([])
  })

  test('CONT-02 the other routes lead to each coach’s messages and mail, to Facebook and to Instagram', async () => {
    const networks = {
      FACEBOOK_URL: 'https://facebook.test/alliance',
      INSTAGRAM_URL: 'https://instagram.test/alliance',
    }
    await browser.close()
    world = startWorld({ env: networks })
    browser = createBrowser(world)
    await browser.open('/contact')
    await field('Name')
    const links = within(screen.getByRole('complementary')).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ...siteContent.coaches.map(({ name, chat }) => [`WhatsApp ${name}`, chat]),
      ...siteContent.coaches.map(({ name, email }) => [`Email ${name}`, `mailto:${email}`]),
      ['Facebook', networks.FACEBOOK_URL],
      ['Instagram', networks.INSTAGRAM_URL],
    ])
  })

  test('CONT-03 the figures are there', async () => {
    await browser.open('/contact')
    await field('Name')
    const side = within(screen.getByRole('complementary'))
    const { coached, revenue } = siteContent.claims
    for (const said of [coached, revenue].flatMap(({ figure, label }) => [figure, label]))
      expect(side.getByText(said)).toBeTruthy()
  })

  test('CONT-01 a page that leads here fills the subject in', async () => {
    await browser.open('/contact?subject=A%20custom%20quote%20template')
    await waitFor(async () => expect(await typedIn('Message')).toBe('About: A custom quote template\n\n'))
  })

  test('ERR-12 a refusal says why, marks the field, and keeps what was typed', async () => {
    await browser.open('/contact')
    await fill(message)
    const fields = { message: 'Please use at most 5000 characters.' }
    browser.setDelivery('/api/contact', {
      status: 422,
      body: { error: { code: 'invalid', message: 'Please look at the form.', fields } },
    })
    press('Send message')
    await waitFor(async () => expect(await errorUnder('Message')).toBe(fields.message))
    expect(screen.getAllByText('Error sending message').length).toBeGreaterThan(0)
    expect(screen.getAllByText('Please look at the form.').length).toBeGreaterThan(0)
    expect(await typedIn('Message')).toBe(message.Message)
    expect(rows('contacts')).toEqual([])
    browser.setDelivery('/api/contact', 'deliver')
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(rows('contacts')).toHaveLength(1)
  })
})

describe('coaching application', () => {
  test('CAPP-01 CAPP-02 the side says what is included and what it costs', async () => {
    await browser.open('/coaching-application')
    await field('Name')
    const side = within(screen.getByRole('complementary'))
    expect(side.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      pageTexts['coaching-application'].included.items,
    )
    const { programme, programmeInstalments } = siteContent.prices
    for (const said of [programme, `or ${programmeInstalments}`]) expect(side.getByText(said)).toBeTruthy()
  })

  test('CAPP-03 CAPP-04 eight fields are marked and needed, five are not', async () => {
    await browser.open('/coaching-application')
    await field('Name')
    const marked = [...document.querySelectorAll('label')].filter(({ textContent }) => textContent?.endsWith('*'))
    expect(marked.map(({ textContent }) => textContent?.replace(' *', ''))).toEqual(Object.keys(application))
    press('Submit application')
    for (const label of Object.keys(application))
      await waitFor(async () => expect(await errorUnder(label)).toBeTruthy())
    for (const label of [
      'Business name',
      'Years in business',
      'Current revenue',
      'How you heard about us',
      'Anything else',
    ])
      expect(await errorUnder(label), label).toBeUndefined()
  })

  test('API-02 ERR-18 an application is sent, and a confirmation takes the form’s place', async () => {
    await browser.open('/coaching-application')
    await fill({ ...application, 'Years in business': '12' })
    press('Submit application')
    expect((await screen.findAllByText('Application Submitted!')).length).toBeGreaterThan(0)
    expect(
      screen.getAllByText("Thank you for your interest. We'll be in touch within 24 hours to discuss next steps.")
        .length,
    ).toBeGreaterThan(0)
    expect(rows('coaching_applications')).toMatchObject([
      { trade: 'heating', yearsInBusiness: 12, investment: '1k-3k' },
    ])
    expect(screen.queryByRole('form', { name: 'Coaching application' })).toBeNull()
  })

  test('ERR-03 ERR-04 CAPP-05 a refusal says so over the form and in a toast; years are whole', async () => {
    await browser.open('/coaching-application')
    await fill({ ...application, 'Years in business': 'twelve' })
    press('Submit application')
    await waitFor(async () => expect(await errorUnder('Years in business')).toBe('Give whole years, such as 12.'))
    await fill({ 'Years in business': '' })
    browser.setDelivery('/api/coaching-application', {
      status: 400,
      body: { error: { code: 'malformed', message: 'This cannot be read.' } },
    })
    press('Submit application')
    await screen.findByText('There was a problem submitting your application. Please try again.')
    expect(screen.getByRole('alert').textContent).toContain('Failed to submit application')
    expect(await typedIn('Goals')).toBe(application.Goals)
  })
})

test('ERR-04 a server in trouble says only that the application waits', { tags: ['full'] }, async () => {
  await browser.open('/coaching-application')
  await fill(application)
  browser.setDelivery('/api/coaching-application', ourError(500, 'internal'))
  press('Submit application')
  await screen.findByText(/^Saved on this phone/)
  expect(screen.queryByText(/There was a problem/)).toBeNull()
})

describe('call booking', () => {
  const { steps: nextSteps } = pageTexts['book-coaching-call'].next
  const caller = { Name: 'Sam Field', Email: 'sam@example.com' }

  test('CALL-01 CALL-02 CALL-03 name and email are needed; the trades are the booking’s own', async () => {
    await browser.open('/book-coaching-call')
    await field('Name')
    expect(screen.getByText(pageTexts['book-coaching-call'].lead)).toBeTruthy()
    const options = within(await field('Trade')).getAllByRole('option')
    expect(options.slice(1).map(({ textContent }) => textContent)).toEqual([...bookingTrades])
    press('Book the call')
    await waitFor(async () => expect(await errorUnder('Name')).toBeTruthy())
    expect(await errorUnder('Email')).toBeTruthy()
    for (const label of ['Phone', 'Trade', 'Business name', 'Preferred times', 'Business challenges'])
      expect(await errorUnder(label), label).toBeUndefined()
  })

  test('CALL-04 CALL-05 CALL-06 API-03 ERR-19 a booking is sent for tomorrow, and says what comes next', async () => {
    await browser.open('/book-coaching-call')
    await fill({ ...caller, 'Preferred times': 'After 17:00' })
    press('Book the call')
    expect((await screen.findAllByText('Booking Request Submitted')).length).toBeGreaterThan(0)
    expect(screen.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual(
      nextSteps.map(({ title }) => title),
    )
    for (const { text } of nextSteps) expect(screen.getByText(text)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
    expect(rows('coaching_bookings')).toMatchObject([
      {
        bookingDate: tomorrowInLondon(world.ctx.now()),
        notes: 'Preferred times: After 17:00\nBusiness challenges: Not specified',
      },
    ])
  })

  test('CALL-05 API-15 a booking that goes out later says what comes next with its receipt', {
    tags: ['full'],
  }, async () => {
    const page = await browser.open('/book-coaching-call')
    await fill(caller)
    browser.setSignal(false)
    press('Book the call')
    await screen.findByText(/^Saved on this phone/)
    await page.close()
    browser.setSignal(true)
    await browser.open('/book-coaching-call')
    await screen.findByRole('region', { name: 'Receipt' })
    expect(screen.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toContain(
      nextSteps[0]?.title,
    )
    expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
    expect(await typedIn('Name')).toBe('')
    expect(rows('coaching_bookings')).toHaveLength(1)
  })

  test('ERR-05 a proxy in trouble says only that the booking waits', { tags: ['full'] }, async () => {
    await browser.open('/book-coaching-call')
    await fill(caller)
    browser.setDelivery('/api/coaching-bookings', { status: 502, body: '<h1>Bad gateway</h1>' })
    press('Book the call')
    await screen.findByText('Saved on this phone. We’re busy right now.')
    expect(screen.queryByText(/There was an error/)).toBeNull()
  })

  test('ERR-05 a refusal says so', { tags: ['full'] }, async () => {
    await browser.open('/book-coaching-call')
    await fill(caller)
    browser.setDelivery('/api/coaching-bookings', {
      status: 422,
      body: { error: { code: 'invalid', message: 'Please look at the form.' } },
    })
    press('Book the call')
    await screen.findByText('There was an error submitting your booking. Please try again.')
    expect(screen.getAllByText('Booking Failed').length).toBeGreaterThan(0)
    expect(rows('coaching_bookings')).toEqual([])
  })
})
