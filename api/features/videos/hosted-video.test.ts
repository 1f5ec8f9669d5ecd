import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import type { VideoHosts } from '#api/video-hosts/oembed.ts'
import type { HostedVideo } from '#shared/contract/admin-video.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let asked: string[] = []
let reply: (request: Request) => Response | Promise<Response>
let host: ReturnType<typeof Bun.serve>
let owner: Call
beforeEach(() => {
  asked = []
  host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      asked.push(pathname + search)
      return pathname === '/picture.png' ? new Response(png) : reply(request)
    },
  })
  const here = host.url.origin
  const one = (page: string) => ({ oembed: `${here}/oembed`, page: (id: string) => page + id, pictures: [here] })
  const videoHosts: VideoHosts = { wistia: one('https://home.wistia.com/medias/'), youtube: one('https://youtu.be/') }
  const world = startWorld({ videoHosts })
  owner = world.signIn(world.addOwner())
})
afterEach(() => host.stop(true))

const ask = (videoId: string, videoType = 'wistia') =>
  owner(`/api/admin/videos/hosted?${new URLSearchParams({ videoType, videoId })}`)
const answer = async (response: Promise<Response>): Promise<HostedVideo> => (await response).json()
const nothing = { isAnswered: false, title: null, duration: null, picture: null }

test('CALLS-22 CALLS-48 VID-9 title, length and picture are read from the host, of the id in what was pasted', async () => {
  const thumbnail_url = `${host.url.origin}/picture.png`
  reply = () => Response.json({ title: ' Pricing\u202e a day\n', duration: 754.3, thumbnail_url, html: '<script>' })
  expect(await answer(ask('https://alliance.wistia.com/medias/abc123def4?x=1'))).toEqual({
    isAnswered: true,
    title: 'Pricing a day',
    duration: 13,
    picture: `data:image/png;base64,${png.toString('base64')}`,
  })
  expect(asked[0]).toBe('/oembed?url=https%3A%2F%2Fhome.wistia.com%2Fmedias%2Fabc123def4&format=json')
  reply = () => Response.json({ title: 'A clip', duration: 45 })
  expect((await answer(ask('aqz-KE-bpKQ', 'youtube'))).duration).toBe(0.75)
})

test('what names no video of the host, or one that it does not have, is said at the field; no other host is asked', async () => {
  reply = () => new Response('Not found', { status: 404 })
  expect(await readError(await ask('abc123def4'))).toMatchObject({
    code: 'invalid',
    fields: { videoId: 'The host has no video with this ID, or it’s private.' },
  })
  asked = []
  for (const pasted of [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:3000/medias/abc',
    'https://home.wistia.com@127.0.0.1/medias/abc',
    'https://wistia.com.evil.example/medias/abc',
    'file:///etc/passwd',
    'abc/../../admin',
    'abc&url=http://localhost',
    'gopher://127.0.0.1/medias/abc',
    'http://[::1]/medias/abc',
    'http://[::ffff:127.0.0.1]/medias/abc',
    'http://2130706433/medias/abc',
    'http://0x7f.0.0.1/medias/abc',
    'http://localhost./medias/abc',
    '//127.0.0.1/medias/abc',
    'https://home.wistia.com\\@127.0.0.1/medias/abc',
    'https://home.wistia.com#@127.0.0.1/medias/abc',
    'https://home.wistia.com%2f@127.0.0.1/medias/abc',
    'https://home.wistia.com.localhost/medias/abc',
    'https://ｈome.wistia.com.127.0.0.1/medias/abc',
    '<iframe src="http://127.0.0.1/medias/abc"></iframe>',
    'abc\r\nHost: localhost',
  ])
    expect([pasted, (await ask(pasted)).status]).toEqual([pasted, 422])
  expect(await answer(ask('https://streamyard.com/abc123', 'streamyard'))).toEqual(nothing)
  expect(await answer(ask('https://127.0.0.1/x', 'embed'))).toEqual(nothing)
  expect(asked).toEqual([])
})

test('a host that leads elsewhere, answers with too much, with no description or not at all is not followed', async () => {
  const answers: [what: string, respond: () => Response][] = [
    ['another address', () => Response.redirect(`${host.url.origin}/secret`)],
    ['too much', () => new Response(`{"title":"${'a'.repeat(256 * 1024)}"}`)],
    ['no JSON', () => new Response('<html>')],
    ['a title that is none', () => Response.json({ title: { toString: 'x' } })],
    ['an error of its own', () => new Response('', { status: 500 })],
  ]
  for (const [what, respond] of answers) {
    reply = respond
    expect([what, await answer(ask('abc123def4'))]).toEqual([what, nothing])
  }
  expect(asked.some((path) => path.startsWith('/secret'))).toBe(false)
  host.stop(true)
  expect(await answer(ask('abc123def4'))).toEqual(nothing)
})

test('a picture of another place, or one that is none, is left out', async () => {
  const own = host.url.origin
  const leadsOn = (pathname: string) =>
    pathname === '/moved' ? Response.redirect('http://169.254.169.254/x.png') : new Response(new Uint8Array(300_000))
  for (const pathname of ['/moved', '/huge']) {
    reply = ({ url }) =>
      new URL(url).pathname === pathname
        ? leadsOn(pathname)
        : Response.json({ title: 'A', thumbnail_url: `${own}${pathname}` })
    expect(await answer(ask('abc123def4'))).toMatchObject({ title: 'A', picture: null })
  }
  for (const thumbnail_url of ['http://169.254.169.254/x.png', 'file:///etc/passwd', `${own}/oembed?svg`, 'data:,x']) {
    reply = ({ url }) =>
      url.endsWith('svg') ? new Response('<svg onload="alert(1)"/>') : Response.json({ title: 'A', thumbnail_url })
    expect(await answer(ask('abc123def4'))).toEqual({ isAnswered: true, title: 'A', duration: null, picture: null })
  }
})
