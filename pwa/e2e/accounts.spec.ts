import type { Page } from '@playwright/test'
import { videoSeeds } from '#data/seed/videos.ts'
import { everydaySizes, expect, fillLogin, linkIn, mailTo, test, toastOf } from './fixtures.ts'
import { syncLine } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'

const published = videoSeeds.filter(({ isPublished }) => isPublished).length

const banner = (page: Page) => page.getByRole('region', { name: 'Billing' })
const membersOnly = (page: Page) => page.getByRole('heading', { name: 'Members Only' })
const strategy = (page: Page) => page.getByRole('heading', { name: 'Strategy' })

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test('AUTH-1 AUTH-2 EMSG-1 EMSG-2 EMSG-44 EMSG-45 MEMB-04 from the members’ area to the login and back', async ({
      page,
    }) => {
      await page.goto('/members?tab=billing')
      await expect(toastOf(page)).toContainText('Access Required')
      await page.waitForURL('**/login?redirect=*')
      const form = page.getByRole('form', { name: 'Log in' })
      await expect(form.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
        'href',
        '/forgot-password',
      )
      await expect(form.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/')
      await fillLogin(page, 'standard@', 'short')
      await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address')
      await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
        'Password must be at least 6 characters',
      )
      await expect(form.getByLabel('Email')).toBeFocused()
      await fillLogin(page, 'standard@alliance.test', 'not the password')
      await expect(toastOf(page)).toContainText('Login failed')
      await expect(form.getByLabel('Email')).toHaveValue('standard@alliance.test')
      const loggedIn = page.waitForResponse((response) => response.url().endsWith('/api/auth/login') && response.ok())
      await fillLogin(page, 'standard@alliance.test')
      const response = await loggedIn
      await response.finished()
      // By the browser's own clock: on a busy machine we hear of it late.
      const { startTime, responseEnd } = response.request().timing()
      await expect(toastOf(page)).toContainText('Welcome back!Redirecting to your members area...')
      await page.waitForURL('**/members?tab=billing')
      expect(Date.now() - startTime - responseEnd).toBeGreaterThan(900)
      await expect(page.getByText('Active', { exact: true })).toBeVisible()
    })

    test('AUTH-2 a login leads to no other site', { tag: '@full' }, async ({ page }) => {
      await page.goto('/login?redirect=//elsewhere.example/members')
      await fillLogin(page, 'standard@alliance.test')
      await page.waitForURL('/members')
      await expect(strategy(page)).toBeVisible()
    })

    test('AUTH-3 AUTH-4 AUTH-5 AUTH-6 EMSG-3 EMSG-5 EMSG-6 a forgotten password is set anew by the mailed link, once', {
      tag: '@full',
    }, async ({ page, playwright, baseURL, extraHTTPHeaders }) => {
      const person = newPerson('Gil', 'Dowel')
      const elsewhere = await playwright.request.newContext({ baseURL, extraHTTPHeaders })
      await joinOverHttp(elsewhere, person)
      await page.goto('/forgot-password')
      await page.getByLabel('Email').fill('somebody.else@example.com')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(page.getByRole('heading', { name: 'CHECK YOUR EMAIL' })).toBeFocused()
      await expect(page.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login')
      await page.getByRole('button', { name: 'Try Different Email' }).click()
      await page.getByLabel('Email').fill(person.email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(toastOf(page)).toContainText('Reset Email Sent')

      const link = linkIn(await mailTo(page.request, person.email, /password/i))
      await page.goto(link)
      await page.reload()
      await expect(page).toHaveURL(link)
      const form = page.getByRole('form', { name: 'Set a new password' })
      await form.getByLabel('New password').fill('short')
      await form.getByRole('button', { name: 'Save the password' }).click()
      await expect(form.getByLabel('New password')).toHaveAccessibleDescription(
        /Password must be at least 8 characters/,
      )
      await form.getByLabel('New password').fill('chalk-line-and-plumb')
      await form.getByRole('button', { name: 'Save the password' }).click()
      await expect(page.getByRole('heading', { name: 'Password Reset Successful' })).toBeVisible()
      await expect(page).toHaveURL('/reset-password')
      expect((await elsewhere.get('/api/auth/user')).status()).toBe(401)
      await elsewhere.dispose()

      await page.getByRole('link', { name: 'Go to Login' }).click()
      await fillLogin(page, person.email, ownPassword)
      await expect(toastOf(page)).toContainText('Login failed')
      await fillLogin(page, person.email, 'chalk-line-and-plumb')
      await page.waitForURL('**/members')
      await expect(page.getByRole('heading', { name: 'GIL' })).toBeVisible()

      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'INVALID RESET LINK' })).toBeVisible()
      await expect(form).toBeHidden()
      await page.getByRole('link', { name: 'Request a new link' }).click()
      await expect(page).toHaveURL('/forgot-password')
    })

    test('MEMB-05 MEMB-06 MEMB-21 an account that was never a member is asked to join', { tag: '@full' }, async ({
      page,
    }) => {
      await logInOverHttp(page.request, 'visitor@alliance.test')
      await page.goto('/members')
      await expect(membersOnly(page)).toBeVisible()
      await expect(page.getByText('Member Access Required')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'JOIN THE MOVEMENT' })).toHaveAttribute(
        'href',
        '/membership-application',
      )
      await expect(banner(page).getByRole('link')).toHaveAttribute('href', '/membership-application')
      await expect(strategy(page)).toBeHidden()
    })

    test('MEMB-06 BILL-03 a payment that failed: a banner, and the videos for as long as the grace runs', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'pastdue@alliance.test')
      await page.goto('/members')
      await expect(banner(page)).toContainText(/^Payment due: £\d+\.00\. You keep your access until \d+ \w+ \d{4}/)
      const pays = { name: /^pay £\d+\.00/i }
      await expect(banner(page).getByRole('link', pays)).toHaveAttribute('href', '/reactivate')
      await expect(strategy(page)).toBeVisible()
      await page.goto('/members?tab=billing')
      await expect(page.getByText('No Active Subscription')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'See your options' })).toHaveAttribute(
        'href',
        '/reactivate',
      )
      await expect(page.getByText(/^Payment due: £/)).toHaveCount(1)
      for (const path of ['/members?tab=billing', '/reactivate']) {
        await page.goto(path)
        await expect(page.getByRole('button', pays)).toBeInViewport({ ratio: 1 })
      }
    })

    test('MEMB-05 MEMB-06 a membership that has ended: a banner, no videos, and the way back', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'lapsed@alliance.test')
      await page.goto('/members')
      await expect(banner(page)).toContainText('No Active Subscription')
      await expect(membersOnly(page)).toBeVisible()
      await expect(strategy(page)).toBeHidden()
    })

    test('BILL-05 a first payment still to come: the videos, no banner, and its day in Billing', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'delayed@alliance.test')
      await page.goto('/members')
      await expect(strategy(page)).toBeVisible()
      await expect(banner(page)).toBeHidden()
      await page.goto('/members?tab=billing')
      await expect(page.getByText(/^Set up – first payment on \d+ \w+ \d{4}$/)).toBeVisible()
    })

    test('MEMB-11 ROLE-05 an owner sees every published video, the admin link, and no banner', {
      tag: '@full',
    }, async ({ page }) => {
      await logInOverHttp(page.request, 'owner2@alliance.test')
      await page.goto('/members')
      await expect(page.getByRole('link', { name: 'Admin' })).toHaveAttribute('href', '/admin')
      await expect(strategy(page)).toBeVisible()
      await expect(page.getByText(String(published), { exact: true })).toBeVisible()
      await expect(banner(page)).toBeHidden()
      await expect(membersOnly(page)).toBeHidden()
      await expect(syncLine(page)).toContainText('Your ticks are saved')
    })
  })
}
