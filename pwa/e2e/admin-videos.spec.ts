import { readFileSync } from 'node:fs'
import { everydaySizes, expect, test } from './fixtures.ts'
import { startOwnServer } from './own-server.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

// Both sizes run at the same time, so each has its own category, or they'd undo each other's order.
const categories: Record<string, string> = { phone: 'Money', desktop: 'Time' }

for (const [size, viewport] of everydaySizes) {
  const category = categories[size] ?? 'Money'
  test.describe(size, () => {
    test.use(viewport)

    test('ADMN-17 VID-7 an owner adds a draft, drags it to its place and deletes it', { tag: '@full' }, async ({
      page,
    }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/videos')
      const list = page.getByRole('region', { name: category, exact: true })
      const titles = list.getByRole('heading', { level: 4 })
      await expect(list).toBeVisible()
      // A phone begins with the categories alone.
      if (size === 'phone') await list.getByRole('button', { name: /^Show all/ }).click()
      await expect(titles.nth(1)).toBeVisible()
      await expectSound(page, 'videos')
      const [first = '', second = ''] = await titles.allTextContents()
      await page.getByRole('link', { name: 'Add a video' }).click()
      const form = page.getByRole('form', { name: 'Video' })
      await form.getByText('Or use a video from').click()
      await form.getByLabel('Video type').selectOption('streamyard')
      await form.getByLabel('Video ID/URL').fill('https://streamyard.com/watch/k7m2k7m2')
      await form.getByLabel('Title').fill(`A draft on ${size}`)
      await form.getByLabel('Category').fill(category)
      await form.getByLabel('Order').fill('999')
      await form.getByLabel('Published').uncheck()
      await expectSound(page, 'the page of a lesson')
      await form.getByRole('button', { name: 'Add video' }).click()
      await expect(titles.last()).toHaveText(`A draft on ${size}`)
      await list.getByRole('button', { name: `Move ${first}` }).scrollIntoViewIfNeeded()
      const box = async (title: string) => {
        const grip = await list.getByRole('button', { name: `Move ${title}` }).boundingBox()
        return { x: (grip?.x ?? 0) + 20, y: (grip?.y ?? 0) + 20 }
      }
      const [from, to] = [await box(second), await box(first)]
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(to.x, to.y - 30, { steps: 5 })
      await page.mouse.up()
      await expect(titles.first()).toHaveText(second)
      await expect(page.getByText('Order saved', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: `More for A draft on ${size}` }).click()
      await page.getByRole('button', { name: `Delete: A draft on ${size}` }).click()
      await page
        .getByRole('dialog', { name: `Delete “A draft on ${size}”?` })
        .getByRole('button', { name: 'Delete video' })
        .click()
      await expect(page.getByRole('heading', { name: `A draft on ${size}` })).toHaveCount(0)
    })

    test('VID-1 an owner makes a video whole on one page, with captions, and a member has all of it', {
      tag: '@full',
    }, async ({ browser }) => {
      // The other journey reorders videos, which would change this one's place while it's open.
      const server = await startOwnServer()
      try {
        const page = await browser.newPage({ ...viewport, baseURL: server.url })
        await logInOverHttp(page.request, 'owner@alliance.test')
        await page.goto('/admin/videos?lesson=new')
        const title = `Quoting on a ${size}`
        await page.getByLabel('Upload a video: file').setInputFiles(videoFile(`${title}.mp4`))
        await expect(page.getByText(`${title}.mp4`)).toBeVisible()
        // Read from the file.
        await expect(page.getByLabel('Length in minutes')).not.toHaveValue('')
        await page.getByRole('textbox', { name: 'Title' }).fill(title)
        await page.getByLabel('Category').fill(category)
        await page.getByRole('textbox', { name: 'Notes' }).fill('- Work out one hour')
        await page.getByLabel('Captions from a file').setInputFiles(captions)
        await expect(page.getByRole('textbox', { name: 'Transcript' })).toHaveValue('Put the margin on.')
        await page.getByLabel('Upload downloads: file').setInputFiles(sheet)
        await page.getByLabel('Name that members see').fill('The sheet to fill in')
        await page.getByRole('button', { name: `Move ${title}`, exact: true }).focus()
        // A new one is last. From there it goes up to the third place.
        const places = await page
          .getByRole('region', { name: `Place in ${category}` })
          .getByRole('listitem')
          .count()
        const up = Array.from({ length: places - 3 }, () => 'ArrowUp')
        for (const key of ['Space', ...up, 'Space']) await page.keyboard.press(key)
        await expect(page.getByLabel('Order')).toHaveValue('3')
        await expectSound(page, 'a lesson that is being made')
        await page.getByRole('button', { name: 'Add video' }).click()
        const list = page.getByRole('region', { name: category, exact: true })
        await expect(list.getByRole('heading', { level: 4 }).nth(2)).toHaveText(title)
        await logInOverHttp(page.request, 'lite@alliance.test')
        await page.goto(`/members/videos/quoting-on-a-${size}`)
        await expect(page.getByText('Work out one hour')).toBeVisible()
        await expect(page.getByRole('link', { name: /^The sheet to fill in/ })).toBeVisible()
        await page.getByRole('button', { name: 'Play', exact: true }).click()
        await expect(page.locator('video track[kind="captions"]')).toHaveCount(1)
      } finally {
        await server.stop()
      }
    })
  })
}

/** A sample clip with an empty box at its end, so that the library doesn't know its bytes. */
function videoFile(name: string) {
  const free = Buffer.alloc(8 + name.length)
  free.writeUInt32BE(free.length)
  free.write(`free${name}`, 4, 'latin1')
  const clip = readFileSync(new URL('../../data/seed/media/lesson-office.mp4', import.meta.url))
  return { name, mimeType: 'video/mp4', buffer: Buffer.concat([clip, free]) }
}

const captions = {
  name: 'quoting.vtt',
  mimeType: 'text/vtt',
  buffer: Buffer.from('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nPut the margin on.\n'),
}
const sheet = { name: 'Sheet.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n% quoting\n%%EOF\n') }
