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
      await page.getByLabel('Publish', { exact: true }).selectOption('now')
      await context.setOffline(true)
      await page.getByRole('button', { name: 'Publish now' }).click()
      await expect(page.getByText('No signal. Try again when you’re back in range.')).toBeVisible()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Publish now' }).click()
      await expect(page.getByRole('link', { name: `Vans on a ${size}`, exact: true })).toBeVisible()
      const post = await page.request.get(`/api/blog/vans-on-a-${size}`)
      const content = '<h2>Small</h2><p><strong>First.</strong></p>'
      expect(await post.json()).toMatchObject({ content, featuredImageAlt: 'A van in the rain' })
      const html = await (await page.request.get(`/blog/vans-on-a-${size}`)).text()
      expect(html.match(/A van in the rain/g)?.length).toBeGreaterThanOrEqual(2)
      await page.getByRole('button', { name: `More for Vans on a ${size}` }).click()
      await page.getByRole('button', { name: `Delete: Vans on a ${size}` }).click()
      await page.getByRole('button', { name: 'Delete blog post' }).click()
      await expect(page.getByRole('link', { name: `Vans on a ${size}`, exact: true })).toHaveCount(0)
    })
  })
}

/** As other programs put it on the clipboard. */
const clipboard = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-0"><h1 dir="ltr"><span style="font-weight:400;">Quotes</span></h1><p dir="ltr"><span style="font-weight:400;">Plain words, </span><span style="font-weight:700;">bold words</span></p></b><p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Measure<o:p></o:p></p><p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.</span>Cut</p><p>A van <img src="https://example.com/van.png" alt="A van"></p>`

test('what is pasted from Google Docs and Word is stored as it was seen, and what’s left out is said', async ({
  page,
}) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin/blog?post=new')
  await page.getByLabel('Title').fill('Pasted words')
  const text = page.getByRole('textbox', { name: 'Content' })
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, clipboard)
  await expect(page.getByText('We left out 1 picture: upload it with “Picture”.')).toBeVisible()
  await page.getByLabel('Publish', { exact: true }).selectOption('now')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByRole('link', { name: 'Pasted words', exact: true })).toBeVisible()
  expect((await (await page.request.get('/api/blog/pasted-words')).json()).content).toBe(
    '<h2>Quotes</h2><p>Plain words, <strong>bold words</strong></p><ol><li><p>Measure</p></li><li><p>Cut</p></li></ol><p>A van</p>',
  )
})
