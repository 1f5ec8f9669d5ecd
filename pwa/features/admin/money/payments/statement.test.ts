import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { londonMonth } from '#shared/rules/london.ts'
import { monthName } from './payment-texts.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const cells = async (name: RegExp) =>
  [...(await screen.findByRole('row', { name })).querySelectorAll('td')].map(({ textContent }) => textContent)

test('MRR-1 a month’s statement has its sums, its lines, a CSV and a PDF; another month is chosen in the address', {
  tags: ['full'],
}, async () => {
  const month = londonMonth(world.ctx.billingNow())
  const priya = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  addPaidMonth(world, priya, `${month}-02`)
  const page = await browser.open(`/admin/statements?show=${month}`)
  expect((await cells(/^CommissionPriya Shah/)).slice(-4)).toEqual(['£250.00', '10%', '£25.00', expect.any(String)])
  const link = screen.getByRole('link', { name: 'Priya Shah' })
  expect(link.getAttribute('href')).toBe(`/admin/members/${priya.id}`)
  expect(await cells(/^Owed to /)).toEqual(['Owed to Sales partner', '£25.00'])
  const files = ['CSV', 'PDF'].map((name) => screen.getByRole('link', { name }).getAttribute('href'))
  const file = `/api/admin/commission-statements/${month}?format=`
  expect(files).toEqual([`${file}csv`, `${file}pdf`])
  await page.go('/admin/statements?show=2026-01')
  await screen.findByText('Nothing was earned in January 2026.')
  expect(await cells(/^Owed at the start of the month/)).toEqual(['£0.00'])
})

test('a statement’s files of more than 200 lines ask for the password', { tags: ['full'] }, async () => {
  const month = londonMonth(world.ctx.billingNow())
  for (let count = 0; count <= 200; count += 1) addPaidMonth(world, world.addMember(), `${month}-02`)
  browser.signIn(addWithPassword(world, { isAdmin: true }))
  world.forward(11 * 60_000)
  await browser.open(`/admin/statements?show=${month}`)
  const fetched: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    fetched.push(this.href)
  })
  fireEvent.click(await screen.findByRole('button', { name: 'CSV' }))
  const asked = within(await screen.findByRole('form', { name: 'Your password' }))
  expect(fetched).toEqual([])
  fireEvent.change(asked.getByLabelText(/Your password/), { target: { value: password } })
  fireEvent.submit(screen.getByRole('form', { name: 'Your password' }))
  await waitFor(() => expect(fetched).toEqual([expect.stringContaining(`${month}?format=csv`)]))
  vi.restoreAllMocks()
})

test('a statement that cannot be read says so', { tags: ['full'] }, async () => {
  const month = londonMonth(world.ctx.billingNow())
  browser.setDelivery(`/api/admin/commission-statements/${month}?format=json&limit=1`, { status: 500, body: {} })
  await browser.open(`/admin/statements?show=${month}`)
  await screen.findByText('We couldn’t load the statement.')
  expect(screen.getByRole('combobox', { name: 'Month' })).toMatchObject({ value: month })
  await screen.findByText(`Nothing was earned in ${monthName(month)}.`)
})
