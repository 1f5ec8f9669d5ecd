import { expect, phone, test } from './fixtures.ts'
import { apply, cardForm, cards, fillCard, fillPayer, payButton } from './join-steps.ts'
import { startOwnServer } from './own-server.ts'
import { billingOf, newPerson } from './people.ts'
import { allianceIn } from './terminal.ts'

test('TIER-21 JOIN-01 PAY-06 a year is chosen on the card, survives reloads, is paid, renewed after a word, and can be cancelled', {
  tag: '@full',
}, async ({ browser }) => {
  test.slow()
  const server = await startOwnServer()
  const alliance = async (line: string) => {
    const { code, stdout, stderr } = await allianceIn(server.env, line.split(' '))
    expect(code, stderr).toBe(0)
    return stdout
  }
  try {
    await alliance('tiers price set standard year 2500 --yes')
    const context = await browser.newContext({ ...phone, baseURL: server.url })
    const page = await context.newPage()
    await page.goto('/membership-tiers')
    const card = page.getByRole('article').filter({ hasText: 'JOIN ALLIANCE' }).nth(1)
    await expect(card).toContainText('or £2,500 + VAT a year: two months free')
    await page.getByText('By the year', { exact: true }).click()
    await expect(card).toContainText('£2,500 + VAT/year')
    await page.getByRole('button', { name: 'JOIN ALLIANCE', exact: true }).click()
    const person = newPerson('Yan', 'Rafter')
    await expect(page.getByText('£3,000.00 a year').first()).toBeVisible()
    await page.reload()
    await apply(page, person)
    await page.getByRole('button', { name: 'Continue with Alliance' }).click()
    await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('complementary', { name: 'Plan summary' })).toContainText('Alliance, per year')
    await fillCard(page, cards.pays)
    await fillPayer(page, /^Take £3,000\.00 today and £3,000\.00 a year until I cancel\.$/)
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: 'Alliance includes' })).toBeVisible({ timeout: 30_000 })
    await expect.poll(async () => (await billingOf(context.request)).plan?.months).toBe(12)

    await page.goto('/members?tab=billing')
    await expect(page.getByText(/^Paid until .+ Then we’ll take £3,000\.00 for the next year\.$/)).toBeVisible()
    await page.getByRole('button', { name: 'Change tier' }).click()
    await expect(page.getByRole('radio', { name: 'By the year' })).toBeChecked()
    await page.getByRole('button', { name: 'Keep Alliance' }).click()

    await alliance('sandbox advance 336d')
    await alliance('jobs run renewals')
    expect(await alliance('mail list --limit 20 --csv')).toContain('Your membership renews on')
    await alliance('sandbox advance 31d')
    await page.reload()
    await expect(page.getByRole('cell', { name: '£3,000.00' })).toHaveCount(2)
    await page.getByRole('button', { name: 'Cancel membership' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('the year you’ve paid for')
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await expect.poll(async () => (await billingOf(context.request)).endsOn).not.toBeNull()
  } finally {
    await server.stop()
  }
})
