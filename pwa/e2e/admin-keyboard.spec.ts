import { openAdmin } from './admin-steps.ts'
import { desktop, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

test.use(desktop)

test('a day of an owner by keyboard alone: what waits, an application, a member by the phone', {
  tag: '@full',
}, async ({ page }) => {
  const { keyboard } = page
  const focused = page.locator(':focus')
  const sent = await page.request.post('/api/membership-application', {
    data: {
      firstName: 'Keith',
      lastName: 'Board',
      email: 'keith@example.com',
      phone: '07700 900456',
      businessName: 'Board Roofing',
      trade: 'Roofer',
      businessStage: 'growing',
      yearsInTrade: '12',
      currentChallenges: 'Quoting',
      goals: 'Rest',
      whyJoin: 'A mate',
      hearAboutUs: 'Podcast',
      agreeTerms: true,
    },
  })
  expect(sent.status()).toBe(200)
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/members')
  await expect(page.getByRole('row', { name: /Priya Shah/ })).toBeVisible()

  await keyboard.press('Control+k')
  await expect(focused).toHaveRole('combobox')
  await keyboard.type('today')
  await expectSound(page, 'the command menu')
  await keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Keith Board', exact: true })).toBeVisible()
  await expectSound(page, 'today')
  for (let row = 0; row < 10; row++) {
    await keyboard.press('j')
    if ((await focused.textContent())?.includes('Keith Board')) break
  }
  await keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Keith Board/ })).toBeVisible()
  await keyboard.press('Escape')
  await page.getByRole('link', { name: 'Keith Board', exact: true }).focus()
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/applications?q=keith%40example.com')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await keyboard.press('j')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Keith Board' })
  await expect(dialog.getByRole('link', { name: '07700 900456' })).toHaveAttribute('href', 'tel:07700900456')
  const status = dialog.getByRole('combobox', { name: 'Keith Board’s status' })
  while (!(await status.evaluate((select) => select === document.activeElement))) await keyboard.press('Tab')
  await keyboard.type('Approved')
  await expect(status).toHaveValue('approved')
  await keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /Keith Board.*Approved/ })).toBeVisible()
  await expect(focused).toHaveAccessibleName(/Keith Board/)

  await keyboard.press('?')
  await expectSound(page, 'the shortcuts')
  await keyboard.press('Escape')
  await keyboard.press('g')
  await keyboard.press('m')
  await expect(page).toHaveURL('/admin/members')
  await keyboard.press('/')
  await keyboard.type('priya')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await keyboard.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(/Priya Shah/)
})

test('Find leads to the group of a setting, from elsewhere and on its page', { tag: '@full' }, async ({ page }) => {
  await openAdmin(page)
  for (const [setting, group] of [
    ['Ad tracking script', 'Analytics'],
    ['Facebook', 'Community and networks'],
    ['Sales partner’s email', 'The sales partner, on commission statements'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^A member, a place/ }).fill(setting)
    await page.getByRole('option', { name: `Setting: ${setting}`, exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 3, name: group, exact: true })).toBeInViewport()
  }
})
