import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { ProgressChange, SyncRequest } from '#shared/contract/progress.ts'
import { expect, fillLogin, phone, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { progressByTitle, rowOf, syncLine, tick, untick } from './members-steps.ts'

test.use({
  ...phone,
  ...withServiceWorker,
  expectedComplaints: [/dynamically imported module|Unable to preload/],
})

type Account = {
  name: string
  firstName: string
  line: RegExp
  hasVideos: boolean
  /** The state's button, and what its page offers. */
  action?: { link: RegExp; offers: RegExp }
}

const accounts: Account[] = [
  { name: 'lite', firstName: 'DANNY', line: /^Paid until .+ Then we’ll take £\d+\.00/, hasVideos: true },
  { name: 'standard', firstName: 'PRIYA', line: /^Paid until .+ Then we’ll take £300\.00/, hasVideos: true },
  { name: 'xl', firstName: 'TOM', line: /^Paid until .+ Then we’ll take £540\.00/, hasVideos: true },
  {
    name: 'pastdue',
    firstName: 'GARETH',
    line: /^Payment due: £300\.00\. You keep your access until/,
    hasVideos: true,
    action: { link: /^Pay £300\.00/i, offers: /^PAY £300\.00/i },
  },
  {
    name: 'lapsed',
    firstName: 'KELLY',
    line: /^Your membership ended on .+ Start again/,
    hasVideos: false,
    action: { link: /^Reactivate/, offers: /^Reactivate/i },
  },
  {
    name: 'visitor',
    firstName: 'SAM',
    line: /^You don’t have a membership yet\./,
    hasVideos: false,
    action: { link: /^Join$/, offers: /^Continue to tiers$/ },
  },
  { name: 'delayed', firstName: 'MO', line: /^You have access\. Your first payment of £300\.00/, hasVideos: true },
  { name: 'owner', firstName: 'OLIVE', line: /^You’re an owner, so everything’s open to you\./, hasVideos: true },
]

const title = 'Saying no and keeping the customer'
const main = (page: Page) => page.getByRole('main')

/** Neither blank nor loading for ever: text, and no skeleton. */
async function expectContent(page: Page, where: string) {
  await expect(main(page).locator('.skeleton:visible'), `${where}: still loading`).toHaveCount(0)
  await expect(main(page), `${where}: blank`).toContainText(/\w{3,}.{10,}/s)
}

/** Presses, loses the signal in the middle of what follows, and restores it once the screen has settled. */
async function pressAndLose(page: Page, press: () => Promise<void>, where: string) {
  await press()
  await page.context().setOffline(true)
  await expectContent(page, where)
  await page.context().setOffline(false)
}

async function logIn(page: Page, email: string) {
  await page.goto('/login')
  await underServiceWorker(page)
  await page.context().setOffline(true)
  await fillLogin(page, email)
  await expect(toastOf(page)).toContainText('Login failed')
  const form = page.getByRole('form', { name: 'Log in' })
  await expect(form.getByLabel('Email')).toHaveValue(email)
  await expect(form.getByLabel('Password', { exact: true })).not.toHaveValue('')
  await page.context().setOffline(false)
  const loggedIn = page.waitForResponse((response) => response.url().endsWith('/api/auth/login') && response.ok())
  const pressed = form.getByRole('button', { name: 'Log in' }).click()
  await loggedIn
  await page.context().setOffline(true)
  await pressed
  await page.waitForURL(/\/(members|admin)$/)
  if (page.url().endsWith('/admin')) await page.goto('/members')
  await expectContent(page, 'the members’ area after the login')
  await page.context().setOffline(false)
}

/** The server gets the tick, but its response is lost. */
async function tickOnce(page: Page) {
  const ids: unknown[] = []
  let isLost = false
  await page.route('**/api/video-progress/sync', async (route) => {
    const { changes } = v.parse(SyncRequest, route.request().postDataJSON())
    ids.push(...v.parse(v.array(ProgressChange), changes).map(({ id }) => id))
    if (changes.length === 0 || isLost) return route.continue()
    isLost = true
    await route.fetch()
    await page.context().setOffline(true)
    return route.abort()
  })
  await tick(page, title)
  await expect.poll(() => isLost).toBe(true)
  await expect(syncLine(page)).toContainText('1 waiting')
  await page.context().setOffline(false)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  expect(new Set(ids).size).toBe(1)
  expect(await progressByTitle(page.request)).toMatchObject({ [title]: true })
  await page.unroute('**/api/video-progress/sync')
  await untick(page, title)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
}

async function seeTabs(page: Page, { firstName, line }: Account) {
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Member pages' }).getByRole('link', { name, exact: true }).click()
  await pressAndLose(page, () => tab('Billing'), 'Billing')
  await expect(main(page).getByText(line).first()).toBeVisible()
  await page.context().setOffline(true)
  await page.reload()
  await expect(main(page).getByText(line).first()).toBeVisible()
  await page.context().setOffline(false)
  await pressAndLose(page, () => tab('Profile'), 'Profile')
  await expect(main(page).getByText(new RegExp(`^${firstName} `, 'i'))).toBeVisible()
}

async function logOut(page: Page) {
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Logout' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(main(page).getByText('Logging out')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().setOffline(false)
  await expect.poll(async () => (await page.request.get('/api/auth/user')).status()).toBe(401)
}

for (const account of accounts)
  test(`${account.name}@ goes their way while the signal is lost in the middle of each step`, { tag: '@full' }, async ({
    page,
  }) => {
    await logIn(page, `${account.name}@alliance.test`)
    await expect(page.getByRole('heading', { name: account.firstName, exact: true, level: 1 })).toBeVisible()
    const { action } = account
    if (action) {
      await pressAndLose(page, () => main(page).getByRole('link', { name: action.link }).first().click(), 'the way on')
      const offer = main(page).getByRole('button', { name: action.offers })
      await expect(offer.or(main(page).getByRole('link', { name: action.offers })).first()).toBeVisible()
      await page.goto('/members')
    }
    if (account.hasVideos) {
      await expect(rowOf(page, title)).toBeVisible()
      await tickOnce(page)
    } else await expect(page.getByRole('heading', { name: 'Members Only' })).toBeVisible()
    await seeTabs(page, account)
    await logOut(page)
  })
