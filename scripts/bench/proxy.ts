import { brotli } from '../build/compress.ts'

/** A response as sent. `isForPage`: requested by the page, not its service worker. */
export type SentResponse = { path: string; bytes: number; isForPage: boolean }

/** A line on which responses come one after another, each after its latency. */
export type SlowLine = { bytesPerSecond: number; latencyMs: number }

/** Playwright adds these headers to the page's own requests, but not to its service worker's. */
export const pageRequestHeaders = { 'x-requested-by': 'page' }

/** Passes requests on and counts what's sent. */
export function openCountingProxy(origin: string) {
  let [sent, freeAt] = [[] as SentResponse[], 0]
  /** What the line is like from now on, and whether the server still answers. */
  const state: { line: SlowLine | null; isSilent: boolean } = { line: null, isSilent: false }
  const proxy = serve(async (request) => {
    if (state.isSilent) return new Promise<Response>(() => {})
    const response = await forward(request, origin)
    const bytes = await response.bytes()
    if (state.line !== null) {
      freeAt = Math.max(freeAt, performance.now()) + (bytes.byteLength / state.line.bytesPerSecond) * 1000
      await Bun.sleep(freeAt - performance.now() + state.line.latencyMs)
    }
    const isForPage = request.headers.has('x-requested-by')
    sent.push({ path: new URL(request.url).pathname, bytes: bytes.byteLength + headerBytes(response), isForPage })
    return new Response(bytes, response)
  })
  const take = () => {
    const taken = sent
    sent = []
    return taken
  }
  return Object.assign(proxy, { state, take })
}

const serve = (answer: (request: Request) => Promise<Response>) => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  return { url: `http://localhost:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}

async function forward(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  if (headers.has('origin')) headers.set('origin', origin.replace('127.0.0.1', 'localhost'))
  const body = request.body === null ? null : await request.arrayBuffer()
  return fetch(`${origin}${pathname}${search}`, {
    method: request.method,
    headers,
    body,
    decompress: false,
    redirect: 'manual',
  })
}

const headerBytes = ({ headers }: Response) =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0)

/** Serves the product's pages without their scripts, from memory: the floor for the first paint. */
export function openWithoutScripts(origin: string) {
  const load = async (path: string, acceptEncoding: string) => {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': acceptEncoding } })
    const kept = ['content-security-policy', 'cache-control', 'content-type']
    const headers = Object.fromEntries(kept.map((name) => [name, response.headers.get(name) ?? '']))
    const type = headers['content-type'] ?? ''
    if (!/^(text|image\/svg|application\/)/.test(type)) return { bytes: await response.bytes(), headers }
    const text = await response.text()
    // Search engines' structured data stays, since browsers don't run it.
    const scripts = /<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs
    const bytes = brotli(Buffer.from(type.startsWith('text/html') ? text.replace(scripts, '') : text))
    return { bytes: new Uint8Array(bytes), headers: { ...headers, 'content-encoding': 'br' } }
  }
  const pages = new Map<string, ReturnType<typeof load>>()
  return serve(async (request) => {
    const { pathname } = new URL(request.url)
    const page = pages.get(pathname) ?? load(pathname, request.headers.get('accept-encoding') ?? '')
    pages.set(pathname, page)
    const { bytes, headers } = await page
    return new Response(bytes, { headers })
  })
}
