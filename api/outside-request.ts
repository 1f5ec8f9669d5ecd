import type { RequestOptions } from 'node:https'
import ipaddr from 'ipaddr.js'

/** How names become addresses. Tests have a network of their own; `authority` is whose certificates it accepts besides. */
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

/** Of the whole internet: no machine of this one's own network, and none that only looks like another. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  // An IPv4 address inside an IPv6 one counts as what it is.
  return ipaddr.process(text).range() === 'unicast'
}

export type Outside = { status: number; bytes: Uint8Array }
/** Why there is no response, as an owner would say it. */
export type NoOutside = { problem: string }

const patienceMs = 3000
const mostBytes = 256 * 1024

/**
 * One request to a host that the program itself names, without cookies. No response that leads elsewhere, takes longer than
 * three seconds or is too large.
 */
export async function requestKnownHost(address: URL): Promise<Outside | null> {
  const response = await sendRequest(address, {})
  return 'problem' in response || isRedirect(response) ? null : response
}

/**
 * The same to an address that a person typed: by https, to a public address alone. The name is looked up once, and what was
 * checked is what is called, so that it cannot lead to another machine in between.
 */
export async function requestOutside(text: string, network: OutsideNetwork): Promise<Outside | NoOutside> {
  if (!URL.canParse(text)) return { problem: 'This isn’t an address.' }
  const address = new URL(text)
  if (address.protocol !== 'https:') return { problem: 'It has to begin with https://.' }
  if (address.username !== '' || address.password !== '')
    return { problem: 'Leave the name and password out of the address.' }
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(host) ? [host] : await resolveHost(network, host)
  const [first] = found
  if (first === undefined) return { problem: `We can’t find ${host}. Check the spelling.` }
  if (!found.every(network.isPublic)) return { problem: `${host} isn’t on the public internet.` }
  const family = ipaddr.parse(first).kind() === 'ipv6' ? 6 : 4
  const response = await sendRequest(address, {
    // As the caller asks: for one, or for all of them.
    lookup: (_host, { all }, done) => (all ? done(null, [{ address: first, family }]) : done(null, first, family)),
    ...(network.authority === undefined ? {} : { ca: network.authority }),
  })
  if ('problem' in response || !isRedirect(response)) return response
  return { problem: 'It redirects to another address. Use that one.' }
}

const isRedirect = ({ status }: Outside) => status >= 300 && status < 400

/** A name that never resolves counts as none: the caller waits no longer than for a response. */
const resolveHost = (network: OutsideNetwork, host: string): Promise<readonly string[]> =>
  Promise.race([network.resolve(host).catch(() => []), Bun.sleep(patienceMs).then(() => [])])

function sendRequest(address: URL, options: RequestOptions): Promise<Outside | NoOutside> {
  const signal = AbortSignal.timeout(patienceMs)
  const headers = { accept: 'application/json, text/html, image/*', 'user-agent': 'Alliance' }
  const { request } = process.getBuiltinModule(address.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((resolve) => {
    const fail = () => resolve({ problem: signal.aborted ? 'It took longer than 3 seconds.' : 'It doesn’t answer.' })
    const call = request(address, { ...options, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength
        chunks.push(chunk)
        if (size <= mostBytes) return
        resolve({ problem: 'It’s too large to check.' })
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
