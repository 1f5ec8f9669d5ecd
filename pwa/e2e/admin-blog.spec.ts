import { everydaySizes, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    test('ADMN-20 BLOG-9 BLOG-10 an owner writes a post, loses the tab and the signal, and publishes it', {
      tag: '@full',
    }, async ({ page: first, context }) => {
      let page = first
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/blog')
      await expect(page.getByRole('heading', { level: 2, name: 'Blog' })).toBeVisible()
      await page.getByRole('link', { name: 'New post', exact: true }).click()
      await page.getByLabel('Title').fill(`Vans on a ${size}`)
      await expect(page.getByText(`Web address: /blog/vans-on-a-${size}`)).toBeVisible()
      await page.getByRole('textbox', { name: 'Content' }).click()
      await page.keyboard.type('Small')
      await page.getByRole('button', { name: 'Heading', exact: true }).click()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Bold' }).click()
      await page.keyboard.type('First.')
      await expectSound(page, 'the editor of a post')
      await page.close()
      page = await context.newPage()
      await page.goto('/admin/blog?post=new')
      await expect(page.getByText('We’ve kept what you typed')).toBeVisible()
      const text = page.getByRole('textbox', { name: 'Content' })
      await expect(text.getByRole('heading', { level: 2, name: 'Small' })).toBeVisible()
      await page.getByLabel('Upload a picture: file').setInputFiles('docs/images/offline.webp')
      await page.getByLabel('What it shows').fill('A van in the rain')
      await page.getByLabel('Published: readers see it').check()
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Publish post' }).click()
      await expect(page.getByText('No signal. Try again when you’re back in range.')).toBeVisible()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Publish post' }).click()
      await expect(page.getByRole('link', { name: `Vans on a ${size}`, exact: true })).toBeVisible()
      const post = await page.request.get(`/api/blog/vans-on-a-${size}`)
      const content = '<h2>Small</h2><p><strong>First.</strong></p>'
      expect(await post.json()).toMatchObject({ content, featuredImageAlt: 'A van in the rain' })
      const html = await (await page.request.get(`/blog/vans-on-a-${size}`)).text()
      expect(html.match(/A van in the rain/g)?.length).toBeGreaterThanOrEqual(2)
      await page.getByRole('button', { name: `Delete Vans on a ${size}` }).click()
      await page.getByRole('button', { name: 'Delete blog post' }).click()
      await expect(page.getByRole('link', { name: `Vans on a ${size}`, exact: true })).toHaveCount(0)
    })
  })
}
