import { expect, test } from 'vitest'
import { sessions } from '#api/db/schema/sessions.ts'
import { unsubscribePath, webhookPath } from '#api/serving/paths.ts'
import { countRows } from '#api/testing/joining.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { ownPhotoPath, photoType } from '#shared/contract/photo.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { maxBodyBytes, maxOpenBytes, progressPrefix } from './request-body.ts'

const json = { 'content-type': 'application/json' }

function send(world: World, path: string, init: RequestInit & { headers?: Record<string, string> }) {
  return world.handle(new Request(`http://localhost${path}`, init))
}

const errorCodeOf = async (response: Response) => (await response.json()).error.code

/** Every mutating route, except the webhook and the sandbox's form-encoded ones. */
const mutating = ({ wholeApp }: World) =>
  wholeApp()
    .routes.filter(
      ({ method, path }) =>
        !['GET', 'ALL'].includes(method) && path.startsWith('/api/') && ![webhookPath, unsubscribePath].includes(path),
    )
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+/, 'nothing') }))

test('API-16 a body is exactly application/json or refused', async () => {
  const world = startWorld()
  const types = [
    'text/plain',
    'text/plain; json',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-8',
    'application/jsonx',
    'application/octet-stream',
  ]
  const body = () => new TextEncoder().encode('{"email":"sam@example.com","password":"sandbox-password"}')
  for (const { method, path } of mutating(world)) {
    // The only member's body that's a picture.
    const refused = types.filter((type) => path !== ownPhotoPath || method !== 'PUT' || type !== photoType)
    for (const headers of [...refused.map((type) => ({ 'content-type': type })), {}]) {
      const response = await send(world, path, { method, headers, body: body() })
      const said = [method, path, headers, response.status, await errorCodeOf(response)]
      expect(said).toEqual([method, path, headers, 415, 'unsupported_media_type'])
    }
  }
})

test('a call without a body needs no Content-Type', async () => {
  const world = startWorld()
  expect((await send(world, '/api/auth/logout', { method: 'POST' })).status).toBe(200)
})

const stream = (bytes: number) =>
  new ReadableStream({
    start(controller) {
      for (let left = bytes; left > 0; left -= 65_536)
        controller.enqueue(new Uint8Array(Math.min(left, 65_536)).fill(32))
      controller.close()
    },
  })

test('a body over its limit is refused, with or without a Content-Length', { tags: ['full'] }, async () => {
  const world = startWorld()
  // An owner may call all routes, so none rejects before it looks at the body.
  const { cookie } = world.signIn(world.addOwner())
  // These may be larger, and are counted as they arrive (media.test.ts).
  const larger = ['/api/admin/media', '/api/admin/bounces']
  const routes = mutating(world).filter(({ path }) => !larger.includes(path))
  for (const { method, path } of [...routes, { method: 'POST', path: webhookPath }]) {
    const isLonger = ['/api/admin/', progressPrefix, webhookPath].some((prefix) => path.startsWith(prefix))
    const tooMany = (isLonger ? maxBodyBytes : maxOpenBytes) + 1
    for (const headers of [{ ...json, 'content-length': String(tooMany) }, json]) {
      const response = await send(world, path, { method, headers: { ...headers, cookie }, body: stream(tooMany) })
      expect([path, response.status, await errorCodeOf(response)]).toEqual([path, 413, 'too_large'])
    }
  }
})

const largeBodies = [
  { path: '/api/admin/media', method: 'POST', type: 'application/json', isOwners: true },
  { path: '/api/admin/bounces', method: 'POST', type: 'application/json', isOwners: true },
  { path: '/api/admin/blog', method: 'POST', type: 'application/json', isOwners: true },
  { path: '/api/admin/tokens', method: 'POST', type: 'application/json', isOwners: true },
  { path: '/api/admin/media/uploads/nothing', method: 'PATCH', type: chunkType, isOwners: true },
  { path: `${progressPrefix}/sync`, method: 'POST', type: 'application/json', isOwners: false },
  { path: ownPhotoPath, method: 'PUT', type: photoType, isOwners: false },
]

test('a body that may be larger is read from nobody but those who may send it', async () => {
  const world = startWorld()
  const [member, owner] = [world.signIn(world.addMember()), world.signIn(world.addOwner())]
  for (const { path, method, type, isOwners } of largeBodies) {
    const sendAs = async (headers: Record<string, string>) => {
      const body = '[[[[]]]]'.padEnd(maxOpenBytes + 1)
      const request = new Request(`http://localhost${path}`, {
        method,
        body,
        headers: { 'content-type': type, [offsetHeader]: '0', 'idempotency-key': crypto.randomUUID(), ...headers },
      })
      const { status } = await world.handle(request)
      return [path, status, request.bodyUsed]
    }
    expect(await sendAs({})).toEqual([path, 401, false])
    if (isOwners) expect(await sendAs({ cookie: member.cookie })).toEqual([path, 403, false])
    const allowed = await sendAs({ cookie: isOwners ? owner.cookie : member.cookie })
    expect(allowed).toEqual([path, expect.any(Number), true])
  }
})

test('a login that ends while a body is still coming lets nothing be done with it', async () => {
  const world = startWorld()
  const sends = [
    { path: '/api/admin/tokens', body: { name: 'Mine', scopes: ['write'], days: 30 } },
    { path: '/api/admin/blog', body: { title: 'Mine' } },
  ]
  for (const { path, body } of sends) {
    const { cookie } = world.signIn(world.addOwner())
    let isSent = false
    const stream = {
      pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        if (!isSent) controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        else {
          world.ctx.db.delete(sessions).run()
          controller.close()
        }
        isSent = true
      },
    }
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: new ReadableStream(stream, { highWaterMark: 0 }),
    })
    expect([path, (await world.handle(request)).status]).toEqual([path, 401])
  }
  expect(countRows(world, 'sessions')).toBe(0)
})

