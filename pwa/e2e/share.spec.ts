import { expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { joinOverHttp, newPerson } from './people.ts'

test.use({ ...withServiceWorker, ...phone })

/** As a share sheet posts it: a navigation of the browser's own. */
const share = (text: string) => {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/members/share'
  form.enctype = 'multipart/form-data'
  const field = Object.assign(document.createElement('textarea'), { name: 'text', value: text })
  form.append(field)
  document.body.append(form)
  form.submit()
}

test('what’s shared while nobody’s logged in is nowhere: the page says what to do', async ({ page, request }) => {
  const response = await request.post('/members/share', {
    multipart: { text: 'Look at this boiler' },
    maxRedirects: 0,
  })
  expect([response.status(), response.headers().location]).toEqual([303, '/members/share'])
  await page.goto('/contact')
  await underServiceWorker(page)
  await page.evaluate(share, 'Look at this boiler')
  await expect(page.getByRole('heading', { name: 'Share it again' })).toBeVisible()
  await expect(page.getByText('Log in and open your videos')).toBeVisible()
})

test('what another app shares is the beginning of a question, and nothing of it goes over the network', async ({
  page,
  context,
}) => {
  await joinOverHttp(context.request, newPerson('Shaun', 'Shear'))
  await page.goto('/members')
  await underServiceWorker(page)
  const posted: string[] = []
  context.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.serviceWorker() && sent.url().includes('/members/share'))
      posted.push(sent.url())
  })
  await page.evaluate(share, 'Look at this boiler')
  await page.waitForURL(/\/members\/ask\?share=/)
  await expect(page.getByRole('textbox').first()).toHaveValue(/Look at this boiler/)
  expect(posted).toEqual([])
})

test('what was shared and not come back to for a day is gone from the phone', async ({ page, context }) => {
  await joinOverHttp(context.request, newPerson('Shona', 'Shear'))
  await page.goto('/members')
  await underServiceWorker(page)
  await page.evaluate(async () => {
    const cache = await caches.open('alliance-shared')
    for (const hours of [1, 25]) {
      const date = new Date(Date.now() - hours * 3_600_000).toUTCString()
      await cache.put(`/members/share/${hours}`, new Response('text=A+boiler', { headers: { date } }))
    }
  })
  await page.goto('/members')
  const left = () =>
    page.evaluate(async () =>
      (await (await caches.open('alliance-shared')).keys()).map(({ url }) => url.split('/').at(-1)),
    )
  await expect.poll(left).toEqual(['1'])
})
