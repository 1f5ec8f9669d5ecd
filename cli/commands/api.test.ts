// @module-tag full
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password } from '#api/testing/passwords.ts'
import type { RunOptions } from '#cli/testing/run-command.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  for (const name of ['ann', 'ben', 'cal', 'dee', 'eve'])
    server.world.addMember({ email: `${name}@alliance.test`, tier: 'lite' })
})
afterAll(() => server.close())

const announcements = '/api/admin/announcements'
const ends = 'endsAt=2026-12-28T09:00:00.000Z'
const count = (sql: string) => server.world.ctx.sqlite.prepare<[], number>(sql).pluck().get()
const run = (argv: string[], options: RunOptions = {}) => runCommand(argv, { env: server.env, ...options })

/** What a call would send, as a server that writes it down hears it. */
async function sent(argv: string[], options: RunOptions = {}) {
  let heard: { method: string; address: string; body: string; key: string | null; type: string | null } | undefined
  const recorder = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      heard = {
        method: request.method,
        address: pathname + search,
        body: await request.text(),
        key: request.headers.get('idempotency-key'),
        type: request.headers.get('content-type'),
      }
      return Response.json({})
    },
  })
  try {
    const env = { ...server.env, ALLIANCE_TOKEN: 'token' }
    const ran = await run(['api', ...argv, '--api', `http://127.0.0.1:${recorder.port}`], { ...options, env })
    expect(ran).toMatchObject({ code: 0, err: '' })
    return heard
  } finally {
    await recorder.stop(true)
  }
}

const bodyOf = async (...argv: string[]) => JSON.parse((await sent(['POST', '/api/x', ...argv]))?.body ?? '')

test('both transports print the same JSON, and one path of it, without a method or /api', async () => {
  const [local, remote] = [await server.local('api admin/jobs'), await server.remote('api GET /api/admin/jobs')]
  expect(remote).toEqual(local)
  expect(JSON.parse(local.out)).toEqual(JSON.parse((await server.local('jobs list --json')).out))
  const { out } = await server.local('api /api/admin/jobs --jq .[].name')
  expect(out.split('\n')).toContain('clean-up')
  expect(JSON.parse((await server.local('api /api/admin/jobs --json name,everyMs')).out)[0]).toHaveProperty('name')
})

test('fields go into the address with GET, and into a body with anything else; POST is the method they mean', async () => {
  expect(await sent(['GET', '/api/x?a=1', '-f', 'q=a b', '-F', 'n=5', '-F', 'tag[]=x', '-F', 'tag[]=y'])).toMatchObject(
    {
      method: 'GET',
      address: '/api/x?a=1&q=a+b&n=5&tag=x&tag=y',
      body: '',
      key: null,
    },
  )
  expect(await sent(['/api/x', '-f', 'a=1'])).toMatchObject({
    method: 'POST',
    body: '{"a":"1"}',
    type: 'application/json',
  })
  expect(await sent(['patch', 'x'])).toMatchObject({ method: 'PATCH', address: '/api/x', body: '', type: null })
})

test('-f is text; -F is true, false, null or a whole number where it looks like one', async () => {
  expect(await bodyOf('-f', 'a=true', '-f', 'b=12', '-f', 'c=', '-f', 'd=@e=f')).toEqual({
    a: 'true',
    b: '12',
    c: '',
    d: '@e=f',
  })
  const typed = await bodyOf(
    ...['a=true', 'b=false', 'c=null', 'd=-12', 'e=1.5', 'f=x', 'g='].flatMap((one) => ['-F', one]),
  )
  expect(typed).toEqual({ a: true, b: false, c: null, d: -12, e: '1.5', f: 'x', g: '' })
})

test('names nest, and make lists and lists of objects', async () => {
  const fields = ['a.b=1', 'a[c]=2', 'l[]=x', 'l[]=y', 'e[]', 'o[][k]=1', 'o[][v]=2', 'o[][k]=3', 'm.n[]=z']
  expect(await bodyOf(...fields.flatMap((one) => ['-F', one]))).toEqual({
    a: { b: 1, c: 2 },
    l: ['x', 'y'],
    e: [],
    o: [{ k: 1, v: 2 }, { k: 3 }],
    m: { n: ['z'] },
  })
})

