import type { BrowserContext, Page } from '@playwright/test'
import * as v from 'valibot'
import { sandboxPassword } from '#data/seed/people.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { ProgressChange, SyncRequest } from '#shared/contract/progress.ts'
import { MembershipTier } from '#shared/contract/tier.ts'
import { pages } from './content.ts'
import { everydaySizes, expect, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { applicationOf, apply, cards, fillCard, fillPayer, payButton } from './join-steps.ts'
import { openList, progressByTitle, pull, rowOf, syncLine, tick, untick } from './members-steps.ts'
import { newPerson, ownPassword, type Person } from './people.ts'
import { alliance } from './terminal.ts'

test.use(withServiceWorker)

const watched = ['Where the business is now', 'The year on one page', 'Choosing the work you want'] as const
const progress = { [watched[0]]: true, [watched[1]]: true, [watched[2]]: false }

for (const [name, size] of everydaySizes) {
  test.describe(name, () => {
    test.use(size)

    test(
      'JOIN-01 JOIN-15 TIER-02 PAY-06 PROG-02 the whole story: joins, pays, ticks in a cellar, is seen in the terminal',
      { tag: '@old' },
      async ({ page, context }, testInfo) => {
        test.slow()
        const person = newPerson('Sidney', 'Flint')
        const sent = sentChanges(context)
        await test.step('a visitor picks a tier', () => pickTier(page))
        await test.step('applies', () => applyWithFaultsFirst(page, person))
        await test.step('pays', () => pay(page, person))
        await test.step('sets a password and enters the members’ area', () => goIn(page))
        const again = await test.step('ticks without signal', () => tickInCellar(page))
        await test.step('comes back up', () => comeBack(again))
        await test.step('the server has each tick once', async () => {
          expect(sent.map(({ completed }) => completed)).toEqual([true, true, true, false])
          expect(new Set(sent.map(({ id }) => id)).size).toBe(4)
          expect(await progressByTitle(context.request)).toEqual(progress)
          // The server knows every id already, so what they say this time changes nothing.
          const before = await pull(context.request)
          const replayed = sent.map((change) => ({ ...change, completed: !change.completed, counter: 1_000 }))
          expect(await pull(context.request, replayed)).toEqual(before)
        })
        await test.step('an owner sees the new member in the terminal', () =>
          seeInTerminal(person, new URL(again.url()).origin, testInfo.outputPath('home')))
      },
    )
  })
}

function sentChanges(context: BrowserContext): ProgressChange[] {
  const sent: ProgressChange[] = []
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/video-progress/sync')) return
    const { changes } = v.parse(SyncRequest, request.postDataJSON())
    sent.push(...changes.map((change) => v.parse(ProgressChange, change)))
  })
  return sent
}

async function pickTier(page: Page) {
  await page.goto('/')
  await page.getByRole('link', { name: pages.home.actions.join }).click()
  await page.waitForURL('**/membership-tiers')
  // The join page reads the choice once and removes it, so we record it on its way.
  await page.evaluate(() => {
    const put = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, value) {
      if (key === 'selectedTier') sessionStorage.setItem('seen-tier', value)
      put.call(this, key, value)
    }
  })
  await page.getByRole('button', { name: 'JOIN ALLIANCE LITE' }).click()
  await page.waitForURL('**/membership-application')
  const seen = await page.evaluate(() => sessionStorage.getItem('seen-tier'))
  expect(v.parse(MembershipTier, JSON.parse(seen ?? ''))).toMatchObject({ slug: 'lite', price: 12_500 })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('selectedTier'))).toBeNull()
}

async function applyWithFaultsFirst(page: Page, person: Person) {
  const form = page.getByRole('form', { name: 'Application' })
  await form.getByRole('button', { name: 'Continue to tiers' }).click()
  for (const [label] of applicationOf(person))
    await expect(form.getByLabel(label, { exact: true })).toHaveAccessibleDescription(/(is|are) required|valid email/)
  await expect(form.getByLabel('Business stage')).toHaveAccessibleDescription('Business stage is required')
  await expect(form.getByLabel('I agree to the terms')).toHaveAccessibleDescription(/Agree to the terms/)
  await expect(form.getByLabel('First name')).toBeFocused()
  await apply(page, person)
}

