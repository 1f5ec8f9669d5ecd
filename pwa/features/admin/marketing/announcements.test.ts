import '#pwa/testing/window.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminAnnouncement } from '#shared/contract/admin-announcement.ts'

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

const path = '/api/admin/announcements'
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = async (label: RegExp, value: string) =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } })
const stored = async (): Promise<AdminAnnouncement[]> => (await other(path)).json()

test('an announcement is written with a preview, ended, and removed; its times are those of Britain', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/announcements')
  await screen.findByText('No announcements yet')
  await press('New announcement')
  await type(/^Title/, 'Shut on Monday')
  await type(/^Text/, 'Back on Tuesday.')
  const text = await screen.findByLabelText<HTMLTextAreaElement>(/^Text/)
  text.setSelectionRange(8, 15)
  await press('Bold')
  expect(text.value).toBe('Back on **Tuesday**.')
  text.setSelectionRange(0, 0)
  await press('Heading')
  expect(text.value).toBe('## Back on **Tuesday**.')
  expect(text.value.slice(text.selectionStart, text.selectionEnd)).toBe('Back on **Tuesday**.')
  await type(/^Text/, 'Back on **Tuesday**.')
  await type(/^From/, '1/6/2026 9:00')
  await type(/^Until/, '1 July 2026 17:30')
  fireEvent.click(await screen.findByLabelText(/XL/))
  await press('Preview')
  within(await screen.findByRole('region', { name: 'Preview' })).getByText('Tuesday')
  await press('Publish')
  const row = within(await screen.findByRole('row', { name: /Shut on Monday/ }))
  row.getByText('Showing')
  row.getByText('1 July 2026, 17:30')
  expect(await stored()).toMatchObject([
    { tiers: ['xl'], startsAt: '2026-06-01T08:00:00.000Z', endsAt: '2026-07-01T16:30:00.000Z' },
  ])
  await press('More for Shut on Monday')
  await press('End: Shut on Monday')
  await press('End it')
  await screen.findByText('Over')
  await press('More for Shut on Monday')
  await press('Delete: Shut on Monday')
  await press('Delete announcement')
  await screen.findByText('No announcements yet')
})

test('what HTML holds is refused under its field; the other owner’s change is shown beside this one’s', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/announcements')
  const body = { title: 'Shut', text: 'Words', startsAt: '2026-06-01T09:00:00Z', endsAt: '2026-07-01T09:00:00Z' }
  const { id } = await (await other(path, { body })).json()
  await browser.open('/admin/announcements')
  await press('Shut')
  await type(/^Text/, 'Read <b>this</b>')
  await press('Save announcement')
  await screen.findByText(/must be written without HTML/)
  await other(`${path}/${id}`, { method: 'PATCH', body: { title: 'Theirs', version: 1 } })
  await type(/^Text/, 'Mine')
  await press('Save announcement')
  await screen.findByText('Someone else changed this while you had it open')
  await press('Save mine')
  await screen.findByText('Announcement saved')
  expect(await stored()).toMatchObject([{ title: 'Shut', text: 'Mine', version: 3 }])
})
