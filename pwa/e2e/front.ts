import { request as ask, createServer, type IncomingMessage } from 'node:http'
import { startOwnServer } from './own-server.ts'

/** `mode` is `navigate` for a page that's opened, `cors` or `same-origin` for one that's fetched. */
export type Answer = {
  path: string
  mode: string
  type: string
  headers: Record<string, string | string[]>
  body: Buffer
}

export type Front = { url: string; stop(): Promise<void> }

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

/** A server of its own behind a front, where an answer may be held back or changed on its way to the browser. */
export async function startFront(change: (answer: Answer) => unknown): Promise<Front> {
  const front = createServer((request, response) => {
    const { url: path = '/', method, headers } = request
    const onward = ask({ port: server.env.PORT, path, method, headers: { ...headers, 'accept-encoding': 'identity' } })
    // The browser may close a connection as it likes.
    onward.on('error', () => response.destroy())
    onward.on('response', async (from) => {
      const { 'transfer-encoding': _chunks, 'content-length': _length, ...rest } = from.headers
      const known = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      const answer: Answer = {
        path,
        mode: String(headers['sec-fetch-mode']),
        type: rest['content-type'] ?? '',
        headers: Object.fromEntries(known),
        body: await bodyOf(from),
      }
      await change(answer)
      response.writeHead(from.statusCode ?? 500, answer.headers).end(answer.body)
    })
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => front.listen(0, resolve))
  const address = front.address()
  const url = `http://localhost:${typeof address === 'object' ? address?.port : 0}`
  const server = await startOwnServer({ PUBLIC_URL: url })
  return {
    url,
    async stop() {
      await server.stop()
      front.closeAllConnections()
      front.close()
    },
  }
}
