import { expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

test('the letters of other names come in the site’s own font, and only where they’re met', async ({ page }) => {
  const fonts: string[] = []
  page.on('response', (response) => {
    const [, name] = /(archivo-[a-z-]+)-[\w-]+\.woff2$/.exec(response.url()) ?? []
    if (name) fonts.push(name)
  })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  expect(new Set(fonts)).toEqual(new Set(['archivo-latin-var']))
  await logInOverHttp(page.request, 'owner@alliance.test')
  const person = {
    firstName: '\u200BŁukasz',
    lastName: 'Țig\u200Bănaș',
    phone: null,
    businessName: null,
    trade: null,
    email: `letters-${Date.now()}@example.com`,
  }
  const added = await page.request.post('/api/admin/members', { data: person })
  expect(added.ok(), await added.text()).toBe(true)
  await page.goto('/admin/members?show=all')
  await page.getByRole('searchbox').first().fill('Łukasz')
  await expect(page.getByText('Łukasz Țigănaș').first()).toBeVisible()
  await expect.poll(() => fonts).toContain('archivo-latin-ext-var')
  const widths = await page.evaluate(async () => {
    await document.fonts.ready
    const canvas = document.createElement('canvas').getContext('2d')
    return ['ŁĄŚŻĆĘŘȘȚŴŶ', 'łąśżćęřșțŵŷ'].map((letters) =>
      ['Archivo', 'Archivo, monospace'].map((family) => {
        if (canvas) canvas.font = `800 40px ${family}`
        return canvas?.measureText(letters).width
      }),
    )
  })
  for (const [alone, withFallback] of widths) expect(alone).toBe(withFallback)
})
