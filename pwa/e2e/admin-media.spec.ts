import { everydaySizes, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

const captions = (size: string) => `WEBVTT\n\n00:01.000 --> 00:04.000\nSaid on ${size}.`

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    test('an owner puts a file into the library and hands it out beside a lesson, where a member finds it', async ({
      page,
      browser,
    }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/media')
      await expect(page.getByRole('heading', { name: 'Media' })).toBeVisible()
      const name = `Said on ${size}.vtt`
      const file = { name, mimeType: 'text/vtt', buffer: Buffer.from(captions(size)) }
      await page.getByLabel('Files to add').setInputFiles(file)
      await expect(page.getByRole('list', { name: 'Uploads' }).getByText('Stored')).toBeVisible()
      await page
        .getByLabel('Files to add')
        .setInputFiles({ name: 'odd.mp4', mimeType: 'video/mp4', buffer: Buffer.from('<html>') })
      await expect(page.getByRole('alert')).toContainText('Only these files can be stored')
      await expectSound(page, 'media')
      await page.getByRole('button', { name: `Preview ${name}` }).click()
      await expect(page.getByRole('dialog', { name })).toContainText(`Said on ${size}.`)
      await expectSound(page, 'a preview')
      await page.getByRole('dialog', { name }).getByRole('button', { name: 'Close' }).click()
      await page.goto('/admin/videos?q=one page')
      await page.getByRole('button', { name: 'Films and hand-outs of The year on one page' }).click()
      const files = page.getByRole('dialog', { name: 'Files of “The year on one page”' })
      await expect(files.getByRole('region', { name: 'Film or sound of our own' })).toContainText('lesson-office.mp4')
      await expectSound(page, 'the files of a lesson')
      await files.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Who has seen The year on one page' }).click()
      await expect(page.getByRole('heading', { name: 'Who has seen it' })).toBeVisible()
      await expectSound(page, 'who has seen a lesson')
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Categories' }).click()
      await expect(page.getByLabel('Category 1', { exact: true })).toHaveValue('Strategy')
      await expectSound(page, 'the categories')
      void browser
    })
  })
}
