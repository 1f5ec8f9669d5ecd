import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { unsubscribeUrl } from '#api/mail/choices.ts'
import { addWithPassword, logIn, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import { createSession } from '#pwa/sync/session/session.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  danny = addWithPassword(world, { email: 'danny@example.com', accessOverride: 'granted' })
})
afterEach(() => browser.close())

const isIn = async (call: Call) => (await call('/api/auth/user')).status === 200
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const database = async () => (await indexedDB.databases()).map((kept) => kept.name ?? '').sort()

test('V7 from Profile to the devices: one that is lost is signed out, and deletes what it kept', {
  tags: ['full'],
}, async () => {
  const lost = world.signIn(danny)
  browser.cookie = lost.cookie
  await browser.open('/members')
  await screen.findByRole('heading', { level: 1, name: 'DANNY' })
  world.forward(60_000)
  const here = world.signIn(danny)
  browser.cookie = here.cookie
  await browser.open('/members?tab=profile')
  fireEvent.click(await screen.findByRole('link', { name: 'Devices' }))
  await screen.findByText('This device')
  await press('Log out A browser')
  await screen.findByText('1 device logged out.')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Log out A browser' })).toBeNull())
  expect([await isIn(lost), await isIn(here)]).toEqual([false, true])
  expect(await database()).toContain(`alliance-member-${danny.id}`)
  browser.cookie = lost.cookie
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'You’re logged out' })
  screen.getByText(/^We’ve logged you out, or you did on another device\./)
  await waitFor(async () => expect(await database()).toEqual(['alliance-device']))
})

test('V7 a page of the account, too, says that this device was signed out from another one', async () => {
  const lost = world.signIn(danny)
  browser.cookie = lost.cookie
  const page = await browser.open('/members')
  await screen.findByRole('heading', { level: 1, name: 'DANNY' })
  await world.signIn(danny)('/api/user/sessions/revoke', { body: { others: true } })
  await page.go('/members/devices')
  await screen.findByRole('heading', { name: 'You’re logged out' })
  screen.getByText(/^We’ve logged you out, or you did on another device\./)
  const login = within(screen.getByRole('main')).getByRole('link', { name: 'Log in' })
  expect(login.getAttribute('href')).toBe('/login?redirect=%2Fmembers%2Fdevices')
})

test('V7 a changed password signs every other device out', { tags: ['full'] }, async () => {
  browser.signIn(danny)
  const van = world.signIn(danny)
  await browser.open('/members/sign-in')
  const newPassword = 'a-van-that-starts-42'
  fireEvent.input(await screen.findByLabelText('Current password'), { target: { value: 'not-my-password' } })
  fireEvent.input(screen.getByLabelText('New password'), { target: { value: newPassword } })
  await press('Change the password')
  await screen.findAllByText('That’s not your password. Check it and try again.')
  fireEvent.input(screen.getByLabelText('Current password'), { target: { value: password } })
  await press('Change the password')
  await screen.findByText('Password changed')
  expect(await isIn(van)).toBe(false)
  expect((await logIn(world.call, { email: danny.email, password: newPassword })).status).toBe(200)
})

test('pages below the members’ area have their heading for a title; an address without a page says so instead of staying blank', {
  tags: ['full'],
}, async () => {
  browser.signIn(danny)
  for (const [place, heading] of [
    ['sign-in', 'Logging in'],
    ['devices', 'Devices'],
    ['activity', 'Your activity'],
    ['data', 'Your data'],
    ['mails', 'Email choices'],
    ['storage', 'Storage'],
    ['sync', 'What’s been sent'],
    ['calls', 'Your calls'],
    ['confirm-address', 'Confirm your new email'],
  ]) {
    await browser.open(`/members/${place}`)
    await screen.findByRole('heading', { level: 1, name: heading })
    await waitFor(() => expect(document.title.split(':')[0]).toBe(heading))
  }
  await browser.open('/members/no-such-place')
  await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })
  await waitFor(() => expect(document.title).toMatch(/^404 Page Not Found \| /))
  expect(screen.getByRole('main')).toBeDefined()
})

test('a page of the account needs a login, and signal, and says so', async () => {
  await browser.open('/members/devices')
  await screen.findByText('Access Required')
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login?redirect=%2Fmembers%2Fdevices')
  expect(screen.queryByRole('link', { name: 'Logout' })).toBeNull()
  browser.signIn(danny)
  browser.setSignal(false)
  await browser.open('/members/devices')
  await screen.findByText('No signal')
  screen.getByRole('link', { name: 'Logout' })
  browser.setSignal(true)
  await press('Retry')
  await screen.findByText('This device')
})

