import { expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

const csv = [
  'E-post,Naam,Newsletter',
  'sam.moves@example.com,Sam Okoro,yes',
  'kim.moves@example.com,Kim Ash,no',
  'no address,X,',
].join('\n')

test('an owner moves members in from a file, tells them how to log in, and undoes it', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/move-in')
  await page
    .getByLabel('File to move in')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan.getByText('No column has email addresses. Say which one does.').first()).toBeVisible()
  await expect(plan.getByRole('button', { name: /^Move in/ })).toBeDisabled()
  await plan.getByLabel('E-post').selectOption('Email')
  await plan.getByLabel('Naam').selectOption('Full name')
  await plan.getByRole('button', { name: 'Read it again' }).click()
  await expect(plan.getByText('Nothing has changed yet. 2 members would be added.')).toBeVisible()
  await plan.getByText('Lines we can’t take (1)').click()
  await expect(plan.getByRole('row', { name: /4 This isn’t an email address\./ })).toBeVisible()
  await expectSound(page, 'move in')
  await plan.getByRole('button', { name: 'Move in 2 members' }).click()
  await expect(plan.getByText('2 members moved in.')).toBeVisible()
  await plan.getByLabel('How many now').fill('1')
  await plan.getByRole('button', { name: 'Email 1 person' }).click()
  await expect(plan.getByText('1 of 2 people written to.')).toBeVisible()
  await page.reload()
  await plan.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Take out 2 members' }).click()
  await expect(plan.getByText('2 members taken out again.')).toBeVisible()
})
