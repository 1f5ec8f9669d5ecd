import { describe, expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'

const { handle } = startWorld()
const ask = (path: string, method = 'GET') => handle(new Request(`http://localhost${path}`, { method }))

describe('a path with superfluous slashes', () => {
  test.each([
    ['//about', '/about'],
    ['/about/', '/about'],
    ['/about//', '/about'],
    ['/blog//vans/?token=1', '/blog/vans?token=1'],
    ['/robots.txt/', '/robots.txt'],
    ['//', '/'],
    ['//evil.example//', '/evil.example'],
    ['/.//evil.example', '/evil.example'],
    ['/\\evil.example', '/evil.example'],
  ])('of a page is redirected to the canonical one: %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await ask(path, method)
      expect([response.status, response.headers.get('location')]).toEqual([308, location])
      expect(response.headers.get('content-security-policy')).toContain(`default-src 'self'`)
    }
  })

  test.each(['//api/logout', '/api//logout', '/api/logout/', '//API/logout', '//%61pi/logout', '//sandbox/mail'])(
    'of a call is not found: %s',
    async (path) => {
      const response = await ask(path)
      expect([response.status, response.headers.get('location')]).toEqual([404, null])
    },
  )

  test('redirects no request that sends something', async () => {
    expect((await ask('//about', 'POST')).status).toBe(404)
  })

  test('the canonical path is served as it is', async () => {
    expect((await ask('/robots.txt')).status).toBe(200)
  })
})
