import { expect, type Page } from '@playwright/test'
import type { Person } from './people.ts'

export const cards = {
  pays: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  empty: '4000 0000 0000 9995',
  unknown: '4111 1111 1111 1111',
  asksBank: '4000 0025 0000 3155',
}

export const applicationOf = ({ firstName, lastName, email }: Person): [label: string, value: string][] => [
  ['First name', firstName],
  ['Last name', lastName],
  ['Email', email],
  ['Phone', '07700 900456'],
  ['Business name', `${lastName} Heating`],
  ['Trade', 'Heating engineer'],
  ['Years in trade', '11'],
  ['Current challenges', 'Quoting at night.\nChasing late invoices.'],
  ['Goals', 'Two weeks off with the phone off.'],
  ['Why do you want to join?', 'To get home for tea.'],
  ['How did you hear about us?', 'A mate at the merchants'],
]

export async function fillApplication(page: Page, person: Person): Promise<void> {
  const form = page.getByRole('form', { name: 'Application' })
  for (const [label, value] of applicationOf(person)) await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByLabel('Business stage').selectOption('growing')
  await form.getByLabel('I agree to the terms of membership').check()
  await form.getByRole('button', { name: 'Continue to tiers' }).click()
}

export async function apply(page: Page, person: Person): Promise<void> {
  await fillApplication(page, person)
  await expect(page.getByRole('heading', { name: 'Choose your tier' })).toBeVisible()
}

export async function chooseTier(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
}

export const cardForm = (page: Page) => page.getByRole('form', { name: 'Payment' })
export const payButton = (page: Page) => cardForm(page).getByRole('button', { name: /^PAY £/ })

export async function fillCard(page: Page, number: string): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiry date').fill('1228')
  await form.getByLabel('Security code').fill('123')
}

/** Fills in the billing address and gives consent, which each form words differently. */
export async function fillPayer(page: Page, consent = /^Take £/): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel('Address', { exact: true }).fill('12 Joist Lane')
  await form.getByLabel('Town').fill('Leeds')
  await form.getByLabel('Postcode').fill('LS1 4AP')
  await form.getByLabel(consent).check()
}

export async function joinUntilPayment(page: Page, person: Person): Promise<void> {
  await page.goto('/membership-application')
  await apply(page, person)
  await chooseTier(page, 'JOIN ALLIANCE')
}
