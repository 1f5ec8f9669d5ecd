import type { Locator, Page } from '@playwright/test'
import { sandboxPassword } from '#data/seed/people.ts'
import { forgetProof } from './database.ts'
import { desktop, expect, test } from './fixtures.ts'
import { joinOverHttp, newPerson } from './people.ts'
import { expectSound } from './sound.ts'

test.use(desktop)

/** Presses Tab until it gets there, as someone without a mouse does. The focus has to be visible at each step. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible()
  for (let steps = 0; steps < 150; steps++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target} cannot be reached with ${key}.`)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function find(page: Page, words: string, found: RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.locator(':focus')).toHaveRole('combobox')
  await page.keyboard.type(words)
  await expect(page.getByRole('option', { name: found }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Find' })).toHaveCount(0)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

async function logIn(page: Page): Promise<void> {
  await page.goto('/login')
  const form = page.getByRole('form', { name: 'Log in' })
  await tabTo(page, form.getByLabel('Email'))
  await page.keyboard.type('owner2@alliance.test')
  await tabTo(page, form.getByLabel('Password', { exact: true }))
  await page.keyboard.type(sandboxPassword)
  await page.keyboard.press('Enter')
  // An owner's login leads to where they were last, which another journey decides.
  await page.waitForURL(/\/(members|admin)$/)
  if (!page.url().endsWith('/admin')) await press(page, page.getByRole('link', { name: 'Admin', exact: true }).first())
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
}

/** Approves the applicant on Today, then notes in the inbox that someone rang them back. */
async function approve(page: Page): Promise<void> {
  const { keyboard } = page
  const focused = page.locator(':focus')
  await find(page, 'today', /Today/)
  await expect(page.getByRole('link', { name: 'Kay Taylor', exact: true })).toBeVisible()
  await expectSound(page, 'today')
  await keyboard.press('j')
  const isOfKay = async () => (await focused.textContent())?.includes('Kay Taylor') ?? false
  for (let row = 0; row < 20 && !(await isOfKay()); row++) await keyboard.press('j')
  await keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Approve Kay Taylor?' })
  await expect(question.getByRole('button', { name: 'Approve' })).toBeFocused()
  await expectSound(page, 'what approving does')
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Kay Taylor', exact: true })).toHaveCount(0)
  await find(page, 'applications', /Applications/)
  await expect(page.getByRole('row', { name: /Kay Taylor/ })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
  await keyboard.press('j')
  for (let row = 0; row < 20 && !(await isOfKay()); row++) await keyboard.press('j')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Kay Taylor' })
  const status = dialog.getByRole('combobox', { name: 'Kay Taylor’s status' })
  await expect(status).toHaveValue('approved')
  await press(page, dialog.getByText('Add a note'))
  await tabTo(page, dialog.getByLabel('Note, for owners only'))
  await keyboard.type('Rang back: Tuesday at eight.')
  await press(page, dialog.getByRole('button', { name: 'Save the note' }))
  await expect(dialog.getByText('Rang back: Tuesday at eight.')).toBeVisible()
  await expectSound(page, 'an application with its note')
  await keyboard.press('Escape')
  await expect(focused).toHaveAccessibleName(/Kay Taylor/)
}

async function refund(page: Page, email: string): Promise<void> {
  await forgetProof('owner2@alliance.test')
  await find(page, email, /Kit Bowden/)
  await expect(page.getByRole('heading', { level: 1, name: 'Kit Bowden' })).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
  await press(page, button(page, /^Refund invoice/))
  const dialog = page.getByRole('dialog', { name: 'Refund Kit Bowden?' })
  await expect(dialog.getByLabel('Amount with VAT (£)')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('25')
  await tabTo(page, dialog.getByLabel('Reason'))
  await page.keyboard.type('A call that was missed')
  await press(page, dialog.getByRole('button', { name: 'Refund £25.00' }))
  await expect(page.getByRole('dialog', { name: 'Enter your password' }).getByRole('textbox')).toBeFocused()
  await page.keyboard.type(sandboxPassword)
  await expectSound(page, 'the password asked for again')
  await page.keyboard.press('Enter')
  await expect(page.getByText('£25.00 refunded', { exact: true })).toBeVisible()
}

/** Edits the tier and restores it, because other journeys read it. */
async function editTier(page: Page): Promise<void> {
  await find(page, 'tiers', /Tiers/)
  for (const key of ['!', 'Backspace']) {
    await press(page, button(page, 'Edit Alliance XL'))
    const dialog = page.getByRole('dialog', { name: 'Edit: Alliance XL' })
    await tabTo(page, dialog.getByLabel(/Description/))
    await page.keyboard.press('End')
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.locator(':focus')).toHaveAccessibleName('Edit Alliance XL')
  }
}

async function publishPost(page: Page): Promise<void> {
  await find(page, 'new post', /New post/)
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.type('Written without a mouse')
  await tabTo(page, page.getByRole('textbox', { name: 'Content' }))
  await page.keyboard.type('Tab by Tab.')
  await tabTo(page, page.getByLabel('Publish', { exact: true }))
  await page.keyboard.press('ArrowDown')
  await press(page, button(page, 'Publish now'))
  await expect(page.getByRole('link', { name: 'Written without a mouse', exact: true })).toBeVisible()
  await expect.poll(async () => (await page.request.get('/api/blog/written-without-a-mouse')).status()).toBe(200)
  await press(page, button(page, 'More for Written without a mouse'))
  await press(page, button(page, 'Delete: Written without a mouse'))
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete blog post' }))
  await expect(page.getByRole('link', { name: 'Written without a mouse', exact: true })).toHaveCount(0)
}

async function orderVideos(page: Page): Promise<void> {
  await find(page, 'videos', /Videos/)
  const titles = page.getByRole('region', { name: 'Welcome', exact: true }).or(page.locator('.vids').first())
  const grips = titles.first().getByRole('button', { name: /^Move / })
  const name = (await grips.first().getAttribute('aria-label')) ?? ''
  for (const key of ['ArrowDown', 'ArrowUp']) {
    await tabTo(page, button(page, name))
    await page.keyboard.press('Space')
    await page.keyboard.press(key)
    await page.keyboard.press('Space')
    await expect(page.getByText('Order saved', { exact: true }).first()).toBeVisible()
    await expect(button(page, name)).not.toHaveAttribute('aria-disabled')
    await expect(page.locator(':focus')).toHaveAccessibleName(name)
  }
}

async function viewAsMember(page: Page, email: string): Promise<void> {
  await find(page, 'view as', /View as Member/)
  const dialog = page.getByRole('dialog', { name: 'View as Member' })
  await tabTo(page, dialog.getByLabel('Reason'))
  await page.keyboard.type('A video does not play')
  await tabTo(page, dialog.getByLabel('Find a member'))
  await page.keyboard.type(email)
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await press(page, dialog.getByRole('button', { name: 'View as Kit Bowden' }))
  const strip = page.getByRole('region', { name: 'Viewing as a member' })
  await expect(strip).toContainText('30 minutes left')
  await press(page, strip.getByRole('button', { name: 'Stop Viewing as Member' }))
  await expect(page).toHaveURL('/admin')
}

test('a whole day of an owner by keyboard alone, from the login on', { tag: '@full' }, async ({ page, request }) => {
  test.setTimeout(600_000)
  const kit = newPerson('Kit', 'Bowden')
  await joinOverHttp(request, kit)
  const sent = await request.post('/api/membership-application', {
    data: {
      firstName: 'Kay',
      lastName: 'Taylor',
      email: 'kay@example.com',
      phone: '07700 900457',
      businessName: 'Taylor Tiling',
      trade: 'Tiler',
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
  await test.step('log in', () => logIn(page))
  await test.step('approve an application', () => approve(page))
  await test.step('give a part of a payment back', () => refund(page, kit.email))
  await test.step('edit a tier', () => editTier(page))
  await test.step('publish a post', () => publishPost(page))
  await test.step('order videos', () => orderVideos(page))
  await test.step('view as a member', () => viewAsMember(page, kit.email))
})
