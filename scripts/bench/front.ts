import { brotli } from '../build/compress.ts'

/** One answer on its way out. `isPages`: the page asked for it, not its service worker. */
export type Sent = { path: string; bytes: number; isPages: boolean }

/** A server before the product, through which everything goes that a browser asks for. */
export type Front = {
  url: string
  /** What was sent since the last time. */
  take(): Sent[]
  /** From now on nothing is answered. */
  fallSilent(): void
  close(): Promise<void>
}

/** The page's own requests carry it; those of its service worker do not. */
export const pagesMark = { 'x-asked-by': 'page' }

export function openFront(origin: string): Front {
  let sent: Sent[] = []
  let isSilent = false
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const isPages = request.headers.has('x-asked-by')
      if (isSilent) return new Promise<Response>(() => {})
      const { response, bytes } = await passOn(request, `${origin}${pathname}${search}`)
      sent.push({ path: pathname, bytes: bytes.byteLength + headBytes(response.headers), isPages })
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
    fallSilent: () => {
      isSilent = true
    },
    close: () => server.stop(true),
  }
}

async function passOn(request: Request, address: string) {
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

const headBytes = (headers: Headers) =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + ': \r\n'.length, 0)

/** The product's pages with their scripts taken out, sent from memory: the floor of how soon one can be painted. */
export function openWithoutScripts(origin: string): { url: string; close(): Promise<void> } {
  const kept = new Map<string, Promise<{ bytes: Uint8Array<ArrayBuffer>; headers: Record<string, string> }>>()
  const read = async (path: string, accepts: string) => {
    const response = await fetch(origin + path, { headers: { 'accept-encoding': accepts } })
    const type = response.headers.get('content-type') ?? ''
    const isText = /^(text|image\/svg|application\/)/.test(type)
    const bytes = await response.bytes()
    const whole = type.startsWith('text/html') ? stripScripts(bytes) : bytes
    const fields = ['content-security-policy', 'cache-control', 'content-type'].map((name) => [
      name,
      response.headers.get(name) ?? '',
    ])
    const headers: Record<string, string> = Object.fromEntries(fields)
    if (!isText) return { bytes: whole, headers }
    return { bytes: new Uint8Array(brotli(Buffer.from(whole))), headers: { ...headers, 'content-encoding': 'br' } }
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const known = kept.get(pathname) ?? read(pathname, request.headers.get('accept-encoding') ?? '')
      kept.set(pathname, known)
      const { bytes, headers } = await known
      return new Response(bytes, { headers })
    },
  })
  return { url: `http://localhost:${server.port}`, close: () => server.stop(true) }
}

/** Facts for search engines stay: they are no scripts. */
const stripScripts = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    new TextEncoder().encode(
      new TextDecoder().decode(bytes).replace(/<script(?! type="application\/ld\+json")[^>]*>.*?<\/script>/gs, ''),
    ),
  )
