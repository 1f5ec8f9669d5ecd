/** What happens to a request. A delayed one reaches the server when the test says so, long after the phone timed out. */
export type Delivery =
  | 'deliver'
  | 'lose-request'
  | 'lose-response'
  | 'twice'
  | 'delay'
  | 'hang'
  | 'hold'
  | { status: number; body?: unknown; headers?: Record<string, string> }

type Sent = { path: string; body: unknown }

export type Network = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** What happens to the next requests; after them `usual` applies. */
  next(...deliveries: Delivery[]): void
  usual: Delivery
  sent: Sent[]
  /** Requests that haven't arrived yet; calling one delivers it. */
  delayed: (() => Promise<Response>)[]
  /** Requests held on the way; calling one releases it. */
  held: (() => void)[]
}

/** The network between a phone and the server. `deliver` is the server. */
export function createNetwork(deliver: (path: string, init: RequestInit) => Promise<Response>): Network {
  const deliveries: Delivery[] = []
  const network: Network = {
    usual: 'deliver',
    sent: [],
    delayed: [],
    held: [],
    next: (...more) => void deliveries.push(...more),
    fetch: async (path, init) => {
      network.sent.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null })
      const delivery = deliveries.shift() ?? network.usual
      if (typeof delivery !== 'string') return createResponse(delivery)
      if (delivery === 'hang') return hang(init.signal)
      if (delivery === 'hold') await new Promise<void>((resolve) => network.held.push(resolve))
      if (delivery === 'lose-request') throw new TypeError('Failed to fetch')
      if (delivery === 'delay') {
        network.delayed.push(() => deliver(path, init))
        throw new TypeError('Failed to fetch')
      }
      const response = await deliver(path, init)
      if (delivery === 'twice') return deliver(path, init)
      if (delivery === 'lose-response') throw new TypeError('Failed to fetch')
      return response
    },
  }
  return network
}

function createResponse({ status, body, headers = {} }: Exclude<Delivery, string>): Response {
  if (typeof body === 'string')
    return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
  // This status allows no body.
  return status === 204 ? new Response(null, { status, headers }) : Response.json(body ?? null, { status, headers })
}

function hang(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}

/** An error response in our server's format. */
export const ourError = (status: number, code: string, headers: Record<string, string> = {}): Delivery => ({
  status,
  body: { error: { code, message: `Refused: ${code}.` } },
  headers,
})
