import type { Page } from '@playwright/test'
import { desktop, expect, phone, test, toastOf } from './fixtures.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'

async function openMember(page: Page, email: string, name: string) {
  await page.goto(`/admin/members/${email}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const differences = (page: Page) => page.getByRole('table', { name: 'What’s different' })

/** Two people run the business: one's at the desk, the other in the van. */
test('two owners at once: neither overwrites what the other did unseen, and each sees what the other did', {
  tag: '@full',
}, async ({ page: office, browser, request }) => {
  test.setTimeout(240_000)
  const person = newPerson('Robin', 'Ash')
  await joinOverHttp(request, person)
  const context = await browser.newContext({ ...phone, extraHTTPHeaders: { 'x-forwarded-for': '10.9.8.7' } })
  const van = await context.newPage()
  await office.setViewportSize(desktop.viewport)
  await logInOverHttp(office.request, 'owner@alliance.test')
  await logInOverHttp(van.request, 'owner2@alliance.test')

  for (const page of [office, van]) {
    await openMember(page, person.email, 'Robin Ash')
    await button(page, 'Edit profile').click()
  }
  await van.getByLabel('Trade').fill('Roofer')
  await office.getByLabel('Trade').fill('Plasterer')
  await button(van, 'Save profile').click()
  await expect(toastOf(van)).toContainText('Profile saved')
  await button(office, 'Save profile').click()
  await expect(differences(office).getByRole('row', { name: 'Trade Plasterer Roofer' })).toBeVisible()
  await button(office, 'Take theirs').click()
  await expect(office.getByLabel('Trade')).toHaveValue('Roofer')
  await button(office, 'Cancel').click()

  for (const page of [office, van]) await button(page, 'Free access').click()
  await van.getByLabel('Last day', { exact: true }).fill('31/3/2035')
  await office.getByLabel('Last day', { exact: true }).fill('30 June 2035')
  await button(van, 'Give free access').click()
  await expect(toastOf(van)).toContainText('Free access given')
  await button(office, 'Give free access').click()
  const days = differences(office).getByRole('row', { name: /Until 30 June 2035 Until 31 March 2035/ })
  await expect(days).toBeVisible()
  await button(office, 'Save mine').click()
  await expect(toastOf(office)).toContainText('Free access given')
  await van.reload()
  await expect(van.getByText('Until 30 June 2035').first()).toBeVisible()

  for (const page of [office, van]) {
    await page.goto('/admin/tiers')
    await button(page, 'Edit Alliance Lite').click()
  }
  await van.getByLabel('Description').fill('For one van')
  await office.getByLabel('Description').fill('For a start')
  await button(van, 'Save tier').click()
  await expect(toastOf(van)).toContainText('Tier saved')
  await button(office, 'Save tier').click()
  await expect(differences(office).getByRole('row', { name: 'Description For a start For one van' })).toBeVisible()
  await button(office, 'Save mine').click()
  await expect(toastOf(office)).toContainText('Tier saved')

  // One writes a note in the van. The other reads it at the desk, and sees in the log who did what.
  await openMember(van, person.email, 'Robin Ash')
  await van.getByText('Add a note').click()
  await van.getByLabel('Note, for owners only').fill('Rang from the van.')
  await button(van, 'Save the note').click()
  await expect(toastOf(van)).toContainText('Note saved')
  await openMember(office, person.email, 'Robin Ash')
  await expect(office.getByText('Rang from the van.')).toBeVisible()
  await office.goto(`/admin/audit?member=${person.email}`)
  for (const name of ['Olive Hart', 'Owen Pike'])
    await expect(office.getByRole('row', { name: new RegExp(`${name}.*Free access given`) })).toBeVisible()
  await expect(dialog(office)).toHaveCount(0)
  await context.close()
})
