import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'

let world: World
beforeAll(() => {
  world = startWorld()
  world.wholeApp().listen({ port: 0, hostname: '127.0.0.1' })
})
afterAll(() => {
  world.wholeApp().server?.stop(true)
})

/** The status line of what is sent as it stands, which no client of ours would send. */
async function send(...lines: string[]): Promise<string | undefined> {
  const socket = connect(world.wholeApp().server?.port ?? 0, '127.0.0.1')
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

test.each(['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000', 'alliance.example.'])(
  'a Host passes: %s',
  async (host) => {
    expect(await send('GET /api/health HTTP/1.1', `Host: ${host}`)).toBe('200 OK')
  },
)
