import type { Page } from '@playwright/test'
import { formatLongDate } from '#shared/rules/london.ts'
import { findViolations } from './axe.ts'
import { everydaySizes, expect, expectColumns, linkIn, mailTo, test, toastOf } from './fixtures.ts'
import { cardForm, cards, fillCard, fillPayer, payButton } from './join-steps.ts'
import { billingOf, newPerson } from './people.ts'
import { atProvider } from './provider.ts'
import { createLapsedMember, createReactivationLink, day, openDelayed, saveButton } from './reactivate-steps.ts'

const noFaults = async (page: Page) => expect(await findViolations(page)).toEqual([])

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('DELY-3 DELY-6 DELY-9 EMSG-41 CALLS-47 a link, PayPal on its own page, and back: nothing is taken before the day', {
      tag: '@full',
    }, async ({ page, request, playwright, baseURL }) => {
      const person = newPerson('Pat', 'Gable')
      const owner = await playwright.request.newContext({ baseURL })
      const link = await createReactivationLink(owner, person, day(-10))
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Welcome Back, Pat!' })).toBeVisible()
      await noFaults(page)
      await openDelayed(page, link, 'Alliance XL')
      await noFaults(page)
      await page.getByRole('tab', { name: 'PayPal' }).click()
      await fillPayer(page)
      await saveButton(page).click()
      await expect(page.getByRole('heading', { name: 'PayPal' })).toBeVisible()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(toastOf(page)).toContainText('Payment Method Saved!')
      await expect(page.getByRole('heading', { name: 'We’ve saved your payment method' })).toBeVisible()
      await expect(page.getByText(`Your first payment of £540.00 is on ${formatLongDate(day(20))}.`)).toBeVisible()
      await expect(page).toHaveURL(/\/membership-success$/)
      await noFaults(page)
      expect(await atProvider(request, person.email)).toEqual({ taken: [], subscriptions: ['trialing'] })
      // The link doesn't log anyone in; the email does.
      expect((await page.context().request.get('/api/auth/user')).status()).toBe(401)
      expect(linkIn(await mailTo(request, person.email, /membership is set up/))).toContain('/')
      await page.goto(link)
      await expect(page.getByText('You already have a membership. Please open Billing.')).toBeVisible()
      await owner.dispose()
    })

    test('REAC-2 REAC-3 REAC-5 REAC-8 a former member comes back: declined, then 3-D Secure, and the membership is on', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      const person = newPerson('Rae', 'Dormer')
      await createLapsedMember(context.request, person)
      await expect.poll(async () => (await billingOf(context.request)).status).toBe('canceled')
      await page.goto('/reactivate')
      await expect(page.getByRole('button', { name: /^Reactivate/ })).toBeInViewport({ ratio: 1 })
      await noFaults(page)
      await expectColumns(page.getByRole('article'), { onPhone: 1, onDesktop: 3 })
      await page.getByRole('button', { name: 'Reactivate Alliance - £250/month' }).click()
      await expect(page.getByRole('heading', { name: 'Reactivate Your Membership' })).toBeVisible()
      await fillCard(page, cards.declined)
      await fillPayer(page)
      await payButton(page).click()
      await expect(cardForm(page).getByRole('alert')).toContainText('Payment Setup Failed')
      await fillCard(page, cards.asksBank)
      await payButton(page).click()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(page.getByRole('heading', { name: 'Your membership is active' })).toBeVisible()
      await expect(page).toHaveURL(/\/membership-success$/)
      const slip = page.getByRole('status', { name: 'Your payment' })
      await expect(slip).toContainText(/Paid.*£300\.00.*VAT invoice.*A-\d{6}.*Paid until/)
      expect(await atProvider(request, person.email)).toEqual({
        taken: [30_000, 30_000],
        subscriptions: ['active', 'canceled'],
      })
      await page.getByRole('link', { name: 'Open the members’ area' }).click()
      await expect(slip.getByRole('button', { name: 'Close' })).toBeVisible()
    })

    test('DELY-2 a link that was changed opens nothing; a double click and a second tab set one membership up', {
      tag: '@full',
    }, async ({ page, context, request, playwright, baseURL }) => {
      const person = newPerson('Tam', 'Fascia')
      const owner = await playwright.request.newContext({ baseURL })
      const link = await createReactivationLink(owner, person, day(-10))
      await page.goto(link.replace(day(-10), day(-1)))
      await expect(page.getByRole('heading', { name: 'Invalid Link' })).toBeVisible()
      const other = await context.newPage()
      for (const tab of [page, other]) {
        await openDelayed(tab, link)
        await fillCard(tab, cards.pays)
        await fillPayer(tab)
      }
      await Promise.all([saveButton(page).dblclick(), saveButton(other).click()])
      const done = page.getByRole('heading', { name: 'We’ve saved your payment method' })
      const toldElsewhere = page.getByText('You already have a membership. Please open Billing.')
      await expect(done.or(toldElsewhere)).toBeVisible()
      await expect.poll(() => atProvider(request, person.email)).toEqual({ taken: [], subscriptions: ['trialing'] })
      await owner.dispose()
    })

    test('CALLS-47 EMSG-39 the bank says no to the set-up: nothing is saved, and the link still works', {
      tag: '@full',
    }, async ({ page, request, playwright, baseURL }) => {
      const person = newPerson('Gus', 'Barge')
      const owner = await playwright.request.newContext({ baseURL })
      await openDelayed(page, await createReactivationLink(owner, person, day(-10)))
      await fillCard(page, cards.asksBank)
      await fillPayer(page)
      await saveButton(page).click()
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(page.getByRole('heading', { name: 'Setup Failed' })).toBeVisible()
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('button', { name: 'Set Up Delayed Billing - Alliance', exact: true }).click()
      await fillCard(page, cards.asksBank)
      await fillPayer(page)
      await saveButton(page).click()
      await page.getByRole('button', { name: 'Complete' }).click()
      await expect(page.getByRole('heading', { name: 'We’ve saved your payment method' })).toBeVisible()
      expect(await atProvider(request, person.email)).toEqual({ taken: [], subscriptions: ['trialing'] })
      await owner.dispose()
    })

    test('the browser closes after the set-up: the webhook alone makes the member', { tag: '@full' }, async ({
      page,
      request,
      playwright,
      baseURL,
    }) => {
      const person = newPerson('Bo', 'Lath')
      const owner = await playwright.request.newContext({ baseURL })
      await openDelayed(page, await createReactivationLink(owner, person, day(-10)))
      await fillCard(page, cards.asksBank)
      await fillPayer(page)
      await saveButton(page).click()
      await page.route('**/membership-success*', (route) => route.abort())
      await page.getByRole('button', { name: 'Complete' }).click()
      expect(await mailTo(request, person.email, /membership is set up/)).toContain('300.00')
      await owner.dispose()
    })

    test('REAC-7 the browser’s own back button, and a reload, lose nothing and charge nothing', {
      tag: '@full',
    }, async ({ page, context, request }) => {
      const person = newPerson('Ash', 'Corbel')
      await createLapsedMember(context.request, person)
      await expect.poll(async () => (await billingOf(context.request)).status).toBe('canceled')
      await page.goto('/reactivate')
      await page.getByRole('button', { name: 'CHOOSE ALLIANCE XL' }).click()
      await page.getByRole('button', { name: 'Reactivate Alliance XL - £450/month' }).click()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      await page.reload()
      await page.getByRole('button', { name: 'Finish paying for Alliance XL' }).click()
      await fillCard(page, cards.pays)
      await fillPayer(page)
      await payButton(page).dblclick()
      await expect(page.getByRole('heading', { name: 'Your membership is active' })).toBeVisible()
      expect(await atProvider(request, person.email)).toEqual({
        taken: [54_000, 30_000],
        subscriptions: ['active', 'canceled'],
      })
    })
  })
}
