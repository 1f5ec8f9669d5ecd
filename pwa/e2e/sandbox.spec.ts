import type { Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { everydaySizes, expect, fillLogin, test } from './fixtures.ts'
import { apply, cards, chooseTier, fillCard, fillPayer, payButton } from './join-steps.ts'
import { startOwnServer } from './own-server.ts'
import { newPerson } from './people.ts'

// Playwright runs a script in an email's iframe, which forbids scripts.
test.use({ expectedComplaints: [/Blocked script execution in .*\/sandbox\/mail\//] })

for (const [name, size] of everydaySizes) {
  test.describe(name, { tag: '@full' }, () => {
    test.use(size)

    test('somebody new to it is led through the sandbox: each press says what happened, and what is done stays done', async ({
      page,
    }) => {
      test.slow()
      const server = await startOwnServer()
      try {
        const [link = ''] = /http:\S+\/sandbox$/m.exec(server.out) ?? []
        await page.goto(link)
        await expect(page.getByText('0 of 8 done.')).toBeVisible()
        await test.step('both themes are sound', () => findFaults(page))
        await test.step('joins', () => join(page))
        await test.step('fails a payment, by the keyboard', () => failPayment(page))
        await test.step('sees the mail', () => seeMail(page))
        await test.step('logs in as an owner', () => logInAsOwner(page))
        await press(page, 'I’ve seen my logo', 'Next: play a video with no signal.')
        await press(page, 'It played', 'Next: tick one off with no signal.')
        await press(page, 'I’ve tried it', 'That was the last one.')
        await page.reload()
        await expect(page.getByText('8 of 8 done.')).toBeVisible()
        expect(await findViolations(page)).toEqual([])
      } finally {
        await server.stop()
      }
    })
  })
}

async function findFaults(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findViolations(page)).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
}

async function open(page: Page, link: string): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: link }).click()])
  return opened
}

async function press(page: Page, button: string, said: string | RegExp) {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('status').filter({ hasText: said })).toBeVisible()
}

async function join(page: Page) {
  const opened = await open(page, 'Join (new tab)')
  await apply(opened, newPerson('Mick', 'Barrow'))
  await chooseTier(opened, 'JOIN ALLIANCE LITE')
  await fillCard(opened, cards.pays)
  await fillPayer(opened)
  await payButton(opened).click()
  await expect(opened.getByRole('heading', { name: 'Lite includes' })).toBeVisible()
  await opened.close()
  await page.getByRole('link', { name: 'Check again' }).click()
  await expect(page.getByRole('heading', { name: 'Join as a member Done' })).toBeVisible()
}

async function failPayment(page: Page) {
  const button = page.getByRole('button', { name: 'Give a member a bad card' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Priya Shah .* now has a card the bank will turn down/)).toBeVisible()
  await press(page, 'Go on a month', 'Your payment didn’t go through” to standard@alliance.test')
}

async function seeMail(page: Page) {
  const mailbox = await open(page, 'Open the mailbox')
  await mailbox.getByRole('link', { name: 'Your payment didn’t go through' }).first().click()
  await expect(mailbox.getByRole('heading', { name: 'Your payment didn’t go through' })).toBeVisible()
  await mailbox.close()
  await press(page, 'I’ve read one', 'Next: log in as an owner.')
}

/** Fills in the form, because the page gives no one a session. */
async function logInAsOwner(page: Page) {
  await page.getByRole('link', { name: 'Check again' }).click()
  await (await open(page, 'Log out')).close()
  const opened = await open(page, 'Open the login form')
  await fillLogin(opened, 'owner@alliance.test')
  await opened.waitForURL('**/admin**')
  await expect(opened.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await opened.close()
  await press(page, 'I’ve been in', 'Next: change the logo.')
}
