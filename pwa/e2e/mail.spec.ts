import * as v from 'valibot'
import { findViolations, standard } from './axe.ts'
import { expect, phone, test } from './fixtures.ts'

test.use(phone)

const Mailbox = v.array(v.object({ to: v.string(), subject: v.string(), html: v.string() }))

test('API-20 a mail is read on a phone in both themes, whatever was typed into it, and loads nothing', {
  tag: '@full',
}, async ({ page }) => {
  const name = `Sam ${'Wolfeschlegelstein'.repeat(5)}`
  const message = `Leak at ${'x'.repeat(400)}`
  const sent = await page.request.post('/api/contact', { data: { name, email: 'long@example.com', message } })
  expect(sent.status()).toBe(200)
  const mails = async () => {
    const response = await page.request.get('/sandbox/mail', { headers: { accept: 'application/json' } })
    return v.parse(Mailbox, await response.json()).filter(({ html }) => html.includes('x'.repeat(400)))
  }
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(1)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  for (const { html } of await mails()) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setContent(html)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width)
      expect(await findViolations(page, standard)).toEqual([])
    }
  }
  expect(asked).toEqual([])
})
