import { expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { siteIn } from '#api/testing/built-site.ts'
import { startWorld } from '#api/testing/world.ts'
import { markForEdge } from './marks.ts'
import { startPurging } from './purge.ts'

const host = 'alliance.test'

function behindCdn(url = 'http://127.0.0.1:9/purge') {
  const world = startWorld({ env: { PUBLIC_URL: `https://${host}`, CDN_PURGE_URL: url } })
  const app = createApp(world.ctx, { site: siteIn(world.ctx.settings.dataDir) })
  const ask = markForEdge(world.ctx, (request) => app.handle(request))
  const get = async (path: string, cookie = '', given = host) =>
    ask(new Request(`https://${host}${path}`, { headers: { host: given, ...(cookie === '' ? {} : { cookie }) } }))
  return { world, get }
}

test('a CDN may keep what’s the same for everyone, and no call, login or wrong Host', { tags: ['full'] }, async () => {
  const { world, get } = behindCdn()
  const cookies = ['', world.signIn(world.addMember()).cookie, world.signIn(world.addOwner()).cookie]
  for (const { method, path } of world.wholeApp().routes) {
    if (method !== 'GET' || path === '/api/logout' || path.includes('*')) continue
    const texts: string[] = []
    for (const cookie of cookies) {
      const response = await get(path.replace(/:\w+/g, 'none'), cookie)
      const { headers } = response
      texts.push(await response.text())
      const isKept = headers.has('surrogate-control')
      if (isKept) expect([path, headers.has('set-cookie'), texts]).toEqual([path, false, texts.map(() => texts[0])])
      else
        expect([path, headers.get('cache-control')]).toEqual([
          path,
          expect.stringMatching(/private|no-store|immutable/),
        ])
      if (path.startsWith('/api/')) expect([path, isKept]).toEqual([path, false])
    }
  }
  const page = await get('/about')
  expect([page.headers.get('surrogate-key'), page.headers.get('surrogate-control')]).toEqual(['pages', 'max-age=86400'])
  expect((await get('/about', '', 'evil.example')).headers.has('surrogate-control')).toBe(false)
})

test('the CDN hears of a change by its tags', async () => {
  const heard: string[] = []
  let next = Promise.withResolvers<void>()
  const cdn = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      heard.push(`${headers.get('authorization')} ${headers.get('surrogate-key')}`)
      next.resolve()
      return new Response()
    },
  })
  const { world } = behindCdn(`http://127.0.0.1:${cdn.port}/purge`)
  const purging = startPurging(world.ctx)
  try {
    await next.promise
    expect(heard).toEqual(['null pages brand media'])
    next = Promise.withResolvers()
    const owner = world.signIn(world.addOwner())
    const { version } = await (await owner('/api/admin/videos/categories')).json()
    const categories = [{ name: 'Vans', was: null }]
    await owner('/api/admin/videos/categories', { method: 'PUT', body: { version, categories } })
    await next.promise
    expect(heard.at(-1)).toBe('null pages')
  } finally {
    purging.stop()
    await cdn.stop(true)
  }
})
