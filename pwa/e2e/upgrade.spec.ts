import { findViolations } from './axe.ts'
import { openBilling } from './billing-steps.ts'
import { everydaySizes, expect, test, toastOf } from './fixtures.ts'
import { billingOf, joinOverHttp, newPerson } from './people.ts'
import { atProvider, payByAtProvider } from './provider.ts'

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('a dearer tier today: the bank refuses and nothing has changed, then it confirms and takes what was shown', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      test.slow()
      const person = newPerson('Una', 'Purlin')
      await joinOverHttp(context.request, person)
      await payByAtProvider(request, person.email, 'pm_card_authenticationRequired')
      await openBilling(page)
      const chooseToday = async () => {
        await page.getByRole('button', { name: 'Change tier' }).click()
        await page.getByRole('radio', { name: /^Alliance XL/ }).check()
        await page.getByRole('radio', { name: /^Today/ }).check()
        return page.getByRole('button', { name: /^Pay £[\d.]+ and start today$/ })
      }
      const pay = await chooseToday()
      await expect(page.getByText(/We’ll take £[\d.]+ from Visa ending 3184 now/)).toBeVisible()
      expect(await findViolations(page)).toEqual([])
      await pay.click()
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(page.getByText('You haven’t been charged, and your tier hasn’t changed.')).toBeVisible()
      await expect(page).toHaveURL(/\/members\?tab=billing$/)
      expect((await billingOf(context.request)).plan?.slug).toBe('standard')

      const again = await chooseToday()
      const shown = Number(((await again.textContent()) ?? '').replaceAll(/[^\d.]/g, ''))
      await again.dblclick()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(toastOf(page)).toContainText('Alliance XL has started')
      await expect(page.getByText('£540.00').first()).toBeVisible()
      expect((await billingOf(context.request)).plan?.slug).toBe('xl')
      expect((await atProvider(request, person.email)).taken.toSorted()).toEqual(
        [Math.round(shown * 100), 30_000].toSorted(),
      )
    })
  })
}