async function pay(page: Page, person: Person) {
  await expect(page.getByRole('button', { name: 'SELECTED' })).toHaveCount(1)
  await page.getByText('See the other tiers').click()
  await page.getByRole('button', { name: 'JOIN ALLIANCE', exact: true }).click()
  await expect(toastOf(page)).toContainText('Ready for Payment!')
  await expect(page.getByText(`For ${person.email}`)).toBeVisible()
  const plan = page.getByRole('complementary', { name: 'Plan summary' })
  for (const amount of ['£250.00', '£50.00', '£300.00']) await expect(plan.getByText(amount).first()).toBeVisible()
  await fillCard(page, cards.pays)
  await fillPayer(page)
  await payButton(page).click()
  await expect(toastOf(page)).toContainText(
    'Payment Successful!Welcome to the membership! Your subscription is now active.',
  )
}

async function goIn(page: Page) {
  await expect(page.getByRole('heading', { name: 'Alliance includes' })).toBeVisible()
  const slip = page.getByRole('status', { name: 'Your payment' })
  await expect(slip).toContainText(/Paid.*£300\.00.*VAT invoice.*A-\d{6}.*Paid until/)
  const form = page.getByRole('form', { name: 'Set your password' })
  await form.getByLabel('New password').fill(ownPassword)
  await form.getByRole('button', { name: 'Set the password' }).click()
  await expect(toastOf(page)).toContainText('Password set')
  await page.getByRole('link', { name: 'Open the members’ area' }).click()
  await expect(page.getByRole('heading', { name: 'SIDNEY' })).toBeVisible()
  await expect(slip).toContainText('£300.00')
  await slip.getByRole('button', { name: 'Close' }).click()
  await expect(slip).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
  await expect(syncLine(page)).toContainText('Your ticks are saved ·')
}

async function tickInCellar(page: Page): Promise<Page> {
  const context = page.context()
  await underServiceWorker(page)
  await context.setOffline(true)
  const calls: string[] = []
  context.on('request', (request) => calls.push(new URL(request.url()).pathname))
  // What the page before was still asking for isn't the launch's.
  page.once('framenavigated', () => calls.splice(0))
  await page.reload()
  await expect(rowOf(page, watched[0])).toContainText('Not completed')
  expect(calls.filter((path) => path.startsWith('/api/'))).toEqual([])
  for (const title of watched) await tick(page, title)
  await expect(toastOf(page)).toContainText('Video CompletedSaved on this phone.')
  await expect(syncLine(page)).toContainText('No signal. 3 waiting on this phone.')
  await untick(page, watched[2])
  await expect(syncLine(page)).toContainText(/No signal\. \d waiting .*Last updated \d\d:\d\d/)
  for (const title of watched) await expect(rowOf(page, title)).toContainText('Waiting to send')
  await page.close()
  const again = await context.newPage()
  await openList(again)
  for (const title of watched) await expect(rowOf(again, title)).toContainText('Waiting to send')
  await expect(rowOf(again, watched[1])).toContainText('Completed')
  await expect(rowOf(again, watched[2])).toContainText('Not completed')
  return again
}

async function comeBack(page: Page) {
  await page.context().setOffline(false)
  await expect(syncLine(page)).toContainText('Your ticks are saved ·')
  for (const title of watched) await expect(rowOf(page, title)).not.toContainText('Waiting to send')
}

async function seeInTerminal(person: Person, api: string, home: string) {
  const owner = ['login', '--api', api, '--email', 'owner@alliance.test', '--password-stdin']
  expect(await alliance(home, owner, sandboxPassword)).toMatchObject({ code: 0, stdout: '' })
  const shown = await alliance(home, ['members', 'show', person.email, '--json', '--api', api])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(v.parse(AdminMemberDetail, JSON.parse(shown.stdout))).toMatchObject({
    ...person,
    membershipType: 'standard',
    status: 'active',
    isMember: true,
    hasPassword: true,
    videosCompleted: 2,
  })
}
