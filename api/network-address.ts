import ipaddr from 'ipaddr.js'

export function networkOf(address: string): string {
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return address
  return ipv6Network(address.replace(/%.*/, ''), 64)
}

const ipv6Network = (address: string, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`

/** The network a single customer may have. IPv6 providers hand out up to a /48: 65,536 networks of 64 bits. */
export function customerNetwork(address: string): string {
  const [network = '', bits] = address.split('/')
  return bits === undefined ? address : ipv6Network(network, 48)
}

/** An IPv6 address has at most 45 characters, plus a zone, two brackets and a port. */
const maxCharacters = 80

/**
 * Normalises an IP address: IPv4-mapped IPv6 as IPv4, others in short form, without the port some proxies add. Null if it isn't
 * an address. `ipaddr.js` alone would read `1` as 0.0.0.1.
 */
export function canonicalAddress(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > maxCharacters) return null
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const address = bracketed ?? trimmed.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return isAddress ? ipaddr.process(address).toString() : null
}
