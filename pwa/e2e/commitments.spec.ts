import type { Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { desktop, expect, phone, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { openList } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'

test.use({ ...phone, ...withServiceWorker })

const field = (page: Page) => page.getByRole('textbox', { name: 'I’ll…' })
/** Nothing lies half below the dock at the end of the page. */
async function expectSoundPage(page: Page) {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await findViolations(page)).toEqual([])
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openCommitments(page: Page) {
  await page.goto('/members/commitments')
  await expect(page.getByRole('heading', { level: 1, name: 'What you said you’d do' })).toBeVisible()
  await expect(field(page)).toBeVisible()
}

test('a member says what they’ll do without signal, ticks it, and the coach sees it and suggests the next', async ({
  page,
  browser,
}) => {
  test.slow()
  const person = newPerson('Dan', 'Mortice')
  await joinOverHttp(page.request, person, 'xl')
  await openList(page)
  await underServiceWorker(page)
  await openCommitments(page)
  await page.context().setOffline(true)
  await field(page).fill('put my day rate up by Friday')
  await page.reload()
  await expect(field(page)).toHaveValue('put my day rate up by Friday')
  await page.getByRole('button', { name: 'Put it on my list' }).dblclick()
  await expect(toastOf(page)).toContainText('On your list')
  const todo = part(page, 'To do')
  await expect(todo.getByRole('listitem')).toHaveCount(1)
  await expect(todo.getByText('Waiting to send')).toBeVisible()
  await expect(page.getByText('We’ll send it when you’re back in range.')).toBeVisible()
  await field(page).fill('ring three builders')
  await page.getByRole('button', { name: 'Put it on my list' }).click()
  await expect(todo.getByRole('listitem')).toHaveCount(2)
  const rate = todo.getByRole('listitem').filter({ hasText: 'put my day rate up' })
  await rate.getByRole('button', { name: 'Done' }).click()
  await expect(rate.getByRole('button', { name: 'Not done yet' })).toBeFocused()
  await expectSoundPage(page)
  await page.goto('/members')
  const first = part(page, 'You said you’d do')
  await expect(first.getByText('ring three builders')).toBeVisible()
  await expect(first.getByText('put my day rate up')).toHaveCount(0)
  await page.context().setOffline(false)
  await openCommitments(page)
  await expect(page.getByText('Waiting to send')).toHaveCount(0)
  await expectSoundPage(page)

  const desk = await browser.newContext({ ...desktop, baseURL: new URL(page.url()).origin })
  const coach = await desk.newPage()
  await logInOverHttp(coach.request, 'owner@alliance.test')
  await coach.goto(`/admin/members/${encodeURIComponent(person.email)}`)
  const said = coach.getByRole('region', { name: 'What they said they’d do' })
  await expect(said.getByText('ring three builders')).toBeVisible()
  await expect(said.getByText(/^Done today/)).toBeVisible()
  await said.getByRole('button', { name: 'Suggest something' }).click()
  const dialog = coach.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'What could they do?' }).fill('Send me last month’s invoices')
  await dialog.getByRole('button', { name: 'Suggest it' }).click()
  await expect(said.getByText('Send me last month’s invoices')).toBeVisible()
  expect(await findViolations(coach)).toEqual([])
  await desk.close()

  await openCommitments(page)
  const asked = part(page, 'Your coach suggests')
  await asked.getByRole('button', { name: 'Yes, I’ll do it' }).click()
  await expect(todo.getByText('Send me last month’s invoices')).toBeVisible()
})
