import '#pwa/testing/window.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { press } from '#pwa/testing/input.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { MemberInvitation } from '#shared/contract/member-invitations.ts'
import { fillApplication } from './testing/application.ts'

let world: World
let browser: Browser
let owner: Call
let crew: AdminTier
beforeEach(async () => {
  world = startWorld()
  browser = createBrowser(world)
  owner = world.signIn(world.addOwner())
  const prices = [
    { every: 'month', net: 20_000 },
    { every: 'year', net: 200_000 },
  ]
  const texts = { name: 'Crew', description: 'Firms of five', features: ['Videos'] }
  const more = { isShown: false, isByInvitation: true }
  crew = await (await owner('/api/admin/tiers', { body: { ...texts, ...more, prices } })).json()
  const usual = browser.network.fetch
  browser.network.fetch = (path, init) =>
    path === '/api/create-subscription' ? new Promise(() => {}) : usual(path, init)
})
afterEach(() => browser.close())

const yearOf = ({ prices }: AdminTier) => prices.find(({ every }) => every === 'year')?.id

async function invite(): Promise<string> {
  const body = {
    email: 'sam@example.com',
    firstName: 'Sam',
    lastName: 'Field',
    tierSlug: 'crew',
    priceId: yearOf(crew),
  }
  const { url }: MemberInvitation = await (await owner('/api/admin/invitations', { body })).json()
  return `/membership-application${new URL(url).search}`
}
async function openInvitation(): Promise<void> {
  await browser.open(await invite())
  await screen.findByLabelText('Goals')
}
const stop = (every: string) =>
  owner('/api/admin/tiers/crew/price/offer', { method: 'DELETE', body: { every, version: crew.version } })
const applications = () => world.ctx.sqlite.prepare('select selectedTier from membership_applications').all()

test('JOIN-08 who’s invited by the year to a tier that isn’t among the cards sees that price, and joins at it', async () => {
  await openInvitation()
  expect(screen.getByLabelText('Your tier').textContent).toContain('£2,400.00 a year')
  fillApplication()
  press('Continue to tiers')
  await screen.findByText('Continue with Crew')
  expect(screen.queryByText(/you can ask for a place here/)).toBeNull()
  press('Continue with Crew')
  await screen.findByText('Ready for Payment!')
  expect(applications()).toEqual([{ selectedTier: 'crew' }])
  expect(screen.getByText('Crew, per year')).toBeTruthy()
})

test('a price that’s stopped before the link is opened is said, and the tier’s other one is there', async () => {
  const link = await invite()
  await stop('year')
  await browser.open(link)
  await screen.findByText('The price has changed. Please choose your tier again.')
  await waitFor(() => expect(screen.getByLabelText('Your tier').textContent).toContain('£240.00 a month'))
})

test('one that’s stopped while the page is open is refused with that sentence; nothing typed is lost, and the next press goes on', async () => {
  await openInvitation()
  fillApplication()
  press('Continue to tiers')
  await screen.findByText('Continue with Crew')
  expect((await stop('year')).status).toBe(200)
  press('Continue with Crew')
  await screen.findByText('The price has changed. Please choose your tier again.')
  await waitFor(() => expect(screen.getAllByRole('article')[0]?.textContent).toContain('£200'))
  expect(applications()).toEqual([])
  press('Continue with Crew')
  await screen.findByText('Ready for Payment!')
  expect(applications()).toEqual([{ selectedTier: 'crew' }])
  expect(screen.getByText('Crew, per month')).toBeTruthy()
})
