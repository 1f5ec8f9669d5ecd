import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { audienceAddress } from './mailing-texts.ts'

let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  const owner = world.addOwner()
  browser.signIn(owner)
  other = world.signIn(owner)
})
afterEach(() => browser.close())

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = async (label: RegExp, value: string) =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } })

test('a mailing is written while it is counted, looked at, tried, sent off, held and stopped', async () => {
  for (const firstName of ['Danny', 'Priya']) world.addMember({ firstName })
  await browser.open('/admin/mailings')
  await press('New campaign')
  const about = await screen.findByLabelText(/^What it’s about/)
  expect([about, screen.queryByText(/would get it now/)]).toEqual([expect.objectContaining({ value: '' }), null])
  await type(/^What it’s about/, 'news')
  await screen.findByText(/^0 of 2 would get it now. 2 left out: didn’t agree to news/)
  await type(/^Subject/, 'Workshop')
  await type(/^Text/, 'On **Friday**.')
  await type(/^What it’s about/, 'service')
  await screen.findByText('2 of 2 would get it now.')
  const months = [...(await screen.findByLabelText<HTMLSelectElement>('Joined in')).options].map(({ text }) => text)
  expect(months.slice(0, 3)).toEqual(['Any month', 'June 2026', 'May 2026'])
  await type(/^Joined in/, '2026-05')
  await screen.findByText('No one fits that audience right now.')
  await type(/^Joined in/, '')
  await screen.findByText('2 of 2 would get it now.')
  await press('Save and preview')
  await screen.findByRole('heading', { name: 'Workshop' })
  const danny = within(await screen.findByRole('row', { name: /Danny/ }))
  danny.getByText(/0 videos done/)
  danny.getByText('Yes', { selector: '.badge, .badge *' })
  await press(/^Preview as Danny/)
  const preview = await screen.findByRole('heading', { name: /^As Danny/ })
  await waitFor(() => expect(document.activeElement).toBe(preview))
  expect(screen.getByTitle('The email').getAttribute('src')).toMatch(/preview\?v=1&member=/)
  await press('Send me a test')
  await screen.findByText('Test on its way to you')
  await press('Send…')
  await press('Send 2 emails')
  await screen.findByText(/^2 not sent yet\./)
  await press('Pause')
  await screen.findByText('Paused')
  await press('Resume')
  await screen.findByText('On its way')
  await runJob(world.ctx, 'mailings')
  await waitFor(async () => {
    const [row] = await (await other('/api/admin/mailings')).json()
    expect(row.status).toBe('sent')
  })
  const queued = world.ctx.sqlite.prepare(`select count(*) from mail_outbox where cause like 'mailing:%'`).pluck().get()
  expect(queued).toBe(2)
})

test('a campaign is scheduled by one choice, which its button says, moved, and made a draft again', async () => {
  world.addMember({ firstName: 'Danny' })
  const body = { subject: 'Workshop', text: 'On Friday.', purpose: 'service', segment: {}, perMinute: 60 }
  const { id } = await (await other('/api/admin/mailings', { body })).json()
  await browser.open(`/admin/mailings?mailing=${id}`)
  await press('Send…')
  await screen.findByText('Email 1 person?')
  const when = await screen.findByLabelText('Send it')
  fireEvent.change(when, { target: { value: 'draft' } })
  await screen.findByRole('button', { name: 'Keep it as a draft' })
  fireEvent.change(when, { target: { value: 'time' } })
  await press('Schedule')
  await screen.findByText('Choose the day and time.')
  await type(/^Goes out on/, '1/12/2019 08:00')
  await press('Schedule for 1 December 2019, 08:00')
  await screen.findByText('That time has passed. Choose a later one.')
  await type(/^Goes out on/, '28/3/2039 09:00')
  screen.getByText(/^1 person would get it now\. We’ll count again when it goes/)
  await press('Schedule for 28 March 2039, 09:00')
  await screen.findByText('Goes out on 28 March 2039, 09:00. We’ll count who gets it then.')
  // Clocks go forward on the day before, so it's an hour earlier in UTC.
  expect((await (await other(`/api/admin/mailings/${id}`)).json()).sendAt).toBe('2039-03-28T08:00:00.000Z')
  await press('Change when…')
  await screen.findByRole('button', { name: 'Schedule for 28 March 2039, 09:00' })
  await type(/^Goes out on/, '26/3/2039 09:00')
  await press('Schedule for 26 March 2039, 09:00')
  await screen.findByText(/^Goes out on 26 March 2039, 09:00/)
  expect((await (await other(`/api/admin/mailings/${id}`)).json()).sendAt).toBe('2039-03-26T09:00:00.000Z')
  fireEvent.click(await screen.findByText('All campaigns'))
  await screen.findByText('26 March 2039, 09:00')
  fireEvent.click(await screen.findByText('Workshop', { selector: 'a, a *' }))
  await press('Cancel sending')
  await screen.findByText('It’s a draft again')
  await screen.findByRole('button', { name: 'Edit' })
})

test('a saved campaign that reaches no one says who’s left out and where to change that, before it is sent too', async () => {
  world.addMember()
  const body = { subject: 'Workshop', text: 'On Friday.', purpose: 'news', segment: {}, perMinute: 60 }
  const { id } = await (await other('/api/admin/mailings', { body })).json()
  await browser.open(`/admin/mailings?mailing=${id}`)
  const said = /^0 of 1 would get it now\. 1 left out: didn’t agree to news\. .*press Edit/
  await screen.findByText(said)
  await press('Send…')
  await within(await screen.findByRole('dialog', { name: 'No one to email yet' })).findByText(said)
})

test('where nobody could be counted, the question before sending says that, and not that nobody gets it', {
  tags: ['full'],
}, async () => {
  world.addMember()
  const body = { subject: 'Workshop', text: 'On Friday.', purpose: 'service', segment: {}, perMinute: 60 }
  const { id, segment } = await (await other('/api/admin/mailings', { body })).json()
  const { purpose, state } = audienceAddress({ segment, purpose: 'service' })
  browser.setDelivery(`/api/admin/mailing-audience/count?${new URLSearchParams({ purpose, state })}`, 'lose-request')
  await browser.open(`/admin/mailings?mailing=${id}`)
  await press('Send…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Send now?' }))
  await dialog.findByText('We couldn’t count who gets it.')
  expect([dialog.queryByText(/No one would/), dialog.queryByRole('button', { name: /^Send / })]).toEqual([null, null])
})

test('a mail that goes by itself is switched on in other words, which the content keeps; a wrong link is refused', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/follow-ups')
  await press('Change: Coming back')
  await type(/^Text/, '[Back](javascript:alert(1))')
  await press('Save')
  await screen.findByText(/has a link that doesn’t start with https/)
  await type(/^Text/, 'We kept your place.')
  fireEvent.click(await screen.findByLabelText('Switched on'))
  await press('Save')
  await screen.findByText('It goes out automatically.')
  const { overrides } = await (await other('/api/admin/content/follow-ups')).json()
  expect(overrides.map(({ entry }: { entry: string }) => entry)).toEqual(['coming-back.isOn', 'coming-back.text'])
  within(await screen.findByRole('row', { name: /Coming back/ })).getByText('On')
})

test('a mail that is opened again before the list has come is as it was just saved', { tags: ['full'] }, async () => {
  await browser.open('/admin/follow-ups')
  await press('Change: Coming back')
  browser.setDelivery('/api/admin/follow-ups', 'lose-request')
  await type(/^Text/, 'We kept your place.')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Change: Coming back')
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Text/)).value).toBe('We kept your place.')
  await type(/^Text/, 'Your place is kept.')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