test('the link to a new address changes it by a press, and the one to the old address takes it back', {
  tags: ['full'],
}, async () => {
  const wanted = 'danny@marsh.example'
  const own = world.signIn(danny)
  await own('/api/auth/proof', { body: { password } })
  await own('/api/user/profile', { method: 'PATCH', body: { email: wanted } })
  const mailedTo = async (to: string) => {
    await runJob(world.ctx, 'mail')
    const text = world.ctx.sqlite.prepare<[string], string>(
      'select text from mail_outbox where "to" = ? order by id desc',
    )
    return /\/members\/\S+/.exec(text.pluck().get(to) ?? '')?.[0] ?? ''
  }
  await browser.open(await mailedTo(wanted))
  await press('Confirm this address')
  await screen.findByText(`Use ${wanted} to log in from now on. We’ll email you there.`)
  const undo = await mailedTo(danny.email)
  await browser.open(undo)
  await press('Undo the change')
  const next = await screen.findByRole('link', { name: 'Set a new password' })
  expect(next.getAttribute('href')).toMatch(/^\/reset-password\?token=/)
  await browser.open(undo)
  await press('Undo the change')
  await screen.findByText('This link no longer works')
  screen.getByText('It’s been used, is too old, or someone has bought a membership with the account since. Contact us.')
  expect(screen.getByRole('link', { name: 'Contact us' }).getAttribute('href')).toBe('/contact')
})

test('V7 my activity lists sign-ins, changes, and an owner’s view with the reason', async () => {
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.id}`, { body: { reason: 'They rang about a film' } })
  await owner('/api/admin/stop-impersonating', { method: 'POST' })
  browser.signIn(danny)
  await browser.open('/members/activity')
  await screen.findByText('Viewed the site as you')
  expect(screen.getByText('Reason: They rang about a film')).toBeTruthy()
  expect(screen.getAllByText(/^Olive Hart, 12 June 2026, 08:40$/)).toHaveLength(2)
})

test('mails that a member may do without are chosen, and stopped by the link in one', async () => {
  browser.signIn(danny)
  await browser.open('/members/mails')
  const reminders = await screen.findByRole('checkbox', { name: 'A reminder the day before a call' })
  expect(reminders).toHaveProperty('checked', true)
  fireEvent.click(reminders)
  await screen.findByText('Email choice saved')
  expect(reminders).toHaveProperty('checked', false)
  await browser.open(new URL(unsubscribeUrl(world.ctx, { userId: danny.id, purpose: 'card-expiry' })).href.slice(21))
  await press('Stop these emails')
  await screen.findByText(/^We’ve stopped sending you these: a warning before your card expires/)
  expect(await (await world.signIn(danny)('/api/user/mail-choices')).json()).toEqual([
    { purpose: 'call-reminder', isWanted: false },
    { purpose: 'card-expiry', isWanted: false },
    { purpose: 'check-in', isWanted: true },
    { purpose: 'news', isWanted: false },
  ])
})

test('V8 a copy of everything is saved; the account is deleted after one more press, and nothing of it stays here', async () => {
  const saved: string[] = []
  URL.createObjectURL = () => 'blob:copy'
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download)
  }
  browser.signIn(danny)
  await browser.open('/members/data')
  await press('Download a copy')
  await screen.findByText('Saved as my-data-2026-06-12.zip.')
  expect(saved).toEqual(['my-data-2026-06-12.zip'])
  await screen.findByText('None. If you cancel, you’ll find our confirmation here.')
  await press('Delete my account')
  await press('Keep my account')
  await press('Delete my account')
  await press('Delete for good')
  await screen.findByText('Account deleted')
  expect(await isIn(world.signIn(world.addUser()))).toBe(true)
  expect((await logIn(world.call, danny)).status).toBe(401)
  await waitFor(async () => expect(await database()).toEqual(['alliance-device']))
})

test('MEMB-10 what another tab has logged out shows here no longer, on the pages that ask the server too', {
  tags: ['full'],
}, async () => {
  browser.signIn(danny)
  for (const [place, shown] of [
    ['devices', 'This device'],
    ['data', 'Everything about you'],
    ['sign-in', 'Current password'],
  ] as const) {
    browser.signIn(danny)
    await browser.open(`/members/${place}`)
    await screen.findAllByText(new RegExp(shown))
    const otherTab = createSession({ platform: createBrowserPlatform(), wipeTraces: async () => {} })
    await otherTab.start()
    await act(() => otherTab.logout())
    otherTab.close()
    await screen.findByText('Log in to see this.')
    expect([place, screen.queryAllByText(new RegExp(shown))]).toEqual([place, []])
  }
})
