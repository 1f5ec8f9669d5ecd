import { everydaySizes, expect, test } from './fixtures.ts'
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
      await expect(titles.nth(1)).toBeVisible()
      await expectSound(page, 'videos')
      const [first = '', second = ''] = await titles.allTextContents()
      await page.getByRole('button', { name: 'Add a video' }).click()
      const form = page.getByRole('dialog', { name: 'Add a video' })
      await form.getByLabel('Video type').selectOption('streamyard')
      await form.getByLabel('Video ID/URL').fill('https://streamyard.com/watch/k7m2k7m2')
      await form.getByLabel('Title').fill(`A draft on ${size}`)
      await form.getByLabel('Category').fill(category)
      await form.getByLabel('Order').fill('999')
      await form.getByLabel('Published').uncheck()
      await expectSound(page, 'the form of a video')
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
      await page.getByRole('button', { name: `Delete A draft on ${size}` }).click()
      await page
        .getByRole('dialog', { name: `Delete “A draft on ${size}”?` })
        .getByRole('button', { name: 'Delete video' })
        .click()
      await expect(page.getByRole('heading', { name: `A draft on ${size}` })).toHaveCount(0)
    })
  })
}
