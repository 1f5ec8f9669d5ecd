import http from 'node:http'
import type { RequestOptions } from 'node:https'
import https from 'node:https'
import ipaddr from 'ipaddr.js'

/** How we resolve names. Tests pass their own network, and the certificate authority it uses in `authority`. */
export type OutsideNetwork = {
  resolve: (host: string) => Promise<readonly string[]>
  isPublic: (address: string) => boolean
  authority?: string
}

export const internet: OutsideNetwork = {
  resolve: async (host) => {
    const { lookup } = await import('node:dns/promises')
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
  },
  isPublic: isPublicAddress,
}

/** Whether the address is on the public internet: not in our own network, and not a disguised private one. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  return ipaddr.process(text).range() === 'unicast'
}

export type Outside = { status: number; bytes: Uint8Array }
/** Why the request failed, in words for an owner. */
/** `unknownHost` is a name without an address. */
export type NoOutside = { problem: string; unknownHost?: string }

const patienceMs = 3000
const mostBytesOfPage = 256 * 1024

/** One request without cookies to a host named in our code. Null on a redirect, a large response or after three seconds. */
export async function requestKnownHost(address: URL): Promise<Outside | null> {
  const response = await sendRequest(address, {}, mostBytesOfPage)
  return 'problem' in response || isRedirect(response) ? null : response
}

/**
 * The same for an address a person typed: https and public addresses only. We resolve the name once and connect to the address we
 * checked, so DNS rebinding can't send us elsewhere.
 */
export async function requestOutside(
  text: string,
  network: OutsideNetwork,
  mostBytes = mostBytesOfPage,
): Promise<Outside | NoOutside> {
  if (!URL.canParse(text)) return { problem: 'This isn’t an address.' }
  const address = new URL(text)
  if (address.protocol !== 'https:') return { problem: 'It has to begin with https://.' }
  if (address.username !== '' || address.password !== '')
    return { problem: 'Leave the name and password out of the address.' }
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(host) ? [host] : await resolveHost(network, host)
  const [first] = found
  if (first === undefined) return { problem: `We can’t find ${host}. Check the spelling.`, unknownHost: host }
  if (!found.every(network.isPublic)) return { problem: `${host} isn’t on the public internet.` }
  const family = ipaddr.parse(first).kind() === 'ipv6' ? 6 : 4
  const options: RequestOptions = {
    // Node asks for one address or for all of them.
    lookup: (_host, { all }, done) => (all ? done(null, [{ address: first, family }]) : done(null, first, family)),
    ...(network.authority === undefined ? {} : { ca: network.authority }),
  }
  const response = await sendRequest(address, options, mostBytes)
  if ('problem' in response || !isRedirect(response)) return response
  return { problem: 'It redirects to another address. Use that one.' }
}

const sizeOf = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KB` : `${bytes / 1024 ** 2} MB`)

const isRedirect = ({ status }: Outside) => status >= 300 && status < 400

/** A name that never resolves counts as unknown, after the same timeout as a response. */
const resolveHost = (network: OutsideNetwork, host: string): Promise<readonly string[]> =>
  Promise.race([network.resolve(host).catch(() => []), Bun.sleep(patienceMs).then(() => [])])

function sendRequest(address: URL, options: RequestOptions, mostBytes: number): Promise<Outside | NoOutside> {
  const signal = AbortSignal.timeout(patienceMs)
  const headers = { accept: 'application/json, text/html, image/*', 'user-agent': 'Alliance' }
  const { request } = address.protocol === 'https:' ? https : http
  return new Promise((resolve) => {
    const fail = () => resolve({ problem: signal.aborted ? 'It took longer than 3 seconds.' : 'It doesn’t answer.' })
    const call = request(address, { ...options, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        chunks.push(chunk)
        if (size <= mostBytes) return
        resolve({ problem: `It’s larger than ${sizeOf(mostBytes)}.` })
        call.destroy()
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes: new Uint8Array(Buffer.concat(chunks)) }),
      )
      response.on('error', fail)
    })
    call.on('error', fail)
    call.end()
  })
}
