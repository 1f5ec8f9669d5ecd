import { negotiateEncoding } from './compressed-response.ts'

/** A response that was sent once, and may be sent again as long as `version` is that of the pages. */
type Ready = { version: string; responses: Map<string, Response> }

type Options = {
  /** The hosts that are ours: under any other, addresses without end could be remembered. */
  hosts: ReadonlySet<string>
  /** Changes with whatever pages are made from. */
  version: () => string
}

export type ReadyPages = {
  /** The response to a request for a page that is ready; undefined for all else, which takes the ordinary way. */
  respond(request: Request): Response | undefined
  /** Remembers what a request for a page got on the ordinary way. */
  remember(request: Request, response: Response): void
}

/** There are some fifty pages, and each post. */
const maxAddresses = 1_000

/**
 * Pages that are rendered already are sent before the framework sees the request, with the same headers but the request's id: the
 * framework takes longer than all the rest. Bun's own static routes know no encodings.
 */
export function createReadyPages({ hosts, version }: Options): ReadyPages {
  const readyByAddress = new Map<string, Ready>()
  return {
    respond(request) {
      const ready = readyByAddress.get(request.url)
      if (ready === undefined || request.method !== 'GET' || ready.version !== version()) return undefined
      if (request.headers.get('if-none-match') !== null) return undefined
      return ready.responses.get(negotiateEncoding(request).encoding)?.clone()
    },
    remember(request, response) {
      const { host, search } = new URL(request.url)
      if (request.method !== 'GET' || response.status !== 200 || search !== '' || !hosts.has(host)) return
      const current = version()
      const known = readyByAddress.get(request.url)
      if (known === undefined && readyByAddress.size >= maxAddresses) readyByAddress.clear()
      const ready = known?.version === current ? known : { version: current, responses: new Map() }
      const copy = response.clone()
      copy.headers.delete('x-request-id')
      ready.responses.set(negotiateEncoding(request).encoding, copy)
      readyByAddress.set(request.url, ready)
    },
  }
}
