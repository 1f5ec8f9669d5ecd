import '#pwa/testing/window.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { formatMonthAndYear, londonDay } from '#shared/rules/london.ts'

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

test('MRR-1 ADMN-5 ENT-19 CALLS-12 each subscription says by which rule it counts or is dropped, one click from the card', async () => {
  const priya = world.addMember({ firstName: 'Priya', lastName: 'Shah', tier: 'standard' })
  world.addMember({ firstName: 'Gareth', lastName: 'Lloyd', tier: 'standard', subscription: { status: 'unpaid' } })
  const page = await browser.open('/admin')
  fireEvent.click(await screen.findByRole('link', { name: 'See MRR by subscription' }))
  await screen.findByRole('row', { name: /Paying: counted/ })
  expect((await cells(/^Priya Shah/)).slice(1, 3)).toEqual(['£250.00', 'Paying: counted'])
  const link = screen.getByRole('link', { name: 'Priya Shah' })
  expect(link.getAttribute('href')).toBe(`/admin/members/${priya.id}`)
  expect((await cells(/^Gareth Lloyd/)).slice(1, 3)).toEqual(['£0.00', 'Payments failed for good: not counted'])
  expect(page.address()).toBe('/admin/revenue')
})

test('the months are a table with every movement, and say whether they can still change', async () => {
  await browser.open('/admin/revenue')
  const month = formatMonthAndYear(londonDay(world.ctx.billingNow()))
  const shown = (await cells(new RegExp(`^${month}`)))[0]
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  for (const name of ['New', 'Reactivations', 'Upgrades', 'Downgrades', 'Churn: cancelled', 'Churn: failed payment'])
    expect(heads).toContain(name)
  expect(shown).toBe(`${month}Open`)
})

test('months that cannot be read say so', async () => {
  browser.setDelivery('/api/admin/revenue-months?limit=240', { status: 500, body: {} })
  await browser.open('/admin/revenue')
  await screen.findByText('Not up to date')
})
