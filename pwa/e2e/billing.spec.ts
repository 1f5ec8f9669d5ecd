import type { Page } from '@playwright/test'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { findViolations } from './axe.ts'
import { createOverdueMember, openBilling } from './billing-steps.ts'
import { everydaySizes, expect, test, toastOf, underServiceWorker } from './fixtures.ts'
import { cardForm, cards, fillCard, fillPayer } from './join-steps.ts'
import { billingOf, joinOverHttp, newPerson } from './people.ts'
import { atProvider } from './provider.ts'
import { expectSound } from './sound.ts'

const noFaults = async (page: Page) => expect(await findViolations(page)).toEqual([])
const status = (page: Page) => page.locator('#billing-status')
/** At the page's end, where a phone's bottom tabs cover none of it. */
async function expectSoundBilling(page: Page, name: string) {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expectSound(page, name)
}
const payNow = (page: Page) => page.getByRole('button', { name: /^PAY £300\.00 with Visa ending 0341/ })

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('BILL-01 BILL-02 BILL-04 another tier and back, cancelled and resumed, an address: each says what is taken and when', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      test.slow()
      const person = newPerson('Ada', 'Joist')
      await joinOverHttp(context.request, person)
      const { next_billing_date } = await billingOf(context.request)
      const day = formatLongDate(londonDay(new Date((next_billing_date ?? 0) * 1000)))
      await openBilling(page)
      await expect(status(page)).toContainText(`Paid until ${day}. Then we’ll take £300.00 for the next month.`)
      await expectSoundBilling(page, 'Billing')
      await page.getByRole('button', { name: 'Change tier' }).click()
      await page.getByRole('radio', { name: /^Alliance XL/ }).check()
      await expect(page.getByText('We’ll take £540.00 (£450.00 + £90.00 VAT) for Alliance XL')).toBeVisible()
      await noFaults(page)
      await page.getByRole('button', { name: 'Change to Alliance XL' }).click()
      await expect(page.getByText(`Alliance XL from ${day}`).first()).toBeVisible()
      await expect(status(page)).toBeFocused()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
      await page.getByRole('button', { name: 'Cancel membership' }).click()
      const asked = page.getByRole('dialog', { name: 'Cancel your membership?' })
      await noFaults(page)
      await asked.getByRole('button', { name: 'Keep membership' }).click()
      await expect(page.getByRole('button', { name: 'Cancel membership' })).toBeFocused()
      await page.getByRole('button', { name: 'Cancel membership' }).click()
      await asked.getByRole('button', { name: 'Cancel membership' }).click()
      await expect(status(page)).toContainText(`Active, ends on ${day}`)
      await page.getByRole('button', { name: 'Resume membership' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Resume membership' }).click()
      await expect(status(page)).toHaveText(/Active$/)
      await page.getByRole('button', { name: 'Add an address' }).click()
      const form = page.getByRole('form', { name: 'Billing address' })
      await form.getByLabel('Address', { exact: true }).fill('12 Joist Lane')
      await form.getByLabel('Town').fill('Leeds')
      await form.getByLabel('Postcode').fill('LS1 4AP')
      await form.getByRole('button', { name: 'Save the address' }).click()
      await expect(page.getByText('12 Joist Lane')).toBeVisible()
      await expect(page.getByText(/^Credit note/).first()).toBeVisible()
      await expectSoundBilling(page, 'Billing with a credit note')
      const pdf = await page
        .getByRole('link', { name: /^PDF of Invoice/ })
        .first()
        .getAttribute('href')
      const file = await context.request.get(pdf ?? '')
      expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf'])
      expect(await atProvider(request, person.email)).toEqual({ taken: [30_000], subscriptions: ['active'] })
    })

    test('BILL-03 BILL-04 an open invoice: the card on file is declined, another asks the bank, and it is paid once', {
      tag: '@full',
    }, async ({ page, context, request, playwright, baseURL }) => {
      test.slow()
      const person = newPerson('Olga', 'Truss')
      const owner = await playwright.request.newContext({ baseURL })
      await createOverdueMember(context.request, owner, person)
      await owner.dispose()
      await openBilling(page)
      await expect(status(page)).toContainText('No Active Subscription')
      await expectSoundBilling(page, 'Billing with an open invoice')
      await payNow(page).dblclick()
      await expect(page.getByText('You haven’t been charged. Try another card', { exact: false })).toBeVisible()
      await page.getByRole('button', { name: 'Pay with another card' }).click()
      await fillCard(page, cards.asksBank)
      await fillPayer(page, /^Take £300\.00 today, and use this card from now on\./)
      await cardForm(page).getByRole('button', { name: /^PAY/ }).click()
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(page.getByText('Your bank didn’t confirm the payment')).toBeVisible()
      await expect(page).toHaveURL(/\/members\?tab=billing$/)
      await page.getByRole('button', { name: 'Pay with another card' }).click()
      await expect(cardForm(page).getByLabel('Postcode')).toHaveValue('LS1 4AP')
      await fillCard(page, cards.asksBank)
      await cardForm(page)
        .getByLabel(/^Take £300\.00 today, and use this card from now on\./)
        .check()
      await cardForm(page).getByRole('button', { name: /^PAY/ }).click()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(toastOf(page)).toContainText('Invoice paid')
      await expect(status(page)).toHaveText(/Active$/)
      expect((await atProvider(request, person.email)).taken).toEqual([30_000, 30_000])
    })

    test.describe('no answer from Stripe', () => {
      test.use({ expectedComplaints: [/status of 502/] })
      test('BILL-02 a cancellation that Stripe hasn’t answered: we’re checking, can’t be closed, then it’s there, without another press', async ({
        page,
        context,
      }) => {
        await joinOverHttp(context.request, newPerson('Lou', 'Purlin'))
        await page.clock.install()
        await openBilling(page)
        const sentence =
          'We don’t know yet whether that went through. We’re checking, and you’ll see it here in a few minutes.'
        let presses = 0
        await page.route('**/api/billing/cancel', async (route) => {
          presses += 1
          if (presses > 1) return route.continue()
          await route.fetch()
          const json = { error: { code: 'unanswered', message: sentence, requestId: 'lost' } }
          return route.fulfill({ status: 502, json })
        })
        await page.getByRole('button', { name: 'Cancel membership' }).click()
        const asked = page.getByRole('dialog', { name: 'Cancel your membership?' })
        await asked.getByRole('button', { name: 'Cancel membership' }).click()
        await expect(toastOf(page)).toContainText(sentence)
        expect(presses).toBe(1)
        await expect(asked.getByRole('button', { name: 'Keep membership' })).toBeDisabled()
        await expect(asked.getByRole('button', { name: 'Close' })).toBeDisabled()
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await expect(asked.getByRole('button', { name: 'Cancelling…' })).toBeVisible()
        await expect(page.getByText(/haven’t been charged/)).toHaveCount(0)
        // Last: on a busy machine it takes longer than we wait to ask again.
        await expectSoundBilling(page, 'Billing while we check')
        await page.clock.runFor(4_000)
        await expect(asked).toHaveCount(0)
        await expect(status(page)).toContainText('Active, ends on')
        expect([presses, (await billingOf(context.request)).offer]).toEqual([2, 'resume'])
      })
    })

    test('an open invoice in two tabs is paid once', { tag: '@full' }, async ({
      page,
      context,
      request,
      playwright,
      baseURL,
    }) => {
      const person = newPerson('Tess', 'Rafter')
      const owner = await playwright.request.newContext({ baseURL })
      await createOverdueMember(context.request, owner, person)
      await owner.dispose()
      const other = await context.newPage()
      for (const tab of [page, other]) {
        await openBilling(tab)
        await tab.getByRole('button', { name: 'Pay with another card' }).click()
        await fillCard(tab, cards.pays)
        await fillPayer(tab, /^Take £300\.00 today, and use this card from now on\./)
      }
      // Not by mouse: a tab in the background is still while it waits for that, and by then the other has paid.
      const pay = (tab: typeof page) => cardForm(tab).getByRole('button', { name: /^PAY/ }).dispatchEvent('click')
      await Promise.all([page, other].map(pay))
      for (const tab of [page, other]) await expect(status(tab)).toHaveText(/Active$/)
      expect((await atProvider(request, person.email)).taken).toEqual([30_000, 30_000])
    })

    test('another card: declined, refused by the bank, then saved; nothing is taken', { tag: '@full' }, async ({
      page,
      context,
      request,
    }) => {
      const person = newPerson('Cass', 'Lath')
      await joinOverHttp(context.request, person)
      await openBilling(page)
      await page.getByRole('button', { name: 'Change card' }).click()
      await fillCard(page, cards.declined)
      await fillPayer(page, /^Use this card/)
      const save = cardForm(page).getByRole('button', { name: 'Save this card' })
      await save.click()
      await expect(cardForm(page).getByRole('alert')).toContainText('Card not changed')
      await expectSoundBilling(page, 'Billing with a declined card')
      await fillCard(page, cards.asksBank)
      await save.click()
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(page.getByText('Your bank didn’t confirm the card')).toBeVisible()
      await page.getByRole('button', { name: 'Change card' }).click()
      await fillCard(page, cards.asksBank)
      await cardForm(page)
        .getByLabel(/^Use this card/)
        .check()
      await save.click()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(toastOf(page)).toContainText('Card changed')
      await expect(page.getByText('Visa ending 3155').first()).toBeVisible()
      expect((await atProvider(request, person.email)).taken).toEqual([30_000])
    })

    test('BILL-01 without signal the tab opens with what the phone kept, and acts again once there is signal', {
      tag: '@full',
    }, async ({ page, context }) => {
      await joinOverHttp(context.request, newPerson('Nell', 'Corbel'))
      await openBilling(page)
      await underServiceWorker(page)
      await page.reload()
      await openBilling(page)
      await context.setOffline(true)
      await page.reload()
      await expect(status(page)).toHaveText(/Active$/)
      await expect(page.getByText('Needs signal').first()).toBeVisible()
      await page.getByRole('button', { name: 'Cancel membership' }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Needs signal' })).toBeDisabled()
      await page.getByRole('button', { name: 'Keep membership' }).click()
      await expectSoundBilling(page, 'Billing without signal')
      await context.setOffline(false)
      await expect(page.getByText('Visa ending 4242').first()).toBeVisible()
    })
  })
}
