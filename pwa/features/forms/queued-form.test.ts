import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { errorUnder, field, fill, press, sendNow, typedIn } from './testing/filling.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const rows = () => world.ctx.sqlite.prepare<[], Record<string, unknown>>('select * from contacts order by rowid').all()
const messages = () => rows().map((row) => row.message)
const sent = () => browser.network.sent.filter(({ path }) => path === '/api/contact')
const draft = () => localStorage.getItem('draft:contact')
const fillTrap = (value: string) =>
  fireEvent.input(document.querySelector('input[name="homepage"]') ?? document.body, { target: { value } })
async function sendWithoutSignal() {
  browser.setSignal(false)
  press('Send message')
  await screen.findByText(/^Saved on this phone/)
}

/** Lets requests through, but holds their responses until you resolve it. */
function holdResponses() {
  const late = Promise.withResolvers<void>()
  const { fetch } = browser.network
  browser.network.fetch = async (path, init) => {
    const response = await fetch(path, init)
    if (path === '/api/contact') await late.promise
    return response
  }
  return late
}

/** Another page, which this phone would have cached; the forms still have no signal. */
async function openElsewhere() {
  browser.setSignal(true)
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
  await browser.open('/membership-tiers')
}

const message = { Name: 'Sam Field', Email: 'sam@example.com', Message: 'Can you ring me about quotes?' }
describe('without signal', () => {
  test('API-15 the form is saved and says so, goes when signal is back, and leaves a receipt', async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setSignal(false)
    press('Send message')
    await screen.findByText('Saved on this phone. We’ll send it when you have signal.')
    expect(screen.queryByText('Message sent successfully!')).toBeNull()
    expect(screen.queryByRole('form', { name: 'Contact us' })).toBeNull()
    browser.setSignal(true)
    await screen.findByRole('region', { name: 'Receipt' })
    expect(rows()).toHaveLength(1)
    expect(screen.queryByText(/^Saved on this phone/)).toBeNull()
  })

  test('API-15 the next start on any page sends what was left, and says so', async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setSignal(false)
    press('Send message')
    await screen.findByText(/^Saved on this phone/)
    await openElsewhere()
    await screen.findByText('1 form waiting to send')
    browser.setSignal(true)
    await screen.findByText(/^Your message from \d\d:\d\d was sent$/)
    expect(rows()).toHaveLength(1)
  })

  test('API-15 a lost response makes no second row', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setDelivery('/api/contact', 'lose-response')
    const send = screen.getByRole('button', { name: 'Send message' })
    for (let press = 0; press < 3; press++) fireEvent.click(send)
    await screen.findByText(/^Saved on this phone/)
    browser.setDelivery('/api/contact', 'deliver')
    sendNow()
    await screen.findByRole('region', { name: 'Receipt' })
    expect(rows()).toHaveLength(1)
  })

  test('a form that waits can be changed, or deleted at the second press', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setSignal(false)
    press('Send message')
    await screen.findByText(/^Saved on this phone/)
    press('Edit')
    await waitFor(async () => expect(await typedIn('Message')).toBe(message.Message))
    press('Send message')
    await screen.findByText(/^Saved on this phone/)
    press('Delete')
    press('Delete for good')
    await waitFor(() => expect(screen.queryByText(/^Saved on this phone/)).toBeNull())
    expect(await typedIn('Message')).toBe('')
    browser.setSignal(true)
    await fill({ ...message, Message: 'SECOND' })
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(messages()).toEqual(['SECOND'])
    expect(sent()).toHaveLength(3)
  })

  test('a form refused while the page was closed is filled in again, with its errors', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setSignal(false)
    press('Send message')
    await screen.findByText(/^Saved on this phone/)
    await openElsewhere()
    await screen.findByText('1 form waiting to send')
    const fields = { email: 'Please enter a valid email address' }
    browser.setDelivery('/api/contact', {
      status: 422,
      body: { error: { code: 'invalid', message: 'Please look at it.', fields } },
    })
    browser.setSignal(true)
    await screen.findByText('We couldn’t accept your message')
    browser.setDelivery('/api/contact', 'deliver')
    await browser.open('/contact')
    await waitFor(async () => expect(await typedIn('Message')).toBe(message.Message))
    await waitFor(async () => expect(await errorUnder('Email')).toBe(fields.email))
  })

  test('what robots fill in is kept aside too when it had to wait', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    fillTrap('https://x')
    await sendWithoutSignal()
    browser.setSignal(true)
    await screen.findByRole('region', { name: 'Receipt' })
    expect(rows()).toMatchObject([{ message: message.Message, isSpam: 1 }])
  })

  test('a waiting form does not replace the one that is being written', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'FIRST' })
    await sendWithoutSignal()
    press('Write another')
    await fill({ ...message, Message: 'SECOND' })
    press('Edit')
    await screen.findByText(/^You’ve started another/)
    expect(await typedIn('Message')).toBe('SECOND')
    expect(draft()).toContain('SECOND')
    press('Clear this form')
    press('Edit')
    await waitFor(async () => expect(await typedIn('Message')).toBe('FIRST'))
    browser.setSignal(true)
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(messages()).toEqual(['FIRST'])
  })
})

