/** What becomes of one request. A delayed one reaches the server when the test says so, long after the phone gave up. */
export type Fate =
  | 'deliver'
  | 'lose-request'
  | 'lose-answer'
  | 'twice'
  | 'delay'
  | 'hang'
  | { status: number; body?: unknown; headers?: Record<string, string> }

export type Sent = { path: string; body: unknown }

export type Network = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** The fates of the next requests; after them `usual` holds. */
  next(...fates: Fate[]): void
  usual: Fate
  /** Every request that left the phone, whether it arrived or not. */
  sent: Sent[]
  /** Requests that still travel, and the delivery of one of them. */
  delayed: (() => Promise<Response>)[]
}

/** The air between a phone and the server. `deliver` is the server. */
export function createNetwork(deliver: (path: string, init: RequestInit) => Promise<Response>): Network {
  const fates: Fate[] = []
  const network: Network = {
    usual: 'deliver',
    sent: [],
    delayed: [],
    next: (...more) => void fates.push(...more),
    fetch: async (path, init) => {
      network.sent.push({ path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null })
      const fate = fates.shift() ?? network.usual
      if (typeof fate !== 'string') return made(fate)
      if (fate === 'hang') return hang(init.signal)
      if (fate === 'lose-request') throw new TypeError('Failed to fetch')
      if (fate === 'delay') {
        network.delayed.push(() => deliver(path, init))
        throw new TypeError('Failed to fetch')
      }
      const answer = await deliver(path, init)
      if (fate === 'twice') return deliver(path, init)
      if (fate === 'lose-answer') throw new TypeError('Failed to fetch')
      return answer
    },
  }
  return network
}

function made({ status, body, headers = {} }: Exclude<Fate, string>): Response {
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
export const ourError = (status: number, code: string, headers: Record<string, string> = {}): Fate => ({
  status,
  body: { error: { code, message: `Refused: ${code}.` } },
  headers,
})
