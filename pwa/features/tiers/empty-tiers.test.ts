import '#pwa/testing/window.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const requests = () => browser.network.sent.filter(({ path }) => path === '/api/membership-tiers').length

test('TIER-15 an empty list says so, and Retry asks the site again at once', async () => {
  world.ctx.sqlite.exec('update membership_tiers set isActive = 0, isDefault = 0')
  await browser.open('/membership-tiers')
  await screen.findByText('No membership tiers available at the moment.')
  expect(requests()).toBe(1)
  world.ctx.sqlite.exec("update membership_tiers set isActive = slug <> 'mastermind'")
  invalidateResponses(world.ctx)
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('button', { name: 'JOIN ALLIANCE LITE' })
  expect(requests()).toBe(2)
  expect(screen.queryByText('No membership tiers available at the moment.')).toBeNull()
})
