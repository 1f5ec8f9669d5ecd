import '#pwa/testing/window.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
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

const rowsOf = async (table: string) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))

test('the months are a table with every movement, and say whether they can still change', async () => {
  await browser.open('/admin/revenue')
  const month = formatMonthAndYear(londonDay(world.ctx.billingNow()))
  const [shown] = (await rowsOf('MRR by month'))[0] ?? []
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  for (const name of ['New', 'Reactivations', 'Upgrades', 'Downgrades', 'Churn: cancelled', 'Churn: failed payment'])
    expect(heads).toContain(name)
  expect(shown).toBe(`${month}Open`)
  // One month is no line.
  screen.getByText(`MRR is £0. ${month} is your first month.`)
  expect(document.querySelector('figure.chart')).toBeNull()
})

/** A member whose MRR is this from that month on. */
function addPaying(after: number, month: string) {
  world.addMember()
  const [row] = world.ctx.db.select().from(subscriptions).all().slice(-1)
  const at = `${month}-10T09:00:00.000Z`
  insertRow(world.ctx, revenueChanges, {
    id: world.ctx.newId(),
    customerId: row?.customerId ?? '',
    subscriptionId: row?.id ?? '',
    kind: 'new',
    tierSlug: 'standard',
    beforeYearly: 0,
    afterYearly: after * 12,
    at,
    month,
    createdAt: at,
  })
}

test('MRR is a line beside last month, over 12 or 24 months by the address; figures come with their formulas', async () => {
  addPaying(20_000, '2025-01')
  addPaying(45_000, '2026-06')
  const page = await browser.open('/admin/revenue')
  await screen.findByText('MRR is £650: £450 more than last month, and £450 more than in July 2025.')
  screen.getByRole('img', { name: /^MRR by month\. From July 2025 £200 to June 2026 £650\./ })
  // By pointing, pressing or the arrow keys, a month says its value.
  const slider = screen.getByRole('slider', { name: 'MRR by month, one by one' })
  expect(slider.getAttribute('aria-valuetext')).toBe('June 2026: £650')
  fireEvent.change(slider, { target: { value: '0' } })
  expect(slider.getAttribute('aria-valuetext')).toBe('July 2025: £200')
  screen.getByText('July 2025: £200')
  // Only one of these months has changes.
  screen.getByText('Changes by month. June 2026: New £450.')
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: '24' } })
  await screen.findByRole('img', { name: /^MRR by month\. From January 2025 £200 to June 2026 £650\./ })
  screen.getByRole('img', { name: 'Changes by month. Over 18 columns: New £650.' })
  expect(page.address()).toBe('/admin/revenue?show=24')
  expect((await rowsOf('Key figures')).slice(0, 2)).toEqual([
    ['June 2026Open', '+£450.00', '0%', '0%', '–', '£325.00'],
    ['May 2026Open', '£0.00', '0%', '0%', '–', '£200.00'],
  ])
  screen.getByText('Fewer than 20 paying customers')
  screen.getByText(/^Average per member ÷ average monthly member churn over the last 6 full months/)
  expect(await rowsOf('Retention by joining month')).toHaveLength(2)
})

test('months that cannot be read say so', { tags: ['full'] }, async () => {
  browser.setDelivery('/api/admin/revenue-months?limit=240', { status: 500, body: {} })
  await browser.open('/admin/revenue')
  await screen.findByText('Not up to date')
})
