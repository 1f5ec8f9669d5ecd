import { expect, test } from 'vitest'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { startWorld, type World } from '#api/testing/world.ts'

const mail = {
  to: 'sam@example.com',
  replyTo: 'ruth@example.com',
  subject: 'Tea & <b>biscuits</b>',
  text: 'Open this:\nhttps://alliance.example/a?b=1&c=2\n<script>alert(1)</script> "http://x.example" javascript:alert(1)',
  html: '<!doctype html><html lang="en-GB"><head><title>Tea</title></head><body style="color:red"><script>alert(1)</script></body></html>',
  userId: null,
}

async function worldWithMails(count: number): Promise<World> {
  const world = startWorld()
  for (let number = 1; number <= count; number += 1) {
    queueMail(world.ctx, { ...mail, cause: `tea:${number}`, ...(number > 1 && { subject: `Mail ${number}` }) })
    await sendMail(world.ctx)
    world.forward(1000)
  }
  return world
}

async function page(world: World, path: string) {
  const response = await world.call(path, { headers: { accept: 'text/html' } })
  const { headers, status } = response
  return { status, policy: headers.get('content-security-policy') ?? '', headers, html: await response.text() }
}

test('the mailbox is in the site’s look and leads to each mail as it was mailed, as HTML and as text', async () => {
  const world = await worldWithMails(1)
  const list = await page(world, '/sandbox/mail')
  expect(list.html).toContain('Tea &amp; &lt;b&gt;biscuits&lt;/b&gt;')
  expect(list.html).toContain('<header class="bar">')
  expect(list.policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'self'$/,
  )
  expect(list.headers.get('x-content-type-options')).toBe('nosniff')
  const [path = ''] = /\/sandbox\/mail\/[\w-]+/.exec(list.html) ?? []
  const { html } = await page(world, path)
  expect(html).toContain('<dd>sam@example.com</dd>')
  expect(html).toContain('<dd>ruth@example.com</dd>')
  expect(html).toContain('<a href="https://alliance.example/a?b=1&amp;c=2" rel="noreferrer">')
  expect(html).toContain('&quot;<a href="http://x.example" rel="noreferrer">http://x.example</a>&quot;')
  expect(html).toContain(`src="${path}/html" sandbox="allow-top-navigation-by-user-activation"`)
  expect(html).not.toMatch(/<script|href="javascript|style=/)
  expect((await page(world, '/sandbox/mail/unknown')).status).toBe(404)
})

test('the HTML of a mail is shown unchanged in an iframe in which nothing runs and nothing loads', async () => {
  const world = await worldWithMails(1)
  const [path = ''] = /\/sandbox\/mail\/[\w-]+/.exec((await page(world, '/sandbox/mail')).html) ?? []
  const { html, policy, headers } = await page(world, `${path}/html`)
  expect(html.replace('\n<base target="_top">', '')).toBe(mail.html)
  expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation$/)
  // The logo is embedded, and nothing loads from elsewhere.
  expect(policy).toContain('img-src data:;')
  expect(policy).not.toMatch(/script|https?:|allow-scripts/)
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
})

test('a mail carries its logo into the iframe, which is given no file of the site’s', async () => {
  const world = startWorld()
  queueMail(world.ctx, { ...mail, cause: 'tea:1', html: '<head></head><img src="cid:logo" alt="">' })
  await sendMail(world.ctx)
  const [path = ''] = /\/sandbox\/mail\/[\w-]+/.exec((await page(world, '/sandbox/mail')).html) ?? []
  const { html, policy } = await page(world, `${path}/html`)
  const [, logo = ''] = /src="data:image\/png;base64,([^"]+)"/.exec(html) ?? []
  expect(Buffer.from(logo, 'base64').subarray(1, 4).toString()).toBe('PNG')
  expect([html.includes('cid:'), policy.includes('img-src data:;')]).toEqual([false, true])
})

test.each([
  { kind: 'call', name: 'call.ics' },
  { kind: 'invoice', name: 'The PDF' },
  { kind: 'statement', name: 'The PDF' },
] as const)('what is attached to a mail about a $kind is called $name', async ({ kind, name }) => {
  const world = startWorld()
  queueMail(world.ctx, { ...mail, cause: 'tea:1', attachment: { kind, id: '2026-05' } })
  // Its file isn't there, so it can't be sent.
  world.ctx.sqlite.prepare(`update mail_outbox set status = 'sent'`).run()
  const [path = ''] = /\/sandbox\/mail\/[\w-]+/.exec((await page(world, '/sandbox/mail')).html) ?? []
  const { html } = await page(world, path)
  expect(/<dt>Attached<\/dt>\s*<dd><a href="[^"]*">(.*?)<\/a>/.exec(html)?.[1]).toBe(name)
})

test('older mails are on the next pages, each once, down to the first', async () => {
  const world = await worldWithMails(205)
  const found: string[] = []
  let path = '/sandbox/mail'
  for (let next: string | undefined = path; next !== undefined; ) {
    const { html, headers } = await page(world, next)
    found.push(...[...html.matchAll(/href="\/sandbox\/mail\/([\w-]+)"/g)].map(([, id = '']) => id))
    path = next
    next = headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1]
    expect(html.includes('Older emails')).toBe(next !== undefined)
  }
  expect(new Set(found).size).toBe(205)
  expect(found).toHaveLength(205)
  expect((await page(world, path)).html).toContain('Tea &amp;')
  const json = await world.call('/sandbox/mail', { headers: { accept: 'application/json' } })
  expect([(await json.json()).length, json.headers.get('link') !== null]).toEqual([200, true])
})

test('says when there are no mails', async () => {
  expect((await page(startWorld(), '/sandbox/mail')).html).toContain('No emails yet.')
})
