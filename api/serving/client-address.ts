import type { Server } from 'bun'
import { canonicalAddress, networkOf } from '#api/network-address.ts'

type Proxies = { settings: { trustedProxies: readonly string[] } }
/** A request and the server it came to. Null if it was made in this process. */
export type Connection = { request: Request; server: Server<unknown> | null }

/**
 * The address rate limits count: the peer's, or behind a trusted proxy the last untrusted one in X-Forwarded-For. If that isn't
 * an address, the proxy's counts, because anything before it could be made up by the client. Without a socket (requests made in
 * this process) it's loopback. IPv6 addresses count as their /64 network, since a client has all of it.
 */
export function clientAddress({ settings }: Proxies, { request, server }: Connection): string {
  const peer = canonicalAddress(server?.requestIP(request)?.address ?? '') ?? '127.0.0.1'
  const isTrusted = (address: string | null) => address !== null && settings.trustedProxies.includes(address)
  if (!isTrusted(peer)) return networkOf(peer)
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',')
  // From the right, and no further than needed: the client controls what's before it, and how long it is.
  for (let at = forwarded.length - 1; at >= 0; at -= 1) {
    const part = forwarded[at]?.trim() ?? ''
    const address = part === '' ? peer : canonicalAddress(part)
    if (!isTrusted(address)) return networkOf(address ?? peer)
  }
  return networkOf(peer)
}
