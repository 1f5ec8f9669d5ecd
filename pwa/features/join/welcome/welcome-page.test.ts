import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { createSession, type SyncSession } from '#pwa/sync/session/session.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld({ env: { COMMUNITY_URL: 'https://community.example' } })
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const list = (name: string) =>
  [...(screen.getByRole('region', { name }).querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)

test('WELC-01 WELC-02 WELC-03 WELC-05 WELC-06 an active member sees it, three next steps, and what their tier includes', async () => {
  browser.signIn(world.addMember({ tier: 'xl' }))
  await browser.open('/membership-success')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Your membership is active')
  await screen.findByText('Weekly accountability sessions')
  expect(list('Alliance XL includes')).toEqual([
    'Community access',
    'Training videos',
    'Weekly accountability sessions',
    '1-hour monthly coaching call',
  ])
  const steps = screen.getByRole('region', { name: 'Three next steps' })
  const titles = within(steps)
    .getAllByRole('listitem')
    .map((step) => within(step).getByRole('heading').textContent)
  expect(titles).toEqual(['Check your email', 'Join the community', 'First weekly call'])
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/')
})

test('WELC-02 without a community the steps lead to the videos and to the tier’s own call', async () => {
  await browser.close()
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'standard' }))
  await browser.open('/membership-success')
  const steps = within(await screen.findByRole('region', { name: 'Three next steps' }))
  const titles = steps.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(titles).toEqual(['Check your email', 'Watch the first video', 'First call'])
  expect(steps.getByText(/You get a 30-minute monthly coaching call\./)).toBeTruthy()
  expect(steps.getByRole('link', { name: 'Book your call' }).getAttribute('href')).toBe('/book-call')
})

test('WELC-04 help by email and by messaging app', async () => {
  await browser.open('/membership-success')
  const help = await screen.findByRole('region', { name: 'Need a hand?' })
  const addresses = [...help.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
  expect(addresses).toEqual(siteContent.coaches.flatMap(({ email, chat }) => [`mailto:${email}`, chat]))
})

test('WELC-06 a tier without weekly sessions is promised none', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/membership-success')
  await screen.findByRole('heading', { name: 'Your membership is active' })
  await screen.findByText('Training videos')
  expect(list('Alliance Lite includes')).toEqual(['Community access', 'Training videos'])
})

test('somebody without an active membership is told how it stands, and what leads on', async () => {
  browser.signIn(
    world.addMember({ membershipStartDate: '2024-03-09T12:00:00.000Z', subscription: { status: 'canceled' } }),
  )
  await browser.open('/membership-success')
  expect(await screen.findByText(/^Your membership (has )?ended.*pick up where you left off/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Reactivate' }).getAttribute('href')).toBe('/reactivate')
  expect(screen.queryByText('Your membership is active')).toBeNull()
  expect(screen.queryByText('Nearly there')).toBeNull()
})

test('a new member who corrects their address keeps reading what they log in with until it is confirmed', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ email: 'sam@exmaple.com' }))
  await browser.open('/membership-success')
  const email = await screen.findByLabelText('Email')
  fireEvent.input(email, { target: { value: 'sam@example.com' } })
  fireEvent.input(screen.getByLabelText('New password'), { target: { value: 'a-van-that-starts-42' } })
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }))
  const sentence = 'Open the link we emailed to sam@example.com. Until then, log in with sam@exmaple.com.'
  expect((await screen.findByText(sentence)).closest('[role="status"]')).not.toBeNull()
})

describe('what the page has said of a new member, once another tab', () => {
  async function inOtherTab(work: (tab: SyncSession) => Promise<unknown>) {
    const tab = createSession({ platform: createBrowserPlatform(), wipeTraces: async () => {} })
    await tab.start()
    await act(() => work(tab))
    tab.close()
  }

  beforeEach(async () => {
    browser.signIn(world.addMember({ email: 'sam@exmaple.com' }))
    await browser.open('/members')
    await screen.findByRole('link', { name: 'Logout' })
    await browser.open('/membership-success')
    fireEvent.input(await screen.findByLabelText('Email'), { target: { value: 'sam@example.com' } })
    fireEvent.input(screen.getByLabelText('New password'), { target: { value: 'a-van-that-starts-42' } })
    fireEvent.click(screen.getByRole('button', { name: 'Set the password' }))
    await screen.findByText(/^Open the link we emailed to sam@example\.com/)
  })

  test('has logged out, is gone', { tags: ['full'] }, async () => {
    await inOtherTab((tab) => tab.logout())
    await waitFor(() => expect(screen.getByRole('main').textContent).not.toContain('sam@'))
  })

  test('has logged in somebody else, makes way for their own form', { tags: ['full'] }, async () => {
    const next = world.addMember({ email: 'kim@example.com' })
    await inOtherTab((tab) => {
      browser.signIn(next)
      return tab.enter(next.id)
    })
    const email = await screen.findByLabelText<HTMLInputElement>('Email')
    expect(email.value).toBe('kim@example.com')
    expect(screen.getByRole('main').textContent).not.toContain('sam@')
  })
})

test('a member who owes a payment reads that first, and is led to pay it', async () => {
  browser.signIn(world.addMember({ firstName: 'Danny', subscription: { status: 'past_due' } }))
  await browser.open('/membership-success')
  expect(await screen.findByText(/^A? ?[Pp]ayment (is )?due.* You keep your access/)).toBeTruthy()
  expect(screen.getByRole('link', { name: /^Pay / }).getAttribute('href')).toBe('/reactivate')
  expect(screen.queryByText('Your membership is active')).toBeNull()
})

test('an owner is told that everything is open, and promised nothing', async () => {
  browser.signIn(world.addOwner())
  await browser.open('/membership-success')
  expect(await screen.findByText('You’re an owner, so everything’s open to you.')).toBeTruthy()
  expect(screen.queryByText('Nearly there')).toBeNull()
})

test('without signal a member is not told to log in, and sees it with the next try', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember({}))
  browser.setSignal(false)
  await browser.open('/membership-success')
  await screen.findByText('You need signal for this')
  expect(screen.queryByText('Log in to see your membership.')).toBeNull()
  browser.setSignal(true)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Your membership is active')).toBeTruthy()
})

test('nobody is asked to log in, and comes back here', async () => {
  await browser.open('/membership-success')
  const link = await screen.findByRole('link', { name: 'Log in' })
  expect(link.getAttribute('href')).toBe('/login?redirect=%2Fmembership-success')
  // We know nothing about this visitor, so we promise nothing.
  expect(screen.queryByRole('region', { name: /next steps/ })).toBeNull()
  expect(screen.queryByText(/confirm/i)).toBeNull()
})
