import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { sandboxPassword } from '#data/seed/people.ts'
import { findViolations } from './axe.ts'
import { pages } from './content.ts'
import { expect, fillLogin, linkIn, phone, test } from './fixtures.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

test.use(phone)

const places: Record<string, (page: Page) => Promise<void>> = {
  'the front page’s dialog': async (page) => {
    await page.goto('/')
    await page.getByRole('button', { name: pages.home.actions.call }).click()
  },
  'the coaching page’s dialog': async (page) => {
    await page.goto('/coaching')
    await page.getByRole('button', { name: 'BOOK FREE CONSULTATION' }).last().click()
  },
  'Sales Lion’s 15 minutes': async (page) => {
    await page.goto('/sales-lion')
    await page.getByRole('button', { name: pages['sales-lion'].call.button }).first().click()
  },
  'a page of its own': async (page) => {
    await page.goto('/book-call?for=consultation')
  },
}

test.describe('the site’s own calendar', { tag: '@full' }, () => {
  let server: OwnServer
  test.beforeAll(async () => {
    server = await startOwnServer()
  })
  test.afterAll(() => server.stop())

  for (const [place, open] of Object.entries(places))
    test(`HOME-13 COACH-06 LAND-2 a visitor books a call from ${place}`, async ({ browser }) => {
      const context = await browser.newContext({ ...phone, baseURL: server.url })
      const page = await context.newPage()
      await open(page)
      await bookAsVisitor(page, server)
      await context.close()
    })

  for (const [path, minutes] of [
    ['/book-call?coach=coach-2', 30],
    ['/catch-up?coach=coach-2', 15],
  ] as const)
    test(`BOOK-3 BOOK-7 a member books ${minutes} minutes at ${path}`, async ({ browser }) => {
      const context = await browser.newContext({ ...phone, baseURL: server.url })
      const page = await context.newPage()
      await page.goto('/login')
      await fillLogin(page, 'standard@alliance.test', sandboxPassword)
      await page.waitForURL('**/members')
      await page.goto(path)
      // What scrolls in a box of its own is missed on a phone, and it had all the times.
      const hidden = () =>
        page.getByRole('region', { name: /^Booking calendar/ }).evaluate((box) => box.scrollHeight - box.clientHeight)
      await chooseTime(page)
      expect(await hidden()).toBe(0)
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Book this call' }).click()
      await expect(page.getByText('Booked', { exact: true })).toBeVisible()
      await context.close()
    })

  test('API-03 CALL-05 the coaching form books without a time', async ({ browser }) => {
    const context = await browser.newContext({ ...phone, baseURL: server.url })
    const page = await context.newPage()
    await page.goto('/book-coaching-call')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sam Field')
    await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
    await page.getByRole('button', { name: 'Book the call' }).click()
    await expect(page.getByRole('heading', { name: pages['book-coaching-call'].next.heading })).toBeVisible()
    await context.close()
  })
})

async function chooseTime(page: Page) {
  // Like an external one, it's covered for a moment, and can't be pressed until then.
  await expect(page.locator('.outside__cover')).toHaveCount(0)
  const first = page
    .getByRole('group', { name: /^Time on/ })
    .getByRole('radio')
    .first()
  await expect(async () => {
    await first.press('Space')
    await expect(first).toBeChecked({ timeout: 1_000 })
  }).toPass()
}

async function bookAsVisitor(page: Page, { url }: OwnServer) {
  const email = `${randomUUID()}@example.com`
  await chooseTime(page)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Name').fill('Sam Field')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Book this call' }).click()
  await expect(page.getByText('One more step: check your email')).toBeVisible()
  const mailed = async () => {
    const response = await page.request.get(`${url}/sandbox/mail`, { headers: { accept: 'application/json' } })
    const mails: { to: string; text: string }[] = await response.json()
    return linkIn(mails.find(({ to }) => to.includes(email))?.text ?? '')
  }
  await expect.poll(mailed).not.toBe('')
  await page.goto(await mailed())
  await page.getByRole('button', { name: 'Book this call' }).click()
  await expect(page.getByRole('button', { name: 'Choose another time' })).toBeVisible()
}
