/** What becomes of one request. A delayed one reaches the server when the test says so, long after the phone gave up. */
export type Delivery =
  | 'deliver'
  | 'lose-request'
  | 'lose-response'
  | 'twice'
  | 'delay'
  | 'hang'
  | { status: number; body?: unknown; headers?: Record<string, string> }

export type Sent = { path: string; body: unknown }

export type Network = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** The deliveries of the next requests; after them `usual` holds. */
  next(...deliveries: Delivery[]): void
  usual: Delivery
  /** Every request that left the phone, whether it arrived or not. */
  sent: Sent[]
  /** Requests that still travel, and the delivery of one of them. */
  delayed: (() => Promise<Response>)[]
}

/** The air between a phone and the server. `deliver` is the server. */
export function createNetwork(deliver: (path: string, init: RequestInit) => Promise<Response>): Network {
  const deliveries: Delivery[] = []
  const network: Network = {
    usual: 'deliver',
    sent: [],
    delayed: [],
    next: (...more) => void deliveries.push(...more),
    fetch: async (path, init) => {
      network.sent.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null })
      const delivery = deliveries.shift() ?? network.usual
      if (typeof delivery !== 'string') return made(delivery)
      if (delivery === 'hang') return hang(init.signal)
      if (delivery === 'lose-request') throw new TypeError('Failed to fetch')
      if (delivery === 'delay') {
        network.delayed.push(() => deliver(path, init))
        throw new TypeError('Failed to fetch')
      }
      const answer = await deliver(path, init)
      if (delivery === 'twice') return deliver(path, init)
      if (delivery === 'lose-response') throw new TypeError('Failed to fetch')
      return answer
    },
  }
  return network
}

function made({ status, body, headers = {} }: Exclude<Delivery, string>): Response {
  if (typeof body === 'string')
    return new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
  return Response.json(body ?? null, { status, headers })
}

function hang(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}

/** An error answer as our server writes it. */
export const ourError = (status: number, code: string, headers: Record<string, string> = {}): Delivery => ({
  status,
  body: { error: { code, message: `Refused: ${code}.` } },
  headers,
})
