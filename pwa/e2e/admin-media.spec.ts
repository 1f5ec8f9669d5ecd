import { everydaySizes, expect, test } from './fixtures.ts'
import { startOwnServer } from './own-server.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

const video = 'The year on one page'

for (const [size, viewport] of everydaySizes) {
  test.describe(size, { tag: '@full' }, () => {
    test('an owner puts a file into the library and hands it out beside a video, where a member finds it', async ({
      browser,
    }) => {
      // Another journey reorders the videos, which would change this one while it's open.
      const server = await startOwnServer()
      try {
        const page = await browser.newPage({ ...viewport, baseURL: server.url })
        await logInOverHttp(page.request, 'owner@alliance.test')
        await page.goto('/admin/media')
        const name = `Sheet on ${size}.pdf`
        const file = { name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4\n% ${size}\n%%EOF\n`) }
        const odd = { name: 'odd.mp4', mimeType: 'video/mp4', buffer: Buffer.from('<html>') }
        await page.getByLabel('Files to add').setInputFiles([file, odd])
        await expect(page.getByRole('list', { name: 'Uploads' }).getByText('Stored', { exact: true })).toBeVisible()
        await expect(page.getByRole('alert')).toContainText('You can upload mp4')
        await expectSound(page, 'media')
        await page.goto('/admin/videos?q=on one page')
        await page.getByRole('link', { name: video, exact: true }).click()
        const form = page.getByRole('form', { name: 'Video' })
        await expect(form.getByText('lesson-', { exact: false }).first()).toBeVisible()
        const choice = form.getByLabel('A download from the library')
        const id = await choice.locator('option', { hasText: name }).getAttribute('value')
        await choice.selectOption(id)
        await form.getByLabel('Name that members see').fill('The sheet to fill in')
        await expectSound(page, 'the downloads of a lesson')
        await form.getByRole('button', { name: 'Save video' }).click()
        await expect(page.getByText('Video saved', { exact: true })).toBeVisible()
        await logInOverHttp(page.request, 'lite@alliance.test')
        await page.goto(`/members/videos/${video.toLowerCase().replaceAll(' ', '-')}`)
        const download = page.waitForEvent('download')
        await page.getByRole('link', { name: /^The sheet to fill in/ }).click()
        expect((await download).suggestedFilename()).toBe(name)
      } finally {
        await server.stop()
      }
    })
  })
}
