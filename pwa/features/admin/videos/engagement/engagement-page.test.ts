import { relational } from '#api/db/tables.ts'
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { videoPositions } from '#api/db/schema/videos.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { deviceStorage, ownersDeviceKey } from '#pwa/lib/storage.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { CountKind } from '#shared/contract/analytics.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
  // Or the test’s own visit would be counted, at an address outside the admin.
  deviceStorage.setItem(ownersDeviceKey, 'yes')
})
afterEach(() => browser.close())

const today = () => londonDay(world.ctx.now())
const count = (kind: CountKind, key: string, of: number, daysAgo = 0) =>
  insertRow(world.ctx, dailyCounts, { kind, key, count: of, day: addDays(today(), -daysAgo) })
const rowsOf = async (caption: string) =>
  within(await screen.findByRole('table', { name: caption }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

test('each drawing is a table too: visits, the way to a membership, forms, sources and pages', {
  tags: ['full'],
}, async () => {
  count('source', 'google', 30)
  count('source', 'direct', 10, 2)
  count('page_view', '/', 35)
  count('page_view', '/membership-application', 20)
  count('form_begun', 'membership', 8)
  count('form_begun', 'contact', 4)
  count('form_submit', 'contact', 3)
  await browser.open('/admin/watching')
  expect((await rowsOf('From visit to membership')).slice(0, 4)).toEqual([
    ['Visits to the site', '40', ''],
    ['Opened the application', '20', '50%'],
    ['Started filling it in', '8', '40%'],
    ['Sent it', '0', '0%'],
  ])
  expect(await rowsOf('Forms')).toContainEqual(['Message to the coaches', '4', '3', '75%'])
  expect(await rowsOf('Where visits come from')).toEqual([
    ['Google', '30', '75%'],
    ['Typed in or bookmarked', '10', '25%'],
  ])
  expect((await rowsOf('Pages'))[0]).toEqual(['Home', '35', '64%'])
  const days = await rowsOf('Visits')
  expect([days.length, days.at(-1)?.slice(1)]).toEqual([30, ['30', '55']])
  const drawings = document.querySelectorAll('figure.chart')
  expect(drawings.length).toBeGreaterThan(3)
  screen.getByText('40 visits, 40 more than in the 30 days before.')
  screen.getByText('Google leads with 75%.')
  expect(screen.getByRole('img', { name: /^Visits\. From .* The highest is .* 30\.$/ })).toBeTruthy()
})

test('the days are in the address; a long range is added up by the month; without visits it says so', {
  tags: ['full'],
}, async () => {
  const page = await browser.open('/admin/watching')
  await screen.findByText('No visits on these days')
  await screen.findByText('No payments yet')
  count('source', 'google', 5, 100)
  fireEvent.change(screen.getByLabelText('Days'), { target: { value: '365' } })
  await waitFor(async () => expect((await rowsOf('Visits')).length).toBeLessThan(14))
  expect(page.address()).toContain('from=')
})

test('a video says who began it and where they stop, and its file has the same figures', async () => {
  const [video = { id: '', title: '' }] = world.addVideos()
  world.ctx.sqlite.prepare('update member_videos set duration = 10').run()
  insertRow(world.ctx, videoPositions, {
    userId: world.addMember().id,
    videoId: video.id,
    seconds: 150,
    at: world.ctx.now().toISOString(),
    deviceId: 'van',
  })
  const files: Blob[] = []
  const makeAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:x'
  })
  // jsdom can’t download.
  const saving = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await browser.open('/admin/watching')
  const played = (await rowsOf('Videos')).filter(([, started]) => started === '1')
  expect(played.map((cells) => cells.slice(1))).toEqual([['1', '0', '0%', ' most at 20% to 30%']])
  fireEvent.click(screen.getByRole('button', { name: 'CSV: videos' }))
  expect(await files[0]?.text()).toContain(',1,0,0%,0 0 1 0 0 0 0 0 0 0')
  makeAddress.mockRestore()
  saving.mockRestore()
})

const join = (firstName: string, more: object = {}) =>
  world.addMember({ firstName, phone: '07700 900123', membershipStartDate: '2026-01-05T09:00:00.000Z', ...more })

test('members at risk: why, and the next step one press away', async () => {
  const member = join('Ann', { tier: 'lite' })
  const customer = relational(world.ctx.db).query.customers.findFirst().sync()
  insertRow(world.ctx, paymentMethods, {
    customerId: customer?.id ?? '',
    stripePaymentMethodId: 'pm_1',
    type: 'card',
    expYear: 2026,
    expMonth: 6,
    updatedAt: world.ctx.now().toISOString(),
  })
  join('Bob', { tier: 'standard' })
  await browser.open('/admin/today')
  const part = within(await screen.findByRole('region', { name: 'Members at risk' }))
  part.getByText('2')
  fireEvent.click(part.getByRole('link', { name: 'See who, and what to do' }))
  const rows = within(await screen.findByRole('table', { name: 'Members at risk' }))
  await rows.findByText('Card expiring: works until the end of June 2026')
  const mail = rows.getByRole('link', { name: 'Email Ann Marsh' }).getAttribute('href') ?? ''
  expect(decodeURIComponent(mail)).toMatch(
    new RegExp(`^mailto:${member.email}\\?subject=Your card is about to expire&body=Hi Ann,`),
  )
  expect(rows.getByRole('link', { name: 'Ring Ann Marsh, 07700 900123' }).getAttribute('href')).toBe('tel:07700900123')
  rows.getByRole('link', { name: 'Bob Marsh’s calls' })
  fireEvent.click(rows.getByRole('button', { name: 'Ask for a new card: Ann Marsh' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Send email' }))
  await dialog.findByRole('button', { name: 'Copy link' })
  fireEvent.click(dialog.getByRole('button', { name: 'Done' }))
  await rows.findByText(/^Asked for a new card on /)
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'call' } })
  await waitFor(() => expect(screen.queryByText('Ann Marsh')).toBeNull())
  screen.getByText('Bob Marsh')
})

test('nobody at risk: an empty list, and nothing on the day', async () => {
  await browser.open('/admin/at-risk')
  await screen.findByText('No one at risk')
})
