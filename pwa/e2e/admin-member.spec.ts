import { expect, phone, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

test.use(phone)

test('ADMN-8 an owner opens a member from the list on a phone, and gives a part of a payment back', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin?q=pri+sha')
  await page.getByLabel('Choose Priya Shah').check()
  await expect(page.getByText('1 selected')).toBeVisible()
  await page.getByRole('link', { name: 'Priya Shah', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Priya Shah' })).toBeVisible()
  await expect(page.getByText('No notes yet.')).toBeVisible()
  await expectSound(page, 'a member')
  await page.getByRole('button', { name: /^Refund invoice/ }).click()
  await page.getByLabel('Amount with VAT (£)').fill('60')
  await page.getByLabel('Reason').fill('A call that was missed')
  await expectSound(page, 'giving money back')
  await page.getByRole('button', { name: 'Refund £60.00' }).click()
  await expect(page.getByText('£60.00 refunded', { exact: true })).toBeVisible()
  await expect(page.getByText('“A call that was missed”')).toBeVisible()
})
