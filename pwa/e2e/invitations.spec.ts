import { expect, linkIn, mailTo, phone, test } from './fixtures.ts'
import { cardForm, cards, fillApplication, fillCard, fillPayer } from './join-steps.ts'
import { logInOverHttp, newPerson } from './people.ts'
import { expectSound } from './sound.ts'

test.use(phone)

test('JOIN-05 someone invited with two free months joins from the email, saves a card and pays nothing today', {
  tag: '@full',
}, async ({ page }) => {
  const person = newPerson('Ivy', 'Lath')
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/members')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('First name').fill(person.firstName)
  await page.getByLabel('Last name').fill(person.lastName)
  await page.getByLabel('Free months').selectOption('2')
  await page.getByRole('button', { name: 'See the email' }).click()
  await expect(page.getByRole('dialog').getByText(/^Your first 2 months are free\./)).toBeVisible()
  await expectSound(page, 'an invitation')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await expect(page.getByRole('button', { name: `Cancel: ${person.email}` })).toBeVisible()
  const link = new URL(linkIn(await mailTo(page.request, person.email, /^Your invitation to/)))
  await page.context().clearCookies()
  await page.goto(link.pathname + link.search)
  await expect(page.getByLabel('First name')).toHaveValue('Ivy')
  await fillApplication(page, person)
  await page.getByRole('button', { name: 'Continue with Alliance', exact: true }).click()
  await fillCard(page, cards.pays)
  await fillPayer(page, /^Take £300.00 on /)
  await cardForm(page)
    .getByRole('button', { name: /^START FOR FREE/ })
    .click()
  await expect(page.getByText('You’re in', { exact: true })).toBeVisible()
  await page.goto('/members')
  await expect(page.getByRole('heading', { level: 1, name: 'IVY' })).toBeVisible()
})
