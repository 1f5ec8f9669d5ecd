import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'

let world: World
let server: Bun.Server<undefined>
beforeAll(() => {
  world = startWorld()
  // Listens as the product does: with Elysia's own `listen`, Bun would match most routes itself.
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => world.wholeApp().fetch(request) })
})
afterAll(() => {
  server.stop(true)
})

async function send(...lines: string[]): Promise<string | undefined> {
  const socket = connect(server.port ?? 0, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
    if (text.includes('\r\n\r\n')) socket.end()
  })
  await once(socket, 'close')
  return text.split('\r\n')[0]?.replace('HTTP/1.1 ', '')
}

test.each([
  ['GET / HTTP/1.0'],
  ['GET /api/health HTTP/1.0'],
  ['GET /api/health HTTP/1.1'],
  ['POST /api/auth/login HTTP/1.0'],
  ...['', ' ', 'a b', '[::', 'a@b', '%', 'a:99999', 'a/b?c#d', 'a, b'].map((host) => [
    'GET /api/health HTTP/1.1',
    `Host: ${host}`,
  ]),
  ['GET /api/health HTTP/1.1', 'Host: a', 'Host: b'],
])('a missing or malformed Host is 400, and no fault of ours: %s %s', async (...lines) => {
  expect(await send(...lines)).toBe('400 Bad Request')
  expect(world.logged.filter((line) => line.includes('unexpected failure'))).toEqual([])
})

test.each(['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000', 'alliance.example.', 'nas', 'pc', 'a', 'a:3000'])(
  'a Host passes: %s',
  async (host) => {
    expect(await send('GET /api/health HTTP/1.1', `Host: ${host}`)).toBe('200 OK')
  },
)

const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong' })
const login = ['content-type: text/plain', `content-length: ${body.length}`, 'connection: close', '', body]

// Without a build, every page is a 503.
test.each([
  ['503 Service Unavailable', 'GET /zz/api/health'],
  ['503 Service Unavailable', 'GET /z/api/health?a=/b'],
  ['404 Not Found', 'POST /sandbox/api/auth/login', ...login],
  ['415 Unsupported Media Type', 'POST /api/auth/login', ...login],
  ['308 Permanent Redirect', 'GET /contact/'],
])(
  'however short the Host, the path that is checked is the one that responds: %s %s',
  async (status, line, ...rest) => {
    for (const host of ['localhost', 'abcd', 'nas', 'pc', 'a', 'a:80']) {
      expect([host, await send(`${line} HTTP/1.1`, `Host: ${host}`, ...rest)]).toEqual([host, status])
    }
  },
)

test.each(['/api/health#', '/api/health#/b', '/#/api/health', '/?a#b'])(
  'an address that goes on after a # is 400, as it is two paths: %s',
  async (path) => {
    expect(await send(`GET ${path} HTTP/1.1`, 'Host: localhost')).toBe('400 Bad Request')
  },
)
