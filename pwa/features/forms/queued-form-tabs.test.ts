import '#pwa/testing/window.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { setStoredFormsFlag } from '#pwa/lib/stored-forms-flag.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { createFormQueue } from '#pwa/sync/forms/queue.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { field, fill, press, sendNow, typedIn } from './testing/filling.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const messages = () =>
  world.ctx.sqlite
    .prepare<[], { message: string }>('select message from contacts order by rowid')
    .all()
    .map((row) => row.message)
const sent = () => browser.network.sent.filter(({ path }) => path === '/api/contact')
const draft = () => localStorage.getItem('draft:contact')

const message = { Name: 'Sam Field', Email: 'sam@example.com', Message: 'Can you ring me about quotes?' }

describe('another tab hands over another text', () => {
  const theirs = { name: 'Anna Hill', email: 'anna@example.com', trade: '', message: 'THEIRS' }
  const sending = { id: '01900000-0000-7000-8000-000000000001', body: JSON.stringify({ ...theirs, homepage: '' }) }
  const draftOf = (typed: object) => JSON.stringify({ savedAt: Date.now(), value: { typed, sending } })
  const handOver = async () => {
    localStorage.setItem('draft:contact', draftOf(theirs))
    setStoredFormsFlag(true)
    const queue = createFormQueue(createBrowserPlatform())
    const outcome = await queue.submit({ ...sending, kind: 'contact', typed: theirs })
    queue.stop()
    return outcome
  }
  /** As the tab does that has handed its text over. */
  const takeDraftAway = (oldValue: string) => {
    localStorage.removeItem('draft:contact')
    fireEvent(window, new StorageEvent('storage', { key: 'draft:contact', oldValue, newValue: null }))
  }

  test('API-15 what is typed here stays, its draft too, under the receipt; and is sent as well', {
    tags: ['full'],
  }, async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'MINE' })
    expect(await handOver()).toMatchObject({ kind: 'sent' })
    await screen.findByRole('region', { name: 'Receipt' })
    expect(await typedIn('Message')).toBe('MINE')
    expect(draft()).toContain('MINE')
    press('Send message')
    await screen.findByText('Message sent successfully!')
    expect(messages()).toEqual(['THEIRS', 'MINE'])
  })

  test('without signal: it waits above this form, not in its place', async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'MINE' })
    browser.setSignal(false)
    expect(await handOver()).toMatchObject({ kind: 'pending' })
    await screen.findByText(/^Saved on this phone/)
    expect(await typedIn('Message')).toBe('MINE')
    expect(draft()).toContain('MINE')
    press('Edit')
    await screen.findByText(/^You’ve started another/)
    expect(await typedIn('Message')).toBe('MINE')
  })

  test('a blank form makes way for what waits, and leaves the draft to the other tab', async () => {
    await browser.open('/contact')
    await field('Message')
    browser.setSignal(false)
    await handOver()
    await screen.findByText(/^Saved on this phone/)
    expect(screen.queryByRole('form', { name: 'Contact us' })).toBeNull()
    expect(draft()).toContain('THEIRS')
  })

  test('the draft it takes away is written again from this form, unless it is the same text', async () => {
    await browser.open('/contact')
    await fill({ ...message, Message: 'MINE' })
    const mine = { name: message.Name, email: message.Email, trade: '', message: 'MINE' }
    takeDraftAway(draftOf(mine))
    expect(draft()).toBeNull()
    takeDraftAway(draftOf(theirs))
    expect(draft()).toContain('MINE')
  })
})

describe('the site cannot take it just now', () => {
  test('API-15 ERR-12 it says only that the form is kept and tried again', async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setDelivery('/api/contact', ourError(500, 'internal'))
    press('Send message')
    await screen.findByText('Saved on this phone. We’re busy right now.')
    expect(document.querySelector('.toast')).toBeNull()
    expect(screen.getByText(/We’ll send it automatically/)).toBeTruthy()
    expect(screen.queryByText(/no signal/i)).toBeNull()
    browser.setDelivery('/api/contact', 'deliver')
    sendNow()
    await screen.findByRole('region', { name: 'Receipt' })
    expect(messages()).toHaveLength(1)
  })

  test('ERR-12 Send now says until when it asked to wait', { tags: ['full'] }, async () => {
    await browser.open('/contact')
    await fill(message)
    browser.setDelivery('/api/contact', ourError(429, 'rate_limited', { 'retry-after': '600' }))
    press('Send message')
    await screen.findByText(/^Saved on this phone/)
    press('Send now')
    await screen.findByText(/^We’ll try again at \d\d:\d\d\.$/)
    expect(sent()).toHaveLength(1)
  })
})
