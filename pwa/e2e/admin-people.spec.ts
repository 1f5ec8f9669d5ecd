import * as v from 'valibot'
import { AdminMemberList } from '#shared/contract/members.ts'
import { expect, phone, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'
import { expectNothingStoredOf } from './stored-data.ts'

test.use(phone)

test('IMP-2 IMP-3 MEMB-12 an owner views as a member on a phone, and nothing of them is left afterwards', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/members')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'View as Member' }).click()
  await page.getByLabel('Reason').fill('A video does not play')
  await expect(page.getByRole('button', { name: 'View as Priya Shah' })).toBeVisible()
  await expectSound(page, 'choosing a member')
  await page.getByRole('button', { name: 'View as Priya Shah' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'PRIYA' })).toBeVisible()
  const strip = page.getByRole('region', { name: 'Viewing as a member' })
  await expect(strip).toContainText('30 minutes left')
  await expect(page.getByRole('button', { name: /^Mark Complete/ }).first()).toBeDisabled()
  await expectSound(page, 'viewing as a member')
  await page.goto('/about')
  await strip.getByRole('button', { name: 'Stop Viewing as Member' }).click()
  await expect(page).toHaveURL('/admin')
  await page.goto('/about')
  await expect(strip).toHaveCount(0)
  await expectNothingStoredOf(page, ['priya', 'shah', 'A video does not play'])
})

test('SIMP-6 CALLS-21 an owner opens an application, notes a call and sends an invitation that opens the join at its tier', {
  tag: '@full',
}, async ({ page }) => {
  const sent = await page.request.post('/api/membership-application', {
    data: {
      firstName: 'Nell',
      lastName: 'Hargreave',
      email: 'nell@example.com',
      phone: '07700 900123',
      businessName: 'Hargreave Joinery',
      trade: 'Joiner',
      businessStage: 'growing',
      yearsInTrade: '12',
      currentChallenges: 'Quoting at night',
      goals: 'Rest',
      whyJoin: 'A mate',
      hearAboutUs: 'Podcast',
      agreeTerms: true,
      selectedTier: 'xl',
    },
  })
  expect(sent.status()).toBe(200)
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/applications?q=hargreave')
  await page.getByRole('button', { name: 'Open Nell Hargreave’s application' }).click()
  await page.getByRole('combobox', { name: 'Nell Hargreave’s status' }).selectOption('approved')
  await page.getByText('Add a note').click()
  await page.getByLabel('Note, for owners only').fill('Rang twice.')
  await page.getByRole('button', { name: 'Save the note' }).click()
  await expect(page.getByText('Rang twice.')).toBeVisible()
  await page.getByText('Invite to join').click()
  await expectSound(page, 'an application')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  const link = await page.getByText('/membership-application?invitation=').textContent()
  await page.context().clearCookies()
  await page.goto(new URL(link ?? '').pathname + new URL(link ?? '').search)
  await expect(page.getByText('You’re invited to Alliance XL', { exact: true })).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Nell')
  await expect(page.getByRole('complementary', { name: 'Your tier' })).toContainText('Alliance XL')
})

test.describe('at a desk', () => {
  test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })

  test('twelve members are in sight, with everyone’s email a press away', { tag: '@full' }, async ({ page }) => {
    await page.route('**/api/admin/members?*', async (route) => {
      const response = await route.fetch()
      const rows = v.parse(AdminMemberList, await response.json())
      const many = Array.from({ length: 30 }, (_, at) => ({ ...rows[at % rows.length], id: `one-${at}` }))
      await route.fulfill({ response, json: many, headers: { ...response.headers(), 'x-total-count': '30' } })
    })
    await logInOverHttp(page.request, 'owner@alliance.test')
    await page.goto('/admin/members')
    const rows = page.getByRole('table', { name: 'Members (Active)' }).locator('tbody tr')
    await expect(rows).toHaveCount(30)
    await expect(rows.nth(11)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('link', { name: 'Email everyone' })).toBeVisible()
  })
})
