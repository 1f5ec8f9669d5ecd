import { expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { sellAtProvider } from './provider.ts'
import { expectSound } from './sound.ts'

const csv = [
  'E-post,Naam,Newsletter',
  'sam.moves@example.com,Sam Okoro,yes',
  'kim.moves@example.com,Kim Ash,no',
  'no address,X,',
  'sam.moves@example.com,Sam Okoro,',
].join('\n')

test('an owner moves members in from a file, tells them how to log in, and undoes it', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/move-in')
  const choose = (text: string, name = 'members.csv') =>
    page.getByLabel('File to move in').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('', 'empty.csv')
  await expect(page.getByText('empty.csv is empty.')).toBeVisible()
  await choose('email,name\n', 'headings.csv')
  await expect(page.getByText('There’s no one in this file, so there’s nothing to move in.')).toBeVisible()
  await choose(csv)
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan.getByText('We can’t find the email addresses. Choose their column below.')).toBeVisible()
  await expect(plan.getByRole('button', { name: /^Move in/ })).toBeDisabled()
  await plan.getByLabel('E-post').selectOption('Email')
  await plan.getByLabel('Naam').selectOption('Full name')
  await plan.getByRole('button', { name: 'Read it again' }).click()
  await expect(plan.getByText('We’ll add 2 members. Nothing’s changed yet.')).toBeVisible()
  // What's changed and not read again can't be done with the old choices.
  await plan.getByText('What’s in each column').click()
  await plan.getByLabel('Newsletter').selectOption('Leave out')
  await expect(plan.getByRole('button', { name: /^Move in/ })).toBeDisabled()
  await expect(plan.getByText('You’ve changed something. Read it again to see what that does.')).toBeVisible()
  await plan.getByRole('button', { name: 'Read it again' }).click()
  await expect(plan.getByText('Haven’t agreed to your emails')).toBeVisible()
  await expect(plan.getByRole('term').filter({ hasText: /^Agreed to your emails/ })).toHaveCount(0)
  await expect(plan.getByRole('button', { name: 'Read it again' })).not.toBeVisible()
  await expect(plan.getByRole('row', { name: /4 This isn’t an email address\./ })).toBeVisible()
  await plan.getByText('In the file twice (1)').click()
  await expect(plan.getByRole('row', { name: /5 The same address as line 2\./ })).toBeVisible()
  await expectSound(page, 'move in')
  await plan.getByRole('button', { name: 'Move in 2 members' }).click()
  await expect(plan.getByText('2 members moved in.')).toBeVisible()
  await plan.getByLabel('How many now').fill('1')
  await plan.getByRole('button', { name: 'Email 1 person' }).click()
  await expect(page.getByRole('dialog').getByText(/^2 of the people you moved in have no access yet\./)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Email 1 person' }).dblclick()
  await expect(plan.getByText('You’ve emailed 1 of 2 people.')).toBeVisible()
  await page.reload()
  await plan.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Take out 2 members' }).click()
  await expect(plan.getByText('2 members taken out again.')).toBeVisible()
  await expect(plan.getByText('Haven’t agreed to your emails')).not.toBeVisible()
})

test('a file that was moved in before says so, and Cancel stops what’s being sent', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/move-in')
  const choose = () =>
    page.getByLabel('File to move in').setInputFiles({
      name: 'again.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email\nonce.again@example.com'),
    })
  const plan = page.getByRole('region', { name: 'Plan' })
  const file = page.getByRole('region', { name: 'A file' })
  await page.route('**/api/admin/media/uploads/*', () => {})
  await choose()
  await file.getByRole('button', { name: 'Cancel' }).click()
  await expect(file.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  await expect(file.getByRole('alert')).not.toBeVisible()
  await expect(plan).not.toBeVisible()
  await page.unroute('**/api/admin/media/uploads/*')
  await choose()
  await plan.getByRole('button', { name: 'Move in 1 member' }).click()
  await expect(plan.getByText('1 member moved in.')).toBeVisible()
  await expect(plan.getByText(/^You moved this file in on/)).not.toBeVisible()
  await plan.getByRole('button', { name: 'Close the plan' }).click()
  await choose()
  await expect(plan.getByText(/^You moved this file in on \d+ \w+ \d+\./)).toBeVisible()
  await plan.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Take out 1 member' }).click()
  await expect(plan.getByText('1 member taken out again.')).toBeVisible()
})

const post = {
  id: '1',
  title: 'Loading the van',
  slug: 'loading',
  html: '<p>Heavy first.</p><form></form>',
  status: 'published',
}
const picture = '<img src="__GHOST_URL__/content/images/van.png">'
const ghost = { db: [{ data: { posts: [post, { ...post, id: '2', title: 'Two', slug: 'two', html: picture }] } }] }

test('an owner moves posts in, says where their pictures are, and downloads everything', {
  tag: '@full',
}, async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/move-in')
  // Members are chosen, but the file can only be posts.
  await page
    .getByLabel('File to move in')
    .setInputFiles({ name: 'ghost.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(ghost)) })
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByLabel('Address').fill('old.invalid')
  await plan.getByRole('button', { name: 'Read it again' }).click()
  await expect(plan.getByText('What changes (1)')).toBeVisible()
  await expect(plan.getByRole('row', { name: /1 “Loading the van”: Left out: 1 form\./ })).toBeVisible()
  await expectSound(page, 'move posts in')
  await plan.getByRole('button', { name: 'Move in 2 posts' }).click()
  await expect(plan.getByText('1 post moved in. We couldn’t move 1 of them.')).toBeVisible()
  const loaded = await page.request.get('/loading', { maxRedirects: 0 })
  expect([loaded.status(), loaded.headers().location]).toEqual([301, '/blog/loading'])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything' }).click()
  expect((await download).suggestedFilename()).toMatch(/\d{4}-\d\d-\d\d\.zip$/)
  await plan.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^Take out/ }).click()
  await expect(plan.getByText(/taken out again\./)).toBeVisible()
})

test('an owner reads Stripe, sees whose each subscription is, ticks what’s switched off there, and adopts', {
  tag: '@full',
}, async ({ page }) => {
  await sellAtProvider(page.request, 'tess.pays@example.com', '30000')
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/move-in')
  await page.getByRole('button', { name: 'Read Stripe' }).click()
  const plan = page.getByRole('region', { name: 'Plan' })
  await expect(plan.getByText('You can take over 1 subscription. Nothing’s changed yet.')).toBeVisible()
  await plan.getByText('Whose each subscription is (1)').click()
  const row = plan.getByRole('row', {
    name: /tess\.pays@example\.com · sub_\w+ \(.+\) becomes .+\. They get an account\./,
  })
  await expect(row).toBeVisible()
  await expectSound(page, 'read Stripe')
  const adopt = plan.getByRole('button', { name: 'Adopt 1 subscription' })
  const steps = plan.getByRole('group', { name: 'First, in Stripe' }).getByRole('checkbox')
  await expect(steps).toHaveCount(3)
  for (const step of await steps.all()) {
    await expect(adopt).toBeDisabled()
    await step.check()
  }
  await adopt.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Adopt 1 subscription' }).click()
  await expect(plan.getByText('You’ve taken over 1 subscription.')).toBeVisible()
  await expect(row).not.toBeVisible()
  await plan.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Let go of 1 subscription' }).click()
  await expect(plan.getByText(/^You’ve let go of 1 subscription\./)).toBeVisible()
})
