import { Elysia } from 'elysia'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { docsRoutes } from './routes.ts'

const paths = ['/api/docs/json', '/api/docs']

test('the documents are made once, however many ask at once, and a browser that has them hears so', async () => {
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

test('the document tells once what every error says, so that it stays small', async () => {
  const text = await (await startWorld().call('/api/docs/json')).text()
  const { paths, components } = JSON.parse(text)
  expect(paths['/api/auth/user'].get.responses[401].content['application/json'].schema).toMatchObject({
    $ref: '#/components/schemas/Error',
  })
  expect(components.schemas.Error).toMatchObject({ properties: { error: { required: ['code', 'message'] } } })
  expect(text.length).toBeLessThan(1_500_000)
})
