import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http'
import { freePort } from './free-port.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

/** `mode` is `navigate` for a page that's opened, `cors` or `same-origin` for one that's fetched. */
export type Answer = {
  path: string
  mode: string
  type: string
  headers: Record<string, string | string[]>
  body: Buffer
}

/** What a browser asked for. `status` is 0 until it has been answered; `isWhole` once the last byte has gone. */
export type Asked = { method: string; path: string; range: string; status: number; body: string; isWhole: boolean }

/** A server of its own behind a line, which can be cut: then connections break, and new ones are refused. */
export type Front = {
  url: string
  server: OwnServer
  asked: Asked[]
  /** Where the line breaks, once each: when so many bytes of media have come by it. */
  breaks: number[]
  down(): Promise<void>
  up(): Promise<void>
  stop(): Promise<void>
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part)
  return Buffer.concat(parts)
}

/**
 * Stands in front of the server at `port`. With `change`, an answer may be held back or changed on its way to the browser. Without
 * it, answers come piece by piece, as media always do.
 */
export function createFront(
  port: string | undefined,
  change?: (answer: Answer) => unknown,
  asked: Asked[] = [],
  breaks: number[] = [],
): Server {
  let passed = 0
  const server = createServer((request, response) => {
    const { url: path = '/', method = 'GET', headers } = request
    const isMedia = path.startsWith('/api/media/')
    const row: Asked = { method, path, range: headers.range ?? '', status: 0, body: '', isWhole: false }
    asked.push(row)
    response.on('finish', () => (row.isWhole = true))
    const more = change ? { 'accept-encoding': 'identity' } : {}
    const onward = ask({ port, path, method, headers: { ...headers, ...more } })
    // The browser may close a connection as it likes.
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    onward.on('response', async (from) => {
      row.status = from.statusCode ?? 500
      from.on('error', () => response.destroy())
      if (!change || isMedia) {
        response.writeHead(row.status, from.headers)
        if (isMedia) from.on('data', count)
        from.pipe(response)
        return
      }
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
      response.writeHead(row.status, answer.headers).end(answer.body)
    })
    if (/json/.test(headers['content-type'] ?? '')) request.on('data', (bytes) => (row.body += bytes))
    request.pipe(onward)
  })
  function count({ length }: Buffer) {
    passed += length
    if (passed < (breaks[0] ?? Number.POSITIVE_INFINITY)) return
    breaks.shift()
    server.closeAllConnections()
  }
  return server
}

export async function startFront(
  change?: (answer: Answer) => unknown,
  environment: Record<string, string> = {},
): Promise<Front> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await startOwnServer({ ...environment, PUBLIC_URL: url })
  const asked: Asked[] = []
  const breaks: number[] = []
  const front = createFront(server.env.PORT, change, asked, breaks)
  await listen(front, port)
  const down = async () => {
    if (!front.listening) return
    const closed = new Promise((resolve) => front.close(resolve))
    front.closeAllConnections()
    await closed
  }
  return {
    url,
    server,
    asked,
    breaks,
    down,
    up: async () => void (front.listening || (await listen(front, port))),
    async stop() {
      await down()
      await server.stop()
    },
  }
}

const listen = (front: Server, port: number) => new Promise<void>((resolve) => front.listen(port, resolve))