test('a field or the whole body comes from a file or stdin, as it is', async () => {
  const file = `${server.dataDir}/body.json`
  writeFileSync(file, '{"a": 1}\n')
  expect(await bodyOf('-F', `text=@${file}`)).toEqual({ text: '{"a": 1}\n' })
  expect(JSON.parse((await sent(['/api/x', '-F', 'text=@-'], { input: '12\n' }))?.body ?? '')).toEqual({ text: '12\n' })
  expect(await sent(['/api/x', '--input', file, '-F', 'q=1'])).toMatchObject({
    method: 'POST',
    address: '/api/x?q=1',
    body: '{"a": 1}\n',
  })
  const plain = ['PUT', '/api/x', '--input', '-', '-H', 'Content-Type: text/plain']
  expect(await sent(plain, { input: 'hello' })).toMatchObject({ body: 'hello', type: 'text/plain' })
})

test('each changing call has a key of its own; with the same one it happens once', async () => {
  const [first, second] = [await sent(['POST', '/api/x']), await sent(['POST', '/api/x'])]
  expect(first?.key).toMatch(/^[\da-f-]{36}$/)
  expect(second?.key).not.toBe(first?.key)
  const add = ['api', announcements, '-f', 'title=Shut', '-f', 'text=Back soon', '-f', ends]
  const key = ['-H', `Idempotency-Key: ${Bun.randomUUIDv7()}`]
  const made = [await run([...add, ...key]), await run([...add, ...key])]
  expect(made[0]).toMatchObject({ code: 0, err: '' })
  expect(made[1]).toEqual(made[0])
  expect(count('select count(*) from announcements')).toBe(1)
  await run(add)
  expect(count('select count(*) from announcements')).toBe(2)
})

test('--paginate follows the pages of a list, and refuses what is none', async () => {
  const paged = 'api GET /api/admin/members -F limit=2 -f sort=email'
  const one = JSON.parse((await server.local(paged)).out)
  expect(one).toHaveLength(2)
  for (const how of ['local', 'remote'] as const) {
    const all = JSON.parse((await server[how](`${paged} --paginate`)).out)
    expect(all.map(({ email }: { email: string }) => email)).toEqual(
      ['ann', 'ben', 'cal', 'dee', 'eve', 'olive'].map((name) => `${name}@alliance.test`),
    )
  }
  expect(await server.local('api /api/admin/members/ann@alliance.test/record --paginate')).toMatchObject({
    code: 2,
    out: '',
  })
})

test('--dry-run is sent where the call has one, and nothing where it has none', async () => {
  for (const how of ['local', 'remote'] as const) {
    const { code, out } = await server[how]('api DELETE /api/admin/members/ann@alliance.test --dry-run')
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ dryRun: true })])
    const repair = JSON.parse(
      (await server[how]('api POST /api/admin/delete-member-invoices -f memberId=ann@alliance.test --dry-run')).out,
    )
    expect(repair).toMatchObject({ dryRun: true })
    expect(await server[how](`api POST ${announcements} -f title=Gone -f text=x -f ${ends} --dry-run`)).toEqual({
      code: 2,
      out: '',
      err: `POST ${announcements} has no dry run. Nothing was sent.\n`,
    })
  }
  expect(count(`select count(*) from announcements where title = 'Gone'`)).toBe(0)
  expect(count(`select count(*) from users where email = 'ann@alliance.test'`)).toBe(1)
})

test('where the server doesn’t show its calls, --dry-run sends none', async () => {
  const heard: string[] = []
  const closed = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ method, url }) {
      heard.push(`${method} ${new URL(url).pathname}`)
      return new Response(null, { status: 404 })
    },
  })
  const argv = ['api', 'DELETE', '/api/admin/members/x', '--dry-run', '--api', `http://127.0.0.1:${closed.port}`]
  const { code, err } = await run(argv, { env: { ...server.env, ALLIANCE_TOKEN: 'token' } })
  await closed.stop(true)
  expect([code, heard]).toEqual([2, ['GET /api/docs/json']])
  expect(err).toContain('API_DOCS=1')
})

