import '#pwa/testing/window.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

test('MRR-7 a rate is set from a day on; none reaches back behind what is booked, and an empty one is no rate', async () => {
  const today = londonDay(world.ctx.billingNow())
  addPaidMonth(world, world.addMember(), today)
  await browser.open('/admin/rates')
  await screen.findAllByText('The start')
  fireEvent.click(screen.getByRole('button', { name: 'Set rate' }))
  const dialog = within(await screen.findByRole('dialog'))
  const fill = (label: string, value: string) => fireEvent.input(dialog.getByLabelText(label), { target: { value } })
  const send = () => fireEvent.click(dialog.getByRole('button', { name: 'Set rate' }))
  fireEvent.change(dialog.getByLabelText('Tier'), { target: { value: 'standard' } })
  fill('First day *', today)
  send()
  await dialog.findByText('Give a whole number from 0 to 100.')
  fill('Rate (%) *', '12')
  send()
  await dialog.findByText(/^Commission is worked out up to /)
  expect(dialog.getByLabelText('Rate (%) *')).toMatchObject({ value: '12' })
  const tomorrow = addDays(today, 1)
  fill('First day *', tomorrow)
  send()
  const row = await screen.findByRole('row', { name: new RegExp(formatLongDate(tomorrow)) })
  expect(row.textContent).toBe(`Alliance12%${formatLongDate(tomorrow)}`)
})
