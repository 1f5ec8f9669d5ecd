import { everydaySizes, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

// Both sizes run at the same time, so each has its own coach and episode.
const coaches: Record<string, string> = { phone: 'Olive Hart', desktop: 'Owen Pike' }

for (const [size, viewport] of everydaySizes) {
  const coach = coaches[size] ?? 'Olive Hart'
  test.describe(size, { tag: '@full' }, () => {
    test.use(viewport)

    test('an owner sets a coach’s week, a day off and the morning mail by the keyboard, and looks through the weeks', async ({
      page,
    }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/calendar')
      await expect(page.getByRole('button', { name: 'Next week' })).toBeVisible()
      await expectSound(page, 'a week of calls')
      await page.getByRole('button', { name: 'Next week' }).press('Enter')
      await page.getByRole('button', { name: 'Show one day' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Show the week' })).toBeVisible()
      await expectSound(page, 'a day of calls')

      const places = page.getByRole('navigation', { name: 'Calendar' })
      await places.getByRole('link', { name: 'Weekly hours' }).press('Enter')
      await page.getByRole('button', { name: `Change ${coach}’s hours, Sales Lion call` }).press('Enter')
      const week = page.getByRole('dialog', { name: `${coach}: Sales Lion call` })
      await week.getByLabel('Monday, from', { exact: true }).fill('07:00')
      await week.getByLabel('Monday, until', { exact: true }).fill('08:00')
      await week.getByRole('button', { name: 'Tuesday to Friday same as Monday' }).press('Enter')
      await expectSound(page, 'the hours of a week')
      await week.getByRole('button', { name: 'Save hours' }).press('Enter')
      await expect(page.getByText(/Mon–Fri 07:00–08:00/).first()).toBeVisible()
      await expectSound(page, 'weekly hours')

      await places.getByRole('link', { name: 'Days off' }).press('Enter')
      await page.getByRole('button', { name: 'Add days off' }).press('Enter')
      const days = page.getByRole('dialog', { name: 'Days off, or other hours' })
      await days.getByLabel('First day', { exact: true }).fill('25/8/31')
      await days.getByLabel('Who').selectOption({ label: coach })
      await days.getByLabel('Note, for owners only').fill(`A bank holiday on a ${size}`)
      await expectSound(page, 'the form of a day off')
      await days.getByRole('button', { name: 'Save days' }).press('Enter')
      await expect(page.getByText(`A bank holiday on a ${size}`)).toBeVisible()

      await places.getByRole('link', { name: 'Email and apps' }).press('Enter')
      await page.getByRole('button', { name: `Change ${coach}’s morning email` }).press('Enter')
      const morning = page.getByRole('dialog', { name: `Morning email: ${coach}` })
      await morning.getByLabel('To', { exact: true }).fill('coach@alliance.test')
      await morning.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(page.getByText(/At 06:30 to coach@alliance.test/).first()).toBeVisible()
      await expectSound(page, 'emails and calendar apps')

      for (const place of ['Monthly calls', 'Kinds of call']) {
        await places.getByRole('link', { name: place }).press('Enter')
        await expect(page.getByRole('table').first()).toBeVisible()
        await expectSound(page, place)
      }
    })

    test('an owner adds an episode with sound out of the library, and takes it away again', async ({ page }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/podcast')
      await page.getByRole('button', { name: 'New episode' }).click()
      const form = page.getByRole('dialog', { name: 'New episode' })
      await form.getByLabel('Title').fill(`An episode on a ${size}`)
      await form.getByLabel('Audio', { exact: false }).first().selectOption({ index: 1 })
      // The page reads the length from the audio itself.
      await expect(form.getByLabel('Length')).toHaveValue(/^0:1\d$/)
      await form.getByLabel('Summary').fill('For this journey alone.')
      await expectSound(page, 'the form of an episode')
      await form.getByRole('button', { name: 'Save draft' }).click()
      await expect(page.getByText('For this journey alone.').first()).toBeVisible()
      await expectSound(page, 'episodes')
      await page.getByRole('button', { name: `More for An episode on a ${size}` }).click()
      await page.getByRole('button', { name: `Delete: An episode on a ${size}` }).click()
      await page.getByRole('button', { name: 'Delete episode' }).click()
      await expect(page.getByText(`An episode on a ${size}`)).toHaveCount(0)
    })
  })
}
