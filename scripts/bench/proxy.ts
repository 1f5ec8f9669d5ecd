import { brotli } from '../build/compress.ts'

/** A response as sent. `isForPage`: requested by the page, not its service worker. */
export type SentResponse = { path: string; bytes: number; isForPage: boolean }

export type CountingProxy = {
  url: string
  take(): SentResponse[]
  /** From now on responses are as slow as on such a line: one after another, each after its latency. */
  slowDown(line: SlowLine): void
  stopResponding(): void
  close(): Promise<void>
}

export type SlowLine = { bytesPerSecond: number; latencyMs: number }

/** Playwright adds these headers to the page's own requests, but not to its service worker's. */
export const pageRequestHeaders = { 'x-requested-by': 'page' }

export function openCountingProxy(origin: string): CountingProxy {
  let sent: SentResponse[] = []
  let isResponding = true
  let line: SlowLine | null = null
  let freeAt = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const isForPage = request.headers.has('x-requested-by')
      if (!isResponding) return new Promise<Response>(() => {})
      const { response, bytes } = await forward(request, `${origin}${pathname}${search}`)
      if (line !== null) {
        freeAt = Math.max(freeAt, performance.now()) + (bytes.byteLength / line.bytesPerSecond) * 1000
        await Bun.sleep(freeAt - performance.now() + line.latencyMs)
      }
      sent.push({ path: pathname, bytes: bytes.byteLength + headerBytes(response.headers), isForPage })
      return new Response(bytes, response)
    },
  })
  return {
    url: `http://localhost:${server.port}`,
    take: () => {
      const taken = sent
      sent = []
      return taken
    },
    slowDown: (slow) => {
      line = slow
    },
    stopResponding: () => {
      isResponding = false
    },
    close: () => server.stop(true),
  }
}

async function forward(request: Request, address: string) {
  const headers = new Headers(request.headers)
  headers.delete('host')
  if (headers.has('origin')) headers.set('origin', new URL(address).origin.replace('127.0.0.1', 'localhost'))
  const body = request.body === null ? null : await request.arrayBuffer()
  const response = await fetch(address, {
    method: request.method,
    headers,
    body,
    decompress: false,
    redirect: 'manual',
  })
  return { response, bytes: await response.bytes() }
}

const headerBytes = (headers: Headers) =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0)

/** Serves the product's pages without their scripts, from memory: the floor for the first paint. */
export function openWithoutScripts(origin: string): { url: string; close(): Promise<void> } {
  const cache = new Map<string, Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }>>()
  const load = async (path: string, acceptEncoding: string) => {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': acceptEncoding } })
    const type = response.headers.get('content-type') ?? ''
    const isText = /^(text|image\/svg|application\/)/.test(type)
    const body = await response.bytes()
    const bytes = type.startsWith('text/html') ? stripScripts(body) : body
    const fields = ['content-security-policy', 'cache-control', 'content-type'].map((name) => [
      name,
      response.headers.get(name) ?? '',
    ])
    const headers: Record<string, string> = Object.fromEntries(fields)
    if (!isText) return { bytes, headers }
    return { bytes: new Uint8Array(brotli(Buffer.from(bytes))), headers: { ...headers, 'content-encoding': 'br' } }
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const page = cache.get(pathname) ?? load(pathname, request.headers.get('accept-encoding') ?? '')
      cache.set(pathname, page)
      const { bytes, headers } = await page
      return new Response(bytes, { headers })
    },
  })
  return { url: `http://localhost:${server.port}`, close: () => server.stop(true) }
}

/** Keeps search engines' structured data, since browsers don't run it. */
const stripScripts = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    new TextEncoder().encode(
      new TextDecoder().decode(bytes).replace(/<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs, ''),
    ),
  )
