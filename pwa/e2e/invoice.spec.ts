import * as v from 'valibot'
import { InvoiceList } from '#shared/contract/billing.ts'
import { findViolations } from './axe.ts'
import { everydaySizes, expect, fillLogin, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('API-07 a VAT invoice is read in both themes, printed in black on white, and kept as a PDF', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'xl@alliance.test')
      const invoices = v.parse(InvoiceList, await (await page.request.get('/api/billing/invoices')).json())
      const [invoice] = invoices.filter(({ status }) => status === 'paid')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(invoice?.hosted_invoice_url ?? '')
        await expect(page.getByRole('heading', { level: 1, name: 'VAT invoice' })).toBeVisible()
        await expect(page.getByText(invoice?.number ?? '', { exact: true })).toBeVisible()
        await expect(page.getByText('Stoke-on-Trent')).toBeVisible()
        await expect(page.getByText('£540.00')).toBeVisible()
        expect(await findViolations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.viewport.width)
      }
      await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
      await expect(page.getByRole('navigation', { name: 'Document' })).toBeHidden()
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      await expect(page.getByText('£540.00')).toHaveCSS('color', /^rgb\(0, 0, 0\)|rgb\(21, 22, 18\)$/)
      await page.emulateMedia({ colorScheme: 'light', media: 'screen' })
      const href = await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href')
      const pdf = await page.request.get(href ?? '')
      expect([pdf.headers()['content-type'], (await pdf.body()).subarray(0, 5).toString()]).toEqual([
        'application/pdf',
        '%PDF-',
      ])
      await page.getByRole('link', { name: 'Back to Billing' }).click()
      await expect(page).toHaveURL(/\/members\?tab=billing$/)
    })
  })
}

test('API-07 AUTH-2 an invoice opened from a mail leads to log in, and back to it', { tag: '@full' }, async ({
  page,
  playwright,
  baseURL,
}) => {
  const elsewhere = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await logInOverHttp(elsewhere, 'xl@alliance.test')
  const invoices = v.parse(InvoiceList, await (await elsewhere.get('/api/billing/invoices')).json())
  await elsewhere.dispose()
  const url = invoices.find(({ status }) => status === 'paid')?.hosted_invoice_url ?? ''
  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1, name: 'Member login' })).toBeVisible()
  await fillLogin(page, 'xl@alliance.test')
  await expect(page.getByRole('heading', { level: 1, name: 'VAT invoice' })).toBeVisible()
  await expect(page).toHaveURL(url)
})
