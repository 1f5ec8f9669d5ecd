import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { londonDay } from '#shared/rules/london.ts'
import { periodName, quarterOf } from '#shared/rules/periods.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

test('an invoice is found by its number, person or amount, and leads to its page and its PDF', {
  tags: ['full'],
}, async () => {
  const today = londonDay(world.ctx.billingNow())
  const priya = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  addPaidMonth(world, priya, today)
  addPaidMonth(world, world.addMember({ firstName: 'Kelly', lastName: 'Byrne' }), today)
  const page = await browser.open('/admin/invoices?q=a-1')
  const link = await screen.findByRole('link', { name: /^A-1/ })
  expect(link.textContent).toBe('A-1 (opens in a new tab)')
  expect(screen.queryByRole('link', { name: /^A-2/ })).toBeNull()
  const pdf = screen.getByRole('link', { name: 'PDF: A-1' }).getAttribute('href')
  expect(pdf).toBe(`${link.getAttribute('href')}/pdf`)
  await page.go('/admin/invoices?q=%C2%A3300')
  await screen.findByRole('link', { name: /^A-2/ })
  await page.go('/admin/invoices?q=%C2%A3301')
  await screen.findByText('Nothing found')
  await page.go(`/admin/invoices?q=${priya.email}`)
  await screen.findByText('1 of 1')
  fireEvent.click(screen.getByRole('button', { name: /^Total/ }))
  await waitFor(() => expect(page.address()).toContain('sort=gross'))
})

test('invoices are narrowed by month, quarter, state and person, and the address keeps it', {
  tags: ['full'],
}, async () => {
  const today = londonDay(world.ctx.billingNow())
  const priya = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  addPaidMonth(world, priya, today)
  addPaidMonth(world, world.addMember({ firstName: 'Kelly', lastName: 'Byrne' }), today)
  const page = await browser.open('/admin/invoices')
  await screen.findByText('2 of 2')
  const period = screen.getByRole('combobox', { name: 'Period' })
  const quarter = quarterOf(today.slice(0, 7))
  await within(period).findByRole('option', { name: periodName(quarter) })
  fireEvent.change(period, { target: { value: quarter } })
  await waitFor(() => expect(page.address()).toContain(`period=${quarter}`))
  await screen.findByText('2 of 2')
  fireEvent.change(screen.getByRole('searchbox', { name: 'Person' }), { target: { value: 'shah' } })
  await screen.findByText('1 of 1')
  await waitFor(() => expect(page.address()).toContain('member=shah'))
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'credited' } })
  await screen.findByText('Nothing fits this filter')
  await page.go('/admin/invoices?period=2020-01')
  await screen.findByText('Nothing fits this filter')
})