test('of no route that only some may call is more read than of an open one, before it is clear who calls', {
  tags: ['full'],
}, async () => {
  const world = startWorld()
  for (const { method, path } of mutating(world)) {
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: json,
      body: '{}'.padEnd(maxOpenBytes + 1),
    })
    const { status } = await world.handle(request)
    expect([path, status === 413 || (status === 401 && !request.bodyUsed)]).toEqual([path, true])
  }
})

test('what an owner sends that is larger and no JSON, or nested too deeply, is refused as all else is', async () => {
  const world = startWorld()
  const { cookie } = world.signIn(world.addOwner())
  for (const body of ['{', '['.repeat(maxBodyBytes), '[]'])
    for (const { path, type } of largeBodies.filter(({ method }) => method === 'POST')) {
      const response = await send(world, path, { method: 'POST', headers: { 'content-type': type, cookie }, body })
      const error = body === '[]' ? [422, 'invalid'] : [400, 'malformed']
      expect([path, body.length, response.status, await errorCodeOf(response)]).toEqual([path, body.length, ...error])
    }
})

test('a body up to its limit is read', async () => {
  const response = await send(startWorld(), '/api/auth/login', {
    method: 'POST',
    headers: json,
    body: stream(maxOpenBytes),
  })
  expect([response.status, await errorCodeOf(response)]).toEqual([400, 'malformed'])
})

test('what is no JSON is refused, and not repeated', async () => {
  const world = startWorld()
  for (const body of ['{"password":"hunter2-marker"', '', '[', 'undefined', '['.repeat(60_000), "{'a':1}"]) {
    const response = await send(world, '/api/auth/login', { method: 'POST', headers: json, body })
    const text = await response.text()
    expect([response.status, text.includes('marker')]).toEqual([400, false])
    expect(JSON.parse(text).error.code).toBe('malformed')
  }
})

test('under /api a path that does not exist is a JSON 404, for every method', async () => {
  const world = startWorld()
  const paths = [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/auth',
    '/api/admin/nothing/at/all',
    '/api/auth/login/x',
    '/sandbox/nothing',
  ]
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const response = await send(world, path, { method })
      expect([method, path, response.status]).toEqual([method, path, 404])
      expect(response.headers.get('content-type')).toContain('application/json')
      if (method !== 'HEAD') expect(await errorCodeOf(response)).toBe('not_found')
    }
  }
})

test('the body of a path that does not exist is not read', async () => {
  const world = startWorld()
  const response = await send(world, '/api/nothing', { method: 'POST', headers: json, body: '{' })
  expect([response.status, await errorCodeOf(response)]).toEqual([404, 'not_found'])
})

test('no response allows another origin', async () => {
  const world = startWorld()
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
  for (const method of ['OPTIONS', 'GET']) {
    const response = await send(world, '/api/membership-tiers', { method, headers })
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('a body that is nested thousands deep is refused before it is written into an error', async () => {
  const world = startWorld()
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const body of [deep(100), deep(30_000), `{"email":${deep(30_000)}}`]) {
    const response = await send(world, '/api/auth/login', { method: 'POST', headers: json, body })
    expect([response.status, await errorCodeOf(response)]).toEqual([400, 'malformed'])
  }
  const brackets = '['.repeat(50)
  for (const email of [`${brackets}\\"`, `\\\\${brackets}`, `"${brackets}"`, brackets]) {
    const body = JSON.stringify({ email, password: 'sandbox-password' })
    expect((await send(world, '/api/auth/login', { method: 'POST', headers: json, body })).status).toBe(422)
    const behind = `{"email":${JSON.stringify(email)},"password":${deep(50)}}`
    expect((await send(world, '/api/auth/login', { method: 'POST', headers: json, body: behind })).status).toBe(400)
  }
})

test('CALLS-9 words to find are taken as they were typed, with commas and brackets', async () => {
  const world = startWorld()
  const typed = ['Shah, Priya', '[3]', '{"a":1}', ',', 'a,b,c', '100%', 'a+b&c=d']
  for (const lastName of typed) world.addMember({ lastName })
  const owner = world.signIn(world.addOwner())
  const found = async (query: string) => (await owner(`/api/admin/members?${query}`)).json()
  for (const q of typed) {
    const rows: { lastName: string }[] = await found(String(new URLSearchParams({ q })))
    expect([q, rows.map(({ lastName }) => lastName)]).toEqual([q, expect.arrayContaining([q])])
  }
  expect(await found('q=Shah,+Danny')).toMatchObject([{ lastName: 'Shah, Priya' }])
  expect((await found('q=a&q=b')).error.code).toBe('invalid')
})

test('an address with more parameters than any link has is refused, and all that a link may have are read', async () => {
  const world = startWorld()
  world.addMember({ lastName: 'Shah' })
  const owner = world.signIn(world.addOwner())
  const addedBy = (count: number) => Array.from({ length: count }, (_, at) => `utm_${at}=a,b`).join('&')
  const found = await owner(`/api/admin/members?${addedBy(49)}&q=Shah`)
  expect([found.status, await found.json()]).toMatchObject([200, [{ lastName: 'Shah' }]])
  for (const path of ['/', '/favicon.ico', '/blog', '/api/blog', '/api/membership-tiers', '/api/nothing'])
    for (const query of [addedBy(51), '0&'.repeat(2_000), '&'.repeat(5_000), `a?${'a&a&'.repeat(3_000)}`]) {
      const response = await world.call(`${path}?${query}`)
      expect([path, response.status, await errorCodeOf(response)]).toEqual([path, 400, 'malformed'])
    }
})
