/**
 * Sends as many small requests as one core can, each on a connection of its own, as a proxy without kept connections does.
 * Prints how often each status came back.
 */
import { createConnection } from 'node:net'

/** What one kind of flood sends. Each connection has an address of its own, or all of them share the first. */
export type Flood = {
  port: number
  path: string
  connections: number
  addresses: number
  seconds: number
}

if (import.meta.main) {
  const flood: Flood = JSON.parse(process.argv[2] ?? '{}')
  console.log(JSON.stringify(await send(flood)))
}

async function send(flood: Flood): Promise<Record<string, number>> {
  const until = performance.now() + flood.seconds * 1000
  const counts: Record<string, number> = {}
  const keepSending = async (connection: number) => {
    for (let index = 0; performance.now() < until; index += 1) {
      const status = await request(flood, { connection, index })
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: flood.connections }, (_, index) => keepSending(index)))
  return counts
}

/** The status, or `lost` where the connection ended without one. */
function request({ port, path, addresses }: Flood, { connection, index }: { connection: number; index: number }) {
  const body = JSON.stringify({ email: `nobody-${connection}-${index}@example.com`, password: 'wrong-wrong-42' })
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = createConnection({ port, host: '127.0.0.1' }, () =>
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: localhost:${port}`,
        'connection: close',
        `x-forwarded-for: 10.66.${(connection % addresses) >> 8}.${(connection % addresses) & 255}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    ),
  )
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    received += text
  })
  socket.on('error', () => resolve('lost'))
  socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 'lost'))
  return promise
}
