import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

/** The names of the fonts that its words are drawn with. */
async function facesOf(words: Locator): Promise<string[]> {
  const devtools = await words.page().context().newCDPSession(words.page())
  await words.evaluate((element) => element.setAttribute('data-drawn', ''))
  for (const domain of ['DOM', 'CSS'] as const) await devtools.send(`${domain}.enable`)
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[data-drawn]' })
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
  return [...new Set(fonts.map(({ familyName }) => familyName))]
}

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
    // As a Mac writes it, with marks apart from their letters.
    lastName: 'Țig\u200Bănas\u0326 Śżćęąřŵŷ'.normalize('NFD'),
    phone: null,
    businessName: null,
    trade: null,
    email: `letters-${Date.now()}@example.com`,
  }
  const added = await page.request.post('/api/admin/members', { data: person })
  expect(added.ok(), await added.text()).toBe(true)
  await page.goto('/admin/members?show=all')
  await page.getByRole('searchbox').first().fill('Łukasz')
  const name = page.getByText('Łukasz Țigănaș Śżćęąřŵŷ').first()
  await expect(name).toBeVisible()
  await expect.poll(() => fonts).toContain('archivo-latin-ext-var')
  expect((await facesOf(name)).filter((family) => !family.startsWith('Archivo'))).toEqual([])
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
