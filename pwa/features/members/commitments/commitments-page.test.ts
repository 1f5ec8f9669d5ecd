import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(async () => {
  vi.useRealTimers()
  await browser.close()
})

/** The coach suggests these. */
async function suggested(...texts: string[]) {
  const member = world.addMember()
  const owner = world.signIn(world.addOwner())
  const day = addDays(londonDay(new Date()), 1)
  for (const text of texts) {
    const body = { id: world.ctx.newId(), text, day }
    expect((await owner(`/api/admin/members/${member.id}/commitments`, { body })).status).toBe(200)
  }
  browser.signIn(member)
}

const rowIn = async (part: string, text: string) => {
  const row = (await within(await screen.findByRole('region', { name: part })).findByText(text)).closest('li')
  return within(row ?? document.body)
}

async function press(part: string, text: string, name: string) {
  const button = (await rowIn(part, text)).getByRole('button', { name })
  button.focus()
  fireEvent.click(button)
}

const focused = () => [
  document.activeElement?.textContent,
  document.activeElement?.closest('li')?.querySelector('p')?.textContent,
]

test('a suggestion goes on the list with the focus, and one that’s turned down stays where one press undoes it', async () => {
  await suggested('Ring three builders', 'Send me your prices')
  await browser.open('/members/commitments')
  await press('Your coach suggests', 'Ring three builders', 'Yes, I’ll do it')
  await rowIn('To do', 'Ring three builders')
  await waitFor(() => expect(focused()).toEqual(['Done', 'Ring three builders']))
  await press('Your coach suggests', 'Send me your prices', 'Not for me')
  const undo = 'Put it on my list'
  await waitFor(() => expect(focused()).toEqual([undo, 'Send me your prices']))
  await press('Your coach suggests', 'Send me your prices', undo)
  await rowIn('To do', 'Send me your prices')
  await waitFor(() => expect(focused()).toEqual(['Done', 'Send me your prices']))
})

test('a page that stays open over night says tomorrow what’s for then', async () => {
  await suggested('Ring three builders')
  await browser.open('/members/commitments')
  await press('Your coach suggests', 'Ring three builders', 'Yes, I’ll do it')
  await (await rowIn('To do', 'Ring three builders')).findByText('By tomorrow')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 })
  for (const name of ['Done', 'Not done yet']) {
    await (await rowIn('To do', 'Ring three builders')).findByRole('button', { name })
    await press('To do', 'Ring three builders', name)
  }
  await (await rowIn('To do', 'Ring three builders')).findByText('Today’s the day')
})

test('a day that has passed isn’t taken, and says so', async () => {
  await suggested('Ring three builders')
  await browser.open('/members/commitments')
  await press('Your coach suggests', 'Ring three builders', 'Yes, I’ll do it')
  const row = await rowIn('To do', 'Ring three builders')
  fireEvent.click(row.getByRole('button', { name: 'Change the day' }))
  const day = row.getByLabelText('New day')
  for (const [typed, says] of [
    ['1/11/2020', 'Choose today or a later day.'],
    ['24/12/2099', 'By Thursday 24 December 2099'],
  ] as const) {
    fireEvent.change(day, { target: { value: typed } })
    fireEvent.blur(day)
    await row.findByText(says)
  }
})

test('the first screen says whose they are: suggestions alone are from the coach', async () => {
  await suggested('Ring three builders')
  await browser.open('/members')
  const first = within(await screen.findByRole('region', { name: 'From your coach' }))
  first.getByRole('link', { name: 'Your coach suggests 1 thing' })
  await browser.open('/members/commitments')
  await press('Your coach suggests', 'Ring three builders', 'Yes, I’ll do it')
  await browser.open('/members')
  within(await screen.findByRole('region', { name: 'You said you’d do' })).getByText('Ring three builders')
})
