// @module-tag full
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OutsideServer, startOutside } from '#api/testing/outside.ts'
import { isPublicAddress, type OutsideNetwork, requestOutside } from './outside-request.ts'

/** 40 MB of zeros, compressed to a few kilobytes. */
function packed(encoding: string): Response {
  const nothing = Buffer.alloc(40 * 1024 ** 2)
  const bytes = encoding === 'br' ? brotliCompressSync(nothing) : gzipSync(nothing)
  return new Response(new Uint8Array(bytes), { headers: { 'content-encoding': encoding } })
}

let asked: string[] = []
let server: OutsideServer
let here: OutsideNetwork
beforeEach(() => {
  asked = []
  server = startOutside((request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.headers.get('host')}${pathname}`)
    if (pathname === '/moved') return Response.redirect('https://169.254.169.254/latest/meta-data/', 302)
    if (pathname === '/large') return new Response('x'.repeat(300_000))
    if (pathname.startsWith('/packed-')) return packed(pathname.slice('/packed-'.length))
    if (pathname === '/never') return new Promise<Response>(() => {})
    return new Response('Welcome', { status: pathname === '/gone' ? 404 : 200 })
  })
  here = server.network
})
afterEach(() => server.stop())

const port = () => new URL(server.at('/')).port
const at = (path: string) => server.at(path)

test('a page is read once, under the name that was asked for; what leads on, is too large or too slow is said', async () => {
  const found = await requestOutside(at('/page'), here)
  expect('bytes' in found && [found.status, new TextDecoder().decode(found.bytes)]).toEqual([200, 'Welcome'])
  expect(asked).toEqual([`outside.example:${port()}/page`])
  expect(await requestOutside(at('/gone'), here)).toMatchObject({ status: 404 })
  expect(await requestOutside(at('/moved'), here)).toEqual({
    problem: expect.stringContaining('redirects to another address'),
  })
  expect(await requestOutside(at('/large'), here)).toEqual({ problem: expect.stringContaining('larger than 256 KB') })
  expect(await requestOutside(at('/never'), here)).toEqual({ problem: expect.stringContaining('3 seconds') })
})

test('what is small only while it is packed is not unpacked past what may come', async () => {
  for (const encoding of ['gzip', 'br']) {
    const found = await requestOutside(at(`/packed-${encoding}`), here)
    // On a busy machine the request may time out before its size is known.
    expect('bytes' in found ? found.bytes.length : 0).toBeLessThan(256 * 1024)
  }
})

test('a certificate that nobody vouches for, and a name that another machine has, are no answer', async () => {
  const { resolve, isPublic } = here
  expect(await requestOutside(at('/page'), { resolve, isPublic })).toEqual({ problem: 'It doesn’t answer.' })
  expect(await requestOutside(`https://other.example:${port()}/`, here)).toEqual({
    problem: 'It doesn’t answer.',
  })
  expect(asked).toEqual([])
})

test('no address of this network is called, however it is written, and no name that leads to one', async () => {
  const inside = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1'],
    ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[fe80::1]', '[fd00::1]', '[ff02::1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:db8::1]', '[2001::1]'],
  ]
  const network = { resolve: async () => [], isPublic: isPublicAddress }
  for (const host of inside) {
    expect([host, await requestOutside(`https://${host}:${port()}/`, network)]).toEqual([
      host,
      { problem: expect.stringContaining('isn’t on the public internet') },
    ])
  }
  // If one private address got through, the connection could pick that one.
  const mixed = { resolve: async () => ['93.184.216.34', '10.0.0.1'], isPublic: isPublicAddress }
  expect(await requestOutside(at('/page'), mixed)).toEqual({
    problem: expect.stringContaining('isn’t on the public internet'),
  })
  expect(asked).toEqual([])
})

test('only https is called, without a password in the address; a name that does not exist is said', async () => {
  const network = { ...here, resolve: async () => [] }
  const problems = [
    ['http://outside.example/', /https/],
    ['file:///etc/passwd', /https/],
    ['gopher://outside.example/', /https/],
    ['javascript:alert(1)', /https/],
    ['not an address', /isn’t an address/],
    [`https://sam:secret@outside.example:${port()}/`, /password/],
    [at('/page'), /We can’t find outside\.example/],
  ] as const
  for (const [address, problem] of problems) {
    expect([address, await requestOutside(address, network)]).toEqual([
      address,
      expect.objectContaining({ problem: expect.stringMatching(problem) }),
    ])
  }
  expect(asked).toEqual([])
})
