import type { Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { pages } from './content.ts'
import { everydaySizes, expect, mailTo, test, toastOf } from './fixtures.ts'
import { cardForm, cards, fillCard } from './join-steps.ts'
import { newPerson, type Person } from './people.ts'
import { takenFrom } from './provider.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Continue to payment' })
const payButton = (page: Page) => cardForm(page).getByRole('button', { name: 'Complete Purchase' })
const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful!' })

/** Only what the button needs; the rest stays empty. */
async function fillDetails(page: Page, person: Person) {
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Business name').fill(`${person.lastName} Heating`)
  await page.getByLabel('I agree to provide this information for my custom Quotient setup *').check()
}

async function untilPayment(page: Page, person: Person, which = 'master') {
  await page.goto(`/quotient/checkout?package=${which}`)
  await fillDetails(page, person)
  await next(page).click()
  await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
}

async function fillPayer(page: Page, number: string) {
  await fillCard(page, number)
  await cardForm(page).getByLabel('Address', { exact: true }).fill('12 Joist Lane')
  await cardForm(page).getByLabel('Town').fill('Leeds')
  await cardForm(page).getByLabel('Postcode').fill('LS1 4AP')
}

for (const [size, options] of everydaySizes) {
  test.describe(size, () => {
    test.use(options)

    test('QUOT-9 QUOT-10 QUOT-16 QUOT-18 QUOT-19 EMSG-35 from the details to the setup: declined, paid with another card, charged once', {
      tag: '@full',
    }, async ({ page, request }) => {
      const person = newPerson('Ruth', 'Flashing')
      await page.goto('/quotient/checkout?package=master')
      await expect(page.getByRole('heading', { name: 'Your Business Details' })).toBeVisible()
      await expect(next(page)).toBeDisabled()
      await expect(page.getByText(/^We still need: first name/)).toBeVisible()
      expect(await findViolations(page)).toEqual([])
      await fillDetails(page, person)
      await page.reload()
      await expect(page.getByLabel('Business name')).toHaveValue('Flashing Heating')
      await next(page).dblclick()
      await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeFocused()
      await expect(page.getByRole('complementary', { name: 'Package summary' })).toContainText('£900.00')
      await fillPayer(page, cards.declined)
      await payButton(page).click()
      await expect(toastOf(page)).toContainText('Payment Failed')
      expect(await findViolations(page)).toEqual([])
      await fillCard(page, cards.pays)
      await payButton(page).dblclick()
      await expect(success(page)).toBeVisible()
      await expect(page).toHaveURL('/quotient/success')
      expect(await findViolations(page)).toEqual([])
      expect(await takenFrom(request, person.email)).toEqual([90_000])
      expect(await mailTo(request, person.email, /^You’ve ordered your Quotient setup$/)).toContain(
        'Total paid: £900.00',
      )
      await page.goBack()
      await page.goto('/quotient/checkout?package=master')
      await expect(page.getByLabel('Business name')).toHaveValue('')
    })

    test('QUOT-16 CALLS-46 3-D Secure refused claims nothing and leads back to the same payment; completed, it is bought once', {
      tag: '@full',
    }, async ({ page, request }) => {
      const person = newPerson('Gil', 'Purlin')
      await untilPayment(page, person, 'professional')
      await fillPayer(page, cards.asksBank)
      await payButton(page).click()
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(page.getByRole('heading', { name: 'Payment not completed' })).toBeVisible()
      await expect(success(page)).toBeHidden()
      await page.getByRole('link', { name: 'Back to the payment' }).click()
      await fillPayer(page, cards.asksBank)
      await payButton(page).click()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(success(page)).toBeVisible()
      await expect(page).toHaveURL('/quotient/success')
      expect(await takenFrom(request, person.email)).toEqual([54_000])
    })

    test('a reload and the back button at step 2 continue with one order; two tabs take one charge', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      const person = newPerson('Ida', 'Noggin')
      await untilPayment(page, person)
      await page.reload()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      await page.goto('/quotient')
      await page.goBack()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      const other = await context.newPage()
      await other.goto('/quotient/checkout?package=master')
      for (const tab of [page, other]) await fillPayer(tab, cards.pays)
      await Promise.all([page, other].map((tab) => payButton(tab).click()))
      for (const tab of [page, other]) await expect(success(tab)).toBeVisible()
      expect(await takenFrom(request, person.email)).toEqual([90_000])
    })

    test('back to the details: another package takes the place of the first, which is never charged', {
      tag: '@full',
    }, async ({ page, request }) => {
      const person = newPerson('Ned', 'Corbel')
      await untilPayment(page, person)
      await page.getByRole('link', { name: 'Back to your details' }).click()
      await expect(page.getByLabel('Business name')).toHaveValue('Corbel Heating')
      await page.getByRole('link', { name: `${pages.quotient.packages.offers.professional.name} instead` }).click()
      await expect(page.getByLabel('Business name')).toHaveValue('Corbel Heating')
      await next(page).click()
      await fillPayer(page, cards.pays)
      await payButton(page).click()
      await expect(success(page)).toBeVisible()
      expect(await takenFrom(request, person.email)).toEqual([54_000])
    })

    test('EMSG-34 EMSG-36 without signal nothing is lost and nothing is taken, at the details and at the card', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      const person = newPerson('May', 'Transom')
      await page.goto('/quotient/checkout')
      await fillDetails(page, person)
      await context.setOffline(true)
      await next(page).click()
      await expect(page.getByText('You need signal to pay')).toBeVisible()
      await context.setOffline(false)
      await next(page).click()
      await fillPayer(page, cards.pays)
      await context.setOffline(true)
      await payButton(page).click()
      await expect(toastOf(page)).toContainText('Payment Error')
      await context.setOffline(false)
      expect(await takenFrom(request, person.email)).toEqual([])
      await payButton(page).click()
      await expect(success(page)).toBeVisible()
      expect(await takenFrom(request, person.email)).toEqual([54_000])
    })
  })
}

test('what the browser says of the price is refused, and the provider never sees it', { tag: '@full' }, async ({
  page,
  request,
}) => {
  const person = newPerson('Vic', 'Lath')
  await page.route('**/api/create-quotient-payment', (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), packagePrice: 100 } }),
  )
  await page.goto('/quotient/checkout')
  await fillDetails(page, person)
  await next(page).click()
  await expect(page.getByText('The price has changed. Check your package again.')).toBeVisible()
  expect(await takenFrom(request, person.email)).toEqual([])
})
