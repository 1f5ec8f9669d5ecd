import { Elysia } from 'elysia'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { docsRoutes } from './routes.ts'

const paths = ['/api/docs/json', '/api/docs']

test('the documents are made once, however many ask at once, and a browser that has them hears so', {
  tags: ['full'],
}, async () => {
  const { ctx, wholeApp } = startWorld()
  let made = 0
  const docs = new Elysia().use(
    docsRoutes(ctx, () => {
      made += 1
      return wholeApp()
    }),
  )
  const ask = (path: string, headers: Record<string, string> = {}) =>
    docs.handle(new Request(`http://localhost${path}`, { headers }))
  const atOnce = await Promise.all([...paths, ...paths].map((path) => ask(path)))
  const bodies = await Promise.all(atOnce.map((response) => response.text()))
  expect(bodies.slice(0, 2)).toEqual(bodies.slice(2))
  for (const path of paths) {
    const [first, second] = await Promise.all([1, 2].map(() => ask(path, { 'accept-encoding': 'br' })))
    const etag = first?.headers.get('etag') ?? ''
    expect([first?.headers.get('content-encoding'), second?.headers.get('etag')]).toEqual(['br', etag])
    expect(await first?.bytes()).toEqual(await second?.bytes())
    const again = await ask(path, { 'if-none-match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
  expect(made).toBe(1)
})

test('the document tells once what every error says, so that it stays small', { tags: ['full'] }, async () => {
  const text = await (await startWorld().call('/api/docs/json')).text()
  const { paths, components } = JSON.parse(text)
  expect(paths['/api/auth/user'].get.responses[401].content['application/json'].schema).toMatchObject({
    $ref: '#/components/schemas/Error',
  })
  expect(components.schemas.Error).toMatchObject({ properties: { error: { required: ['code', 'message'] } } })
  expect(text.length).toBeLessThan(1_800_000)
})

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

test('every body has an example its own schema accepts', { tags: ['full'] }, async () => {
  const world = startWorld()
  const { paths } = await (await world.call('/api/docs/json')).json()
  const refused: unknown[] = []
  let bodies = 0
  for (const { method, path, hooks } of world.wholeApp().routes) {
    const schema: unknown = hooks.body
    if (!path.startsWith('/api/') || !isSchema(schema)) continue
    const { content } = paths[path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')][method.toLowerCase()].requestBody
    const example = Object.values<{ example?: unknown }>(content)[0]?.example
    const read = v.safeParse(schema, example)
    bodies += 1
    if (example === undefined || !read.success)
      refused.push([method, path, example, read.issues?.map((issue) => v.getDotPath(issue))])
  }
  expect(refused).toEqual([])
  expect(bodies).toBeGreaterThan(100)
})

test('what has to be in an address has an example its own schema accepts', { tags: ['full'] }, async () => {
  const world = startWorld()
  const { paths } = await (await world.call('/api/docs/json')).json()
  const refused: unknown[] = []
  let addresses = 0
  for (const { method, path, hooks } of world.wholeApp().routes) {
    if (!path.startsWith('/api/')) continue
    const { parameters = [] } = paths[path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')][method.toLowerCase()]
    for (const [place, schema] of [
      ['path', hooks.params],
      ['query', hooks.query],
    ]) {
      if (!isSchema(schema)) continue
      const needed = parameters.filter((one: Record<string, unknown>) => one.in === place && one.required)
      const example = Object.fromEntries(needed.map((one: Record<string, unknown>) => [one.name, one.example]))
      addresses += 1
      if (!v.is(schema, example)) refused.push([method, path, example])
    }
  }
  expect(refused).toEqual([])
  expect(addresses).toBeGreaterThan(100)
})

test('examples are plausible: a name, an address, a day, pence', { tags: ['full'] }, async () => {
  const { paths } = await (await startWorld().call('/api/docs/json')).json()
  const exampleOf = (method: string, path: string) =>
    paths[path][method].requestBody.content['application/json'].example
  expect(exampleOf('post', '/api/contact')).toMatchObject({ name: 'Name', email: 'sam@example.com' })
  expect(exampleOf('post', '/api/contact')).not.toHaveProperty('homepage')
  expect(exampleOf('put', '/api/admin/members/{memberId}/free-access').until).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(exampleOf('post', '/api/admin/members/{memberId}/refund').amount).toBe(5000)
  // What has ended is refused.
  expect(Date.parse(exampleOf('post', '/api/admin/announcements').endsAt)).toBeGreaterThan(Date.now())
})

test('every operation is in one named group, with one plain sentence and who may call it', async () => {
  const world = startWorld()
  const document = await (await world.call('/api/docs/json')).json()
  const names: string[] = document.tags.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['Members', 'Money', 'Videos', 'Calendar', 'Marketing', 'Your account']))
  expect(new Set(names).size).toBe(names.length)
  const seen = new Set<string>()
  const page = await (await world.call('/api/docs')).text()
  for (const [path, operations] of Object.entries<Record<string, { tags?: string[]; summary?: string }>>(
    document.paths,
  )) {
    for (const [method, { tags = [], summary = '' }] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`
      expect([name, tags.filter((tag) => names.includes(tag)).length]).toEqual([name, 1])
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^{}]{8,110}\.$/)])
      expect(page).toContain(Bun.escapeHTML(summary))
      seen.add(tags[0] ?? '')
    }
  }
  expect([...seen].toSorted()).toEqual(names.toSorted())
})

test('the page is styled by its own hash, loads nothing from elsewhere, and shows how to call', {
  tags: ['full'],
}, async () => {
  const response = await startWorld().call('/api/docs')
  const policy = response.headers.get('content-security-policy') ?? ''
  const page = await response.text()
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64')
  expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'`)
  expect(page).not.toMatch(/<script|<link|style=|(?:src|href)="(?:https?:)?\/\//)
  const refund = page.split('id="post-api-admin-members-memberid-refund"')[1]?.split('</details>')[0] ?? ''
  expect(refund).toContain('Entered in the last ten minutes')
  expect(refund).toContain('member.refund or member.guarantee_refund')
  expect(refund).toMatch(/<code>amount<\/code> <b>required<\/b><\/dt><dd>pence from 1/)
  expect(refund).toContain('Authorization: Bearer $TOKEN')
  const token = page.split('id="post-api-admin-tokens"')[1]?.split('</details>')[0] ?? ''
  expect(token).toContain('&quot;expiresAt&quot;: &quot;2026-07-12T09:00:00.000Z&quot;')
  for (const error of ['401 unauthenticated', '403 password_needed', '404 not_found', '422 invalid']) {
    expect(refund).toContain(`<code>${error}</code>`)
  }
})

test('the menu leads to every group, in the owners’ words, and no address is in the page twice', {
  tags: ['full'],
}, async () => {
  const page = await (await startWorld().call('/api/docs')).text()
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !ids.includes(id))).toEqual([])
  expect(links).toEqual(expect.arrayContaining(['members', 'money', 'videos', 'calendar', 'marketing', 'your-account']))
})
