import { randomUUID } from 'node:crypto'
import type { Route } from '@playwright/test'
import * as v from 'valibot'
import { expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { openList, progressByTitle, rowOf, syncLine, tick } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'
import { followTransactions } from './transactions.ts'

test.use({ ...phone, ...withServiceWorker })

const title = 'The year on one page'

test(
  'CALLS-41 PROG-02 a first opening and each one after it stand still after at most 36 transactions',
  { tag: '@full' },
  async ({ page, context }, { annotations }) => {
    await joinOverHttp(context.request, newPerson('Bea', 'Lintel'))
    // As after a year: the phone gets a copy of each invoice.
    await page.route('**/api/billing/invoices', async (route) => {
      const response = await route.fetch()
      const [first] = v.parse(
        v.array(v.looseObject({ id: v.string(), invoice_pdf: v.string() })),
        await response.json(),
      )
      if (!first) throw new Error('A member who has paid has an invoice.')
      const month = (_: unknown, at: number) => ({
        ...first,
        id: `${first.id}-${at}`,
        invoice_pdf: `${first.invoice_pdf}?month=${at}`,
      })
      await route.fulfill({ response, json: Array.from({ length: 12 }, month) })
    })
    const { atRest } = await followTransactions(page)
    for (const opening of ['the first', 'the second', 'the third']) {
      await openList(page)
      await expect(syncLine(page)).toContainText('Your ticks are saved')
      const begun = await atRest()
      annotations.push({ type: 'transactions', description: `${begun.length} at ${opening} opening` })
      // Six of them are the questions' list (three reads and a write), and what commitments have to send, and when.
      expect(begun.length, begun.join('\n')).toBeLessThanOrEqual(36)
      await underServiceWorker(page)
    }
  },
)

test('MEMB-14 MEMB-19 PROG-01 a page that’s left holds nothing the next one waits for, and what was ticked as it was left arrives', {
  tag: '@old',
}, async ({ page, context }) => {
  await joinOverHttp(context.request, newPerson('Bea', 'Lintel'))
  await followTransactions(page)
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await underServiceWorker(page)

  // As a browser says that it's about to keep the page, in the middle of a sync and a tick.
  await page.getByRole('button', { name: 'Update now' }).click()
  await rowOf(page, title).getByRole('button', { name: 'Mark Complete' }).click()
  const held = await page.evaluate(async () => {
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    const ours = async () => {
      const { held: locks = [], pending = [] } = await navigator.locks.query()
      return [...locks, ...pending].flatMap(({ name }) => (name?.startsWith('alliance') ? name : []))
    }
    const { open } = window.transactions
    // What was cut off is over in the next turn, and the browser hears of a lock that was let go a little later.
    for (let turn = 0; turn < 10 && (turn === 0 || open.size > 0 || (await ours()).length > 0); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
    const before = window.transactions.begun.length
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('online'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { open: open.size, later: window.transactions.begun.length - before, locks: await ours() }
  })
  expect(held).toEqual({ open: 0, later: 0, locks: [] })
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' })).toBeVisible()
  await expect(syncLine(page)).toContainText('Your ticks are saved')

  // Pressed, and left in the same moment.
  await rowOf(page, title)
    .getByRole('button', { name: 'Mark Incomplete' })
    .evaluate((button) => {
      if (button instanceof HTMLElement) button.click()
      location.href = '/members/calls'
    })
  await page.waitForURL('**/members/calls')
  await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(false)
  await openList(page)
  await tick(page, title)
  await page.goto('/members/calls')
  await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(true)
})

for (const [how, stop] of [
  ['and it never comes', () => {}],
  ['and loading it fails', (route: Route) => route.abort()],
] as const)
  test.describe(() => {
    test.use({ expectedComplaints: [/Failed to fetch dynamically imported module/] })
    test(`MEMB-14 a page that’s left before its app has come, ${how}, loads again on Back`, async ({
      page,
      context,
    }) => {
      await joinOverHttp(context.request, newPerson('Bea', 'Lintel'))
      // As in a browser that lets go of what a page it keeps was loading.
      let isKept = false
      await page.route('**/assets/*.js', (route) => (isKept ? route.continue() : stop(route)))
      await page.goto('/members', { waitUntil: 'domcontentloaded' })
      if (how === 'and loading it fails') await expect(page.getByText('We couldn’t load this page')).toBeVisible()
      isKept = true
      await page.evaluate(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
    })
  })

test('MEMB-14 a part of a page that couldn’t come is there once the server is back', async ({ page, context }) => {
  await joinOverHttp(context.request, newPerson('Bea', 'Lintel'))
  await page.goto('/members')
  await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
  await page.route('**/assets/**', (route) => route.abort())
  await page.getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByRole('heading', { name: 'Not on this phone yet' })).toBeVisible()
  await page.unroute('**/assets/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^Paid until/)).toBeVisible()
})

test('what was done on Today and can still be undone is sent from a page that a browser keeps, once', async ({
  page,
  context,
}) => {
  const name = `Sam ${randomUUID().slice(0, 8)}`
  const data = {
    name,
    email: 'sam@example.com',
    phone: '07700 900123',
    trade: 'painter',
    businessName: 'Field Decorating',
    yearsInBusiness: 12,
    currentRevenue: '50k-100k',
    biggestChallenge: 'Quoting',
    goals: 'Two weeks off',
    timeCommitment: '3-5',
    investment: '1k-3k',
    heardAbout: 'podcast',
    additionalInfo: '',
  }
  await context.request.post('/api/coaching-application', { data })
  await logInOverHttp(context.request, 'owner@alliance.test')
  const status = async () => {
    const response = await context.request.get(`/api/admin/coaching-applications?q=${encodeURIComponent(name)}`)
    return v.parse(v.array(v.object({ status: v.string() })), await response.json()).map((row) => row.status)
  }
  await page.goto('/admin')
  const entry = page.getByRole('listitem').filter({ hasText: name })
  await entry.getByRole('button', { name: /^Called back/ }).click()
  await page.getByRole('button', { name: 'Mark called back' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(await status()).toEqual(['pending'])
  await page.evaluate(() => void window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  await expect.poll(status).toEqual(['contacted'])
  await page.evaluate(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expect(entry.getByRole('button', { name: /^Called back/ })).toHaveCount(0)
  expect(await status()).toEqual(['contacted'])
})
