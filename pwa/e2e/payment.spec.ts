import type { Page } from '@playwright/test'
import { everydaySizes, expect, fillLogin, isFull, linkIn, mailTo, test, toastOf } from './fixtures.ts'
import {
  apply,
  cardForm,
  cards,
  chooseTier,
  fillApplication,
  fillCard,
  fillPayer,
  joinUntilPayment,
  payButton,
} from './join-steps.ts'
import { beginPurchase, billingOf, newPerson, ownPassword } from './people.ts'
import { atProvider } from './provider.ts'

const declinedCards = isFull ? [cards.declined, cards.empty, cards.unknown] : [cards.declined]

async function payAskingBank(page: Page) {
  await fillCard(page, cards.asksBank)
  await fillPayer(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: '3-D Secure' })).toBeVisible()
}

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('ERR-10 JOIN-14 a declined card keeps everything typed; another pays, once, and the members’ area opens', {
      tag: ['@full', '@old'],
    }, async ({ page, request }) => {
      const person = newPerson('Dora', 'Lintel')
      await joinUntilPayment(page, person)
      await fillPayer(page)
      const form = cardForm(page)
      for (const number of declinedCards) {
        await fillCard(page, number)
        await payButton(page).click()
        // Check this first, because it disappears after five seconds.
        await expect(toastOf(page)).toContainText('Payment Setup Failed')
        await expect(form.getByLabel('Card number')).toHaveAccessibleDescription('This card was declined')
        await expect(form.getByRole('alert')).toContainText('Payment Setup Failed')
      }
      await expect(form.getByLabel('Name on card')).toHaveValue('Dora Lintel')
      await expect(form.getByLabel('Postcode')).toHaveValue('LS1 4AP')
      await expect(form.getByLabel(/^Take £300\.00/)).toBeChecked()
      await fillCard(page, cards.pays)
      await payButton(page).click()
      await expect(page.getByRole('heading', { name: 'Alliance includes' })).toBeVisible()
      await expect(page.getByText('We’ll take you to the members’ area in 5 seconds.')).toBeVisible()
      await page.waitForURL('**/members')
      expect(await atProvider(request, person.email)).toEqual({ taken: [30_000], subscriptions: ['active'] })
    })

    test('MEMB-01 MEMB-02 PAY-03 3-D Secure completed: a welcome for 8 seconds, and the address is clean', {
      tag: ['@full', '@old'],
    }, async ({ page }) => {
      const person = newPerson('Ned', 'Purlin')
      await joinUntilPayment(page, person)
      await payAskingBank(page)
      await page.getByRole('button', { name: 'Complete' }).click()
      const welcome = toastOf(page).filter({ hasText: 'Welcome to the membership!' })
      await expect(welcome).toBeVisible()
      const since = Date.now()
      await expect(page).toHaveURL(/\/members$/)
      await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
      await expect(page.getByRole('form', { name: 'Set your password' })).toBeVisible()
      await expect(welcome).toBeHidden({ timeout: 15_000 })
      expect(Date.now() - since).toBeGreaterThan(6_500)
      await page.reload()
      await expect(page.getByRole('heading', { name: 'NED' })).toBeVisible()
      await expect(welcome).toBeHidden()
    })

    test('ERR-10 3-D Secure refused: no welcome, no access, and the payment again with one message', {
      tag: '@full',
    }, async ({ page, request }) => {
      const person = newPerson('Una', 'Soffit')
      await joinUntilPayment(page, person)
      await payAskingBank(page)
      await page.getByRole('button', { name: 'Fail' }).click()
      await expect(cardForm(page).getByRole('alert')).toContainText('Payment Setup Failed')
      await expect(page).toHaveURL(/\/membership-application$/)
      await expect(page.getByText('Payment Setup Failed')).toHaveCount(1)
      await expect(page.getByText('Welcome to the membership!')).toBeHidden()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      expect(await atProvider(request, person.email)).toEqual({ taken: [], subscriptions: ['incomplete'] })
    })

    test('JOIN-05 JOIN-06 JOIN-10 a reload at any step loses nothing, and a double click pays once', {
      tag: '@full',
    }, async ({ page, request }) => {
      const person = newPerson('Walt', 'Batten')
      await page.goto('/membership-application')
      await page.getByLabel('First name').fill(person.firstName)
      await page.reload()
      await expect(page.getByLabel('First name')).toHaveValue(person.firstName)
      await apply(page, person)
      await page.reload()
      await expect(toastOf(page)).toContainText('Welcome Back!')
      await expect(page.getByRole('heading', { name: 'Choose your tier' })).toBeVisible()
      await chooseTier(page, 'JOIN ALLIANCE')
      await page.reload()
      await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
      await page.getByRole('link', { name: 'Back to application' }).click()
      await expect(page.getByLabel('Goals')).toHaveValue('Two weeks off with the phone off.')
      await page.getByRole('button', { name: 'Continue to tiers' }).click()
      await expect(page.getByRole('button', { name: 'SELECTED' })).toBeVisible()
      await page.getByRole('button', { name: 'Continue with Alliance' }).click()
      await fillCard(page, cards.pays)
      await fillPayer(page)
      await payButton(page).dblclick()
      await expect(page.getByRole('heading', { name: 'Alliance includes' })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Alliance includes' })).toBeVisible()
      expect(await atProvider(request, person.email)).toEqual({ taken: [30_000], subscriptions: ['active'] })
    })

    test('PAY-06 the same payment in two tabs is taken once', { tag: '@full' }, async ({ page, context, request }) => {
      const person = newPerson('Ivy', 'Mitre')
      await joinUntilPayment(page, person)
      const other = await context.newPage()
      await other.goto('/membership-application')
      for (const tab of [page, other]) {
        await fillCard(tab, cards.pays)
        await fillPayer(tab)
      }
      await Promise.all([page, other].map((tab) => payButton(tab).click()))
      for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: /^Welcome to/ })).toBeVisible()
      expect(await atProvider(request, person.email)).toEqual({ taken: [30_000], subscriptions: ['active'] })
    })

    test('JOIN-17 a known address logs in, comes back, and resumes at the tiers', { tag: '@full' }, async ({
      page,
      request,
      playwright,
      baseURL,
    }) => {
      const person = newPerson('Kit', 'Ferrule')
      const elsewhere = await playwright.request.newContext({ baseURL })
      await beginPurchase(elsewhere, person, 'standard')
      await elsewhere.post('/api/auth/set-password', { data: { newPassword: ownPassword } })
      await elsewhere.dispose()

      await page.goto('/membership-application')
      await fillApplication(page, person)
      await expect(page.getByText('You already have an account. Please log in to continue.')).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
      await fillLogin(page, person.email, ownPassword)
      await page.waitForURL('**/membership-application')
      await page.getByRole('button', { name: /^CONTACT FOR INVITATION/ }).click()
      await page.getByRole('button', { name: 'Continue with Alliance XL' }).click()
      await expect(payButton(page)).toContainText('PAY £540.00')
      await expect(page.getByText(`For ${person.email}`)).toBeVisible()
      await fillCard(page, cards.pays)
      await fillPayer(page)
      await payButton(page).click()
      await expect(page.getByRole('heading', { name: 'Alliance XL includes' })).toBeVisible()
      expect((await billingOf(page.request)).plan?.slug).toBe('xl')
      const { taken, subscriptions } = await atProvider(request, person.email)
      expect(taken).toEqual([54_000])
      expect(subscriptions.filter((status) => status === 'active')).toHaveLength(1)
      expect(subscriptions).not.toContain('incomplete')
    })

    test('JOIN-17 an address that never paid and has no password continues by a mailed link', { tag: '@full' }, async ({
      page,
      playwright,
      baseURL,
    }) => {
      const person = newPerson('Moll', 'Grout')
      const elsewhere = await playwright.request.newContext({ baseURL })
      await beginPurchase(elsewhere, person)
      await elsewhere.dispose()

      await page.goto('/membership-application')
      await fillApplication(page, person)
      await expect(page.getByText('You already have an account. Please log in to continue.')).toBeVisible()
      await page.goto(linkIn(await mailTo(page.request, person.email, /./)))
      await page.getByRole('main').getByRole('button', { name: 'Carry on joining' }).click()
      await page.getByRole('button', { name: 'JOIN ALLIANCE LITE' }).click()
      await expect(payButton(page)).toContainText('PAY £150.00')
      await expect(page).toHaveURL(/\/membership-application$/)
    })
  })
}
