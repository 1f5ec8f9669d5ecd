import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coachingApplication, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const tick = async (name: string) => fireEvent.click(await screen.findByLabelText(`Choose ${name}`))
const dialog = () => within(screen.getByRole('dialog'))

test('chosen applications are marked once confirmed by name; what the other owner set meanwhile stays, and is named', async () => {
  for (const name of ['Ann Lee', 'Bob Day', 'Cat Orr'])
    await world.call('/api/coaching-application', { body: { ...coachingApplication, name } })
  await browser.open('/admin/coaching')
  await tick('Ann Lee')
  await tick('Bob Day')
  press('Mark them')
  expect(dialog().getByText('Bob Day, Ann Lee')).toBeTruthy()
  world.ctx.sqlite.exec(`update coaching_applications set status = 'rejected' where name = 'Bob Day'`)
  fireEvent.change(dialog().getByLabelText('Mark as'), { target: { value: 'approved' } })
  expect(screen.getByRole('dialog').textContent).toContain('Mark 2 applications?')
  fireEvent.click(dialog().getByRole('button', { name: 'Mark them' }))
  await dialog().findByText('Not done for 1 of them. They are still selected.')
  expect(dialog().getByText(/Bob Day: This was set to “rejected” meanwhile/)).toBeTruthy()
  expect(rowsOf(world, 'coaching_applications').map(({ name, status }) => `${name} ${status}`)).toEqual([
    ...['Ann Lee approved', 'Bob Day rejected', 'Cat Orr pending'],
  ])
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Mark 1 application?'))
})

test('messages that were answered by phone are marked together, and leave the list of those that wait', async () => {
  await world.call('/api/contact', { body: contactMessage })
  await browser.open('/admin/contacts?show=unanswered')
  await tick('Sam Field')
  press('Mark as answered')
  fireEvent.click(dialog().getByRole('button', { name: 'Mark as answered' }))
  await screen.findByText('1 message marked')
  await screen.findByText('Nothing found')
  expect(rowsOf(world, 'inbox_notes')).toMatchObject([{ about: 'contacts', kind: 'note', text: 'Answered.' }])
})

test('the file of a short list holds its rows as they are worded on the screen', async () => {
  const files: Blob[] = []
  const makeAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:x'
  })
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByRole('button', { name: 'CSV: tiers' }))
  const [first, second, third] = (await files[0]?.text())?.split('\r\n') ?? []
  expect([first?.replace('\uFEFF', ''), second?.slice(0, 14), third?.endsWith('£250.00 + VAT')]).toEqual([
    ...['Tier,Shown,Members,Price a month', 'Alliance Lite:', true],
  ])
  makeAddress.mockRestore()
})
