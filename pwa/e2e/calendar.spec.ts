import { randomUUID } from 'node:crypto'
import { findViolations } from './axe.ts'
import { expect, linkIn, mailTo, phone, test } from './fixtures.ts'

test.use(phone)

test('HOME-13 COACH-06 a visitor chooses a time by keyboard, books it by the link in the email, moves and cancels it', {
  tag: ['@full', '@old'],
}, async ({ page }) => {
  const email = `${randomUUID()}@example.com`
  await page.goto('/book-call?for=consultation')
  // The second day, because the first may have few times left.
  const days = page.getByRole('group', { name: 'Day' }).getByRole('radio')
  await days.first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(days.nth(1)).toBeChecked()
  const times = page.getByRole('group', { name: /^Time on/ }).getByRole('radio')
  await times.first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(times.nth(1)).toBeChecked()
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.viewport.width)
  await page.getByLabel('Name').fill('Sam Field')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Book this call' }).click()
  await expect(page.getByText('One more step: check your email')).toBeVisible()
  await page.goto(linkIn(await mailTo(page.request, email, /^Confirm/)))
  await page.getByRole('button', { name: 'Book this call' }).click()
  await expect(page.getByRole('button', { name: 'Choose another time' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  expect(await mailTo(page.request, email, /^Booked/)).toContain('Move or cancel')
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await days.nth(1).press('Space')
  await times.first().press('Space')
  await page.getByRole('button', { name: 'Move the call' }).click()
  await page.getByRole('button', { name: 'Cancel the call' }).click()
  await page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await expect(page.getByText('This call’s cancelled').first()).toBeVisible()
})
