/** A response as sent. `isForPage`: requested by the page, not its service worker. */
export type SentResponse = { path: string; bytes: number; isForPage: boolean }

/** A line on which responses come one after another, each after its latency. */
export type SlowLine = { bytesPerSecond: number; latencyMs: number }

/** 400 kbit/s, 400 ms latency and a quarter of the CPU: a cheap phone at the edge of its signal. */
export const phoneLine: SlowLine = { bytesPerSecond: 50_000, latencyMs: 400 }

/** Playwright adds these headers to the page's own requests, but not to its service worker's. */
export const pageRequestHeaders = { 'x-requested-by': 'page' }

/** Passes requests on and counts what's sent. */
export function openCountingProxy(origin: string) {
  let [sent, freeAt] = [[] as SentResponse[], 0]
  /** What the line is like from now on, and whether the server still answers. */
  const state: { line: SlowLine | null; isSilent: boolean } = { line: null, isSilent: false }
  const answer = async (request: Request) => {
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
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  const take = () => {
    const taken = sent
    sent = []
    return taken
  }
  const url = `http://localhost:${server.port}`
  return { url, state, take, [Symbol.asyncDispose]: () => server.stop(true) }
}

async function forward(request: Request, origin: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  if (headers.has('origin')) headers.set('origin', origin)
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