describe('what is typed', () => {
  test('outlives a reload; the hidden field is never kept', async () => {
    await browser.open('/contact')
    await fill(message)
    fireEvent.input(document.querySelector('input[name="homepage"]') ?? document.body, { target: { value: 'robot' } })
    expect(JSON.stringify({ ...localStorage })).not.toContain('robot')
    await browser.open('/contact')
    await waitFor(async () => expect(await typedIn('Message')).toBe(message.Message))
  })

  test('goes with Clear this form, and comes back if that was a slip', async () => {
    await browser.open('/contact')
    await fill(message)
    press('Clear this form')
    expect(await typedIn('Message')).toBe('')
    expect(localStorage.getItem('draft:contact')).toBeNull()
    press('Undo')
    expect(await typedIn('Message')).toBe(message.Message)
    expect(localStorage.getItem('draft:contact')).toContain('quotes')
  })

  test('what robots fill in is kept aside, and looks sent', async () => {
    await browser.open('/contact')
    await fill(message)
    fireEvent.input(document.querySelector('input[name="homepage"]') ?? document.body, {
      target: { value: 'https://x' },
    })
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(rows()).toMatchObject([{ isSpam: 1 }])
  })

  test('while the answer is awaited cannot be changed; what gets in all the same stays, and was not sent', {
    tags: ['full'],
  }, async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'FIRST' })
    const response = holdResponses()
    press('Send message')
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(await field('Message')).toHaveProperty('readOnly', true)
    await fill({ Message: 'SECOND' })
    response.resolve()
    await screen.findByText('Message sent successfully!')
    expect(messages()).toEqual(['FIRST'])
    expect(await field('Message')).toHaveProperty('readOnly', false)
    expect(await typedIn('Message')).toBe('SECOND')
    expect(draft()).toContain('SECOND')
  })

  test('stays beside a form that is refused meanwhile, which waits to be put back', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'FIRST' })
    browser.setDelivery('/api/contact', {
      status: 422,
      body: { error: { code: 'invalid', message: 'Please look at the form.' } },
    })
    const response = holdResponses()
    press('Send message')
    await waitFor(() => expect(sent()).toHaveLength(1))
    await fill({ Message: 'SECOND' })
    response.resolve()
    // While it waits it has the same button, which gives way to what's being written.
    await screen.findByText(/couldn’t be sent/)
    expect(draft()).toContain('SECOND')
    press('Edit')
    await waitFor(async () => expect(await typedIn('Message')).toBe('FIRST'))
  })

  test('is what is sent, whatever another tab was sending', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'MINE' })
    const theirs = { name: 'Sam Field', email: 'sam@example.com', trade: '', message: 'THEIRS' }
    const sending = { id: '01900000-0000-7000-8000-000000000001', body: JSON.stringify(theirs) }
    localStorage.setItem('draft:contact', JSON.stringify({ savedAt: Date.now(), value: { typed: theirs, sending } }))
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(messages()).toEqual(['MINE'])
  })

  test('goes under the same key after a page that died on the way', { tags: ['full'] }, async () => {
    const typed = { name: 'Sam Field', email: 'sam@example.com', trade: '', message: 'FIRST' }
    const sending = { id: '01900000-0000-7000-8000-000000000001', body: JSON.stringify(typed) }
    const left = JSON.stringify({ savedAt: Date.now(), value: { typed, sending } })
    for (let life = 0; life < 2; life++) {
      localStorage.setItem('draft:contact', left)
      await browser.open('/contact')
      await waitFor(async () => expect(await typedIn('Message')).toBe('FIRST'))
      press('Send message')
      await screen.findByText('Message sent successfully!')
      expect(draft()).toBeNull()
      press('Close receipt')
      await waitFor(() => expect(localStorage.getItem('forms-kept')).toBeNull())
    }
    expect(messages()).toEqual(['FIRST'])
  })

  test('is sent at once where the device can store nothing, and the response is shown', async () => {
    const { open } = indexedDB
    indexedDB.open = (name, version) => {
      if (name === 'alliance-forms') throw new DOMException('No storage', 'QuotaExceededError')
      return open.call(indexedDB, name, version)
    }
    try {
      await browser.open('/contact')
      await fill(message)
      browser.setDelivery('/api/contact', 'lose-response')
      press('Send message')
      await screen.findByText('Please try again later')
      expect(await typedIn('Message')).toBe(message.Message)
      browser.setDelivery('/api/contact', 'deliver')
      press('Send message')
      await screen.findByText('Message sent successfully!')
      expect(await typedIn('Message')).toBe('')
    } finally {
      indexedDB.open = open
    }
    expect(messages()).toEqual([message.Message])
    expect(sent()).toHaveLength(2)
  })

  test('goes after 48 hours from every form, whichever page is opened', async () => {
    const keep = (name: string, hours: number) =>
      localStorage.setItem(`draft:${name}`, JSON.stringify({ savedAt: Date.now() - hours * 3_600_000, value: {} }))
    keep('coaching-application', 49)
    keep('membership-application', 49)
    keep('contact', 47)
    await browser.open('/membership-tiers')
    await waitFor(() =>
      expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual(['draft:contact']),
    )
  })
})

describe('CONT-01 the subject that another page names', () => {
  const about = (subject: string) => `/contact?subject=${encodeURIComponent(subject)}`

  test('goes in front of a message that was begun before, once', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    await browser.open(about('A custom quote'))
    const both = `About: A custom quote\n\n${message.Message}`
    await waitFor(async () => expect(await typedIn('Message')).toBe(both))
    await fill({ Name: 'Sam Fielding' })
    await browser.open(about('A custom quote'))
    await waitFor(async () => expect(await typedIn('Name')).toBe('Sam Fielding'))
    expect(await typedIn('Message')).toBe(both)
  })

  test('changes with the address, and takes nothing of the text along', async () => {
    const page = await browser.open(about('One'))
    await waitFor(async () => expect(await typedIn('Message')).toBe('About: One\n\n'))
    await page.go(about('Two'))
    await waitFor(async () => expect(await typedIn('Message')).toBe('About: Two\n\n'))
    await fill({ Message: 'About: Two\n\nRing me' })
    await page.go(about('Three'))
    await waitFor(async () => expect(await typedIn('Message')).toBe('About: Three\n\nAbout: Two\n\nRing me'))
  })
})
