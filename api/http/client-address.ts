import type { Server } from 'bun'
import ipaddr from 'ipaddr.js'

type Proxies = { settings: { trustedProxies: readonly string[] } }
/** A request, and the server that it came to; none where it was made in this process. */
export type Connection = { request: Request; server: Server<unknown> | null }

/**
 * The address that counts for limits: the peer's, or, where the peer is a trusted proxy, the last one in
 * X-Forwarded-For that is not. A last one that is no address counts as the proxy's: those before it are whatever the
 * client sent. Without a socket (requests made in this process) it is loopback. An IPv6 address counts with its whole
 * network of 64 bits, since a client with one address of it has them all.
 */
export function clientAddress({ settings }: Proxies, { request, server }: Connection): string {
  const peer = canonicalAddress(server?.requestIP(request)?.address ?? '') ?? '127.0.0.1'
  const isTrusted = (address: string | null) => address !== null && settings.trustedProxies.includes(address)
  if (!isTrusted(peer)) return networkOf(peer)
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',')
  // From the right, and no further than needed: what comes before is whatever the client sent, and as long as they like.
  for (let at = forwarded.length - 1; at >= 0; at -= 1) {
    const part = forwarded[at]?.trim() ?? ''
    const address = part === '' ? peer : canonicalAddress(part)
    if (!isTrusted(address)) return networkOf(address ?? peer)
  }
  return networkOf(peer)
}

function networkOf(address: string): string {
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return address
  return ipv6Network(address.replace(/%.*/, ''), 64)
}

const ipv6Network = (address: string, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`

/**
 * The network that one customer may have all to themselves, of an address as limits count it: of IPv6, providers hand out up to
 * 65,536 networks of 64 bits, which is one of 48.
 */
export function customerNetwork(address: string): string {
  const [network = '', bits] = address.split('/')
  return bits === undefined ? address : ipv6Network(network, 48)
}

/** An IPv6 address has at most 45 characters, and then a zone, two brackets and a port. What is longer is none. */
const maxCharacters = 80

/**
 * The one spelling of an IP address: an IPv4 address that is mapped into IPv6 as IPv4, others in their short form. The
 * port that some proxies add is left out. Null for what is no address; `ipaddr.js` alone would take `1` for 0.0.0.1.
 */
export function canonicalAddress(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > maxCharacters) return null
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const address = bracketed ?? trimmed.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress ? ipaddr.process(address).toString() : null
}
