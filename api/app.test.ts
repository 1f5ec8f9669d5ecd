import { expect, test } from 'vitest'
import { openApp } from '#api/app.ts'
import { startWorld } from '#api/testing/world.ts'

const asked = [
  ['GET', '/api/health', 200],
  ['GET', '/api/membership-tiers', 200],
  ['HEAD', '/api/membership-tiers', 200],
  ['GET', '/api/admin/members', 401],
  ['POST', '/api/admin/members', 401],
  ['GET', '/api/nothing-here', 404],
  ['GET', '/sandbox/mail', 200],
  ['GET', '/api/docs/json', 200],
  ['GET', '/robots.txt', 200],
] as const

test('a server answers the same before all its features are loaded as after', {
  tags: ['full'],
}, async () => {
  const { ctx } = startWorld()
  const app = openApp(ctx, {})
  const ask = async ([method, path]: (typeof asked)[number]) => {
    const { status, headers } = await app.fetch(new Request(`http://localhost${path}`, { method }))
    return [method, path, status, headers.get('content-type'), headers.get('content-security-policy')]
  }
  const first = await Promise.all(asked.map(ask))
  expect(first.map(([method, path, status]) => [method, path, status])).toEqual(asked)
  // The full app is built in a later turn.
  await new Promise((resolve) => setTimeout(resolve))
  await new Promise(setImmediate)
  expect(await Promise.all(asked.map(ask))).toEqual(first)
})

test('where all features cannot be put together, each request still gets its own, and the next one tries again', async () => {
  const { ctx, logged } = startWorld()
  let assemblies = 0
  const app = openApp(ctx, {
    get deadlineMs() {
      // The first app is built for the request, the second has every route.
      assemblies += 1
      if (assemblies === 2) throw new Error('out of memory')
      return 1_000
    },
  })
  const ask = async () => (await app.fetch(new Request('http://localhost/api/health'))).status
  expect(await ask()).toBe(200)
  await expect.poll(() => logged.some((line) => line.includes('features not put together'))).toBe(true)
  expect(await ask()).toBe(200)
  await expect.poll(() => assemblies).toBe(3)
  expect(await ask()).toBe(200)
})