test('over HTTP a call that needs the password asks for it, and is repeated', async () => {
  server.world.ctx.sqlite.exec('update api_tokens set provenAt = null')
  const argv = 'api PUT /api/admin/settings/BOOKING_URL -f value=https://cal.example -F version=0'
  expect(await server.remote(argv)).toMatchObject({ code: 4, out: '', err: expect.stringContaining('no one here') })
  const typed = await server.remote(argv, { isTTY: { stdin: true, stdout: false }, input: [`${password}\r`] })
  expect(typed).toMatchObject({ code: 0, out: expect.stringContaining('https://cal.example') })
})

test.each([
  ['/api/admin/members/nobody@alliance.test/record', 3, 'See: alliance members list'],
  [`POST ${announcements} -f title=Shut`, 2, 'endsAt: '],
  ['/api/no-such-call', 3, ''],
  ['https://evil.example/api/admin/jobs', 2, 'the server is --api'],
  ['//evil.example/api/admin/jobs', 2, 'the server is --api'],
  ['/api/admin/members/{memberId}', 2, 'in place of {memberId}'],
  ['/api/x -f a', 2, 'Write it as name=value.'],
  ['/api/x -f a=1 -f a=2', 2, 'a is there twice.'],
  ['/api/x -f a=1 -f a.b=2', 2, 'There’s something else in a already.'],
  ['/api/x -f a[=2', 2, 'a[ isn’t a field’s name.'],
  ['/api/x -f __proto__.a=2', 2, 'isn’t a field’s name.'],
  ['GET /api/x -F a.b=2', 2, 'no nested fields'],
  ['GET /api/x --input no-such-file', 2, 'Leave out --input.'],
  ['/api/x --input /no-such-file', 2, 'can’t be read.'],
  ['POST /api/x --paginate', 2, '--paginate is for GET.'],
  ['GET /api/admin/jobs --dry-run', 2, 'no dry run'],
  ['/api/admin/jobs --csv', 2, '--json or --jq'],
  ['/api/x -H nonsense', 2, 'Write it as name: value.'],
  ['/api/x -H X-Name:Zoë', 2, 'Write it as name: value.'],
  ['GTE /api/admin/jobs', 2, 'GTE isn’t a method. There are: GET, POST, PUT, PATCH, DELETE.'],
  [`pots ${announcements} -f title=Shut`, 2, 'pots isn’t a method.'],
  ['HEAD /api/admin/jobs', 2, 'HEAD isn’t a method.'],
])('%s ends with code %d', async (argv, code, said) => {
  const local = await server.local(`api ${argv}`)
  expect(local).toMatchObject({ code, out: '', err: expect.stringContaining(said) })
  expect(await server.remote(`api ${argv}`)).toEqual(local)
})

test('without the right to it a call is refused, and a file is printed as it is', async () => {
  const env = { ...server.env, ALLIANCE_TOKEN: 'wrong' }
  expect((await server.remote('api /api/admin/jobs', { env })).code).toBe(4)
  const { code, out } = await server.local('api /api/docs')
  expect([code, out]).toEqual([0, expect.stringContaining('<!doctype html>')])
  expect(await server.local('api /api/docs --json')).toMatchObject({ code: 2, out: '' })
})

test('a saved plan can’t be such a call', async () => {
  const plan = `${server.dataDir}/plan.json`
  const argv = ['api', 'DELETE', '/api/admin/members/ann@alliance.test']
  writeFileSync(plan, JSON.stringify({ plan: 1, command: 'api', argv, server: null, question: '', facts: null }))
  expect((await server.local(`apply ${plan} --yes`)).code).not.toBe(0)
  expect(count(`select count(*) from users where email = 'ann@alliance.test'`)).toBe(1)
})

test('methods and the paths that have them are completed', async () => {
  expect((await server.local('complete -- api P')).out).toBe('POST\nPUT\nPATCH\n')
  expect((await server.local('complete -- api DELETE /api/admin/announce')).out).toBe(`${announcements}/{id}\n`)
  expect((await server.local('complete -- api /api/admin/jo')).out).toBe('/api/admin/jobs\n')
})
