import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { generationOf } from '#api/db/generation.ts'
import { issueApiToken } from '#api/features/accounts/login/session-service.ts'
import { pushKeysOf } from '#api/features/notices/keys-service.ts'
import { projectFolder } from '#api/project.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { isOwnersAct, type Role, type Row, roles, rowsOf } from '#api/testing/routes.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'

const routesOf = ({ wholeApp }: World) => rowsOf(wholeApp())

const addressOf = ({ path }: Row) => path.replace(/[:*]\w*/g, 'nothing')
const methodOf = ({ method }: Row) => (method === 'ALL' ? 'POST' : method)
const mutates = (route: Row) => !['GET', 'HEAD'].includes(methodOf(route))

function ask(call: Call, route: Row, headers: Record<string, string> = {}, path = addressOf(route)) {
  const method = methodOf(route)
  const takesBody = mutates(route) && !path.startsWith('/sandbox/')
  return call(path, { method, headers, ...(takesBody ? { body: {} } : {}) })
}

/** One caller per role. Each request gets a new one, since some requests end their session. */
function everyone(world: World): { who: string; role: Role; call: () => Call }[] {
  const { ctx } = world
  const [person, owner, former] = [world.addUser(), world.addOwner(), world.addOwner()]
  const lapsed = world.addMember({ subscription: { status: 'canceled' } })
  const revoked = world.addMember({ tier: 'xl', accessOverride: 'revoked' })
  const unpaid = world.addMember({ subscription: { status: 'incomplete' } })
  const [lite, granted] = [world.addMember({ tier: 'lite' }), world.addUser({ accessOverride: 'granted' })]
  ctx.sqlite.prepare('update users set isAdmin = 0 where id = ?').run(former.id)
  const withHeader = (headers: Record<string, string>) => (): Call => (path, options) =>
    world.call(path, { ...options, headers: { ...headers, ...options?.headers } })
  const withToken = (token: string) => withHeader({ authorization: `Bearer ${token}` })()
  const tokenOf = ({ id }: { id: string }) => issueApiToken(ctx, id, 'terminal', { isProven: true }).token
  const signedIn = (who: string, role: Role, id: { id: string; email: string }) => ({
    who,
    role,
    call: () => world.signIn(id),
  })
  return [
    { who: 'a visitor', role: 'visitor', call: () => world.call },
    { who: 'an invented cookie', role: 'visitor', call: withHeader({ cookie: 'alliance_session=made-up' }) },
    { who: 'an invented token', role: 'visitor', call: withHeader({ authorization: 'Bearer made-up' }) },
    signedIn('an account', 'person', person),
    signedIn('a former member', 'person', lapsed),
    signedIn('a revoked member', 'person', revoked),
    signedIn('somebody who has not paid yet', 'person', unpaid),
    signedIn('a former owner', 'person', former),
    { who: 'the token of a former owner', role: 'person', call: () => withToken(tokenOf(former)) },
    signedIn('a member', 'member', lite),
    signedIn('a complimentary member', 'member', granted),
    signedIn('an owner', 'owner', owner),
    { who: 'the token of an owner', role: 'owner', call: () => withToken(tokenOf(owner)) },
  ]
}

const rank = (role: Role) => roles.indexOf(role)
const changes = ({ ctx }: World) =>
  ctx.sqlite.prepare<[], { n: number }>('select total_changes() as n').get()?.n ?? Number.NaN
const errorCodeOf = async (response: Response) => v.parse(ErrorBody, await response.json()).error.code

/** Who may call what by its address, whatever guard a row names: the first that fits. What visitors may call stands here one by one. */
const lowestRoles: [address: RegExp, role: Role][] = [
  [/ \/api\/admin\//, 'owner'],
  // Also for those whose access has ended: a payment that failed concerns them.
  [/ \/api\/members\/notices\b/, 'person'],
  // What they said stays theirs to take back.
  [/ \/api\/members\/questions\/:id\/withdraw$/, 'person'],
  [/ \/api\/(member-videos|members|video-progress|shelf|media|announcements)\b/, 'member'],
  [/ \/api\/calendar\/(calls$|mine)/, 'member'],
  [/ \/api\/(user|billing|photos)\//, 'person'],
  [/ \/api\/auth\/(user|proof|(set|change)-password)$|^DELETE \/api\/auth\/token$/, 'person'],
  [/^POST \/api\/auth\/((code|passkey)(\/login)?|login|logout|token|continue)$/, 'visitor'],
  [/^POST \/api\/auth\/(forgot-password|reset-password(\/check)?)$/, 'visitor'],
  [/^GET \/api\/calendar\/(slots|feeds)\/:\w+$|^POST \/api\/calendar\/holds$/, 'visitor'],
  [/ \/api\/calendar\/call(\.ics|\/(slots|confirm|move|cancel))?$/, 'visitor'],
  [/^GET \/api\/(blog(\/:slug)?|docs(\/json)?|health(\/history)?|site-content|payment-config|logout)$/, 'visitor'],
  [/^GET \/api\/(membership-tiers|delayed-subscription|invitation)$|^POST \/api\/analytics\/events$/, 'visitor'],
  [/^POST \/api\/(email-change\/(confirm|report|undo)|owner-invitation(\/accept)?)$/, 'visitor'],
  [/^POST \/api\/(membership-application(\/email)?|coaching-application|coaching-bookings|contact)$/, 'visitor'],
  [/^POST \/api\/(create-(delayed-)?subscription|create-quotient-payment|quotient-payment-state)$/, 'visitor'],
  [/^POST \/api\/notices\/(receipts|opened|stray)$/, 'visitor'],
  [/^POST \/api\/stripe\/webhook$| \/api\/mail\/unsubscribe$/, 'visitor'],
  [/ \/(?!api\/)/, 'visitor'],
]

test('V8.1.1 ROLE-01 PERM-6 PERM-7 the guard of every route is what its address calls for: what manages anything is the owners’ alone', () => {
  const rows = routesOf(startWorld())
  const wanted = rows.map(({ name }) => [name, lowestRoles.find(([address]) => address.test(name))?.[1]])
  expect(rows.map(({ name, role }) => [name, role])).toEqual(wanted)
  const nouns = ['members', 'fix-member-invoices', 'delete-member-invoices', 'videos', 'blog', 'commission-status']
  for (const noun of [...nouns, 'membership-applications', 'coaching-applications', 'manual-commissions'])
    expect([noun, rows.some(({ path }) => path.startsWith(`/api/admin/${noun}`))]).toEqual([noun, true])
})

test('every owners’ act says what it’s called in the log, and asks for the password or says why not', () => {
  for (const row of routesOf(startWorld()).filter(isOwnersAct)) {
    const { name, audit, asksPassword, unasked } = row
    expect([name, audit !== undefined, asksPassword || unasked !== null]).toEqual([name, true, true])
  }
})

test('V6.1.3 every way in is one of those that docs/asvs.md lists', async () => {
  const opening: Record<string, number> = {}
  for await (const file of new Glob('**/*.ts').scan(join(projectFolder, 'api/features'))) {
    if (file.endsWith('.test.ts')) continue
    const source = readFileSync(join(projectFolder, 'api/features', file), 'utf8')
    const calls = source.match(/(?<!function )\b(startSession|openLogin|issueApiToken)\(ctx/g) ?? []
    if (calls.length > 0) opening[file] = calls.length
  }
  // Adding one means adding a line here.
  expect(opening).toEqual({
    'accounts/login/login-service.ts': 1,
    'accounts/login-routes.ts': 2,
    'accounts/login/session-service.ts': 1,
    'billing/purchases/buyer-service.ts': 2,
    'accounts/owners/invitation-service.ts': 1,
    'accounts/sign-in/routes.ts': 2,
  })
  const asvs = readFileSync(join(projectFolder, 'docs/asvs.md'), 'utf8')
  const ways = [...asvs.matchAll(/^\| `(POST \/api\/\S+)`/gm)].map(([, way = '']) => way)
  const names = routesOf(startWorld()).map(({ name }) => name)
  expect([ways.length, ways.filter((way) => !names.includes(way))]).toEqual([9, []])
})

test('V8.2.1 V8.3.1 ROLE-01 ROLE-03 ROLE-05 PERM-7 every route lets in its lowest role and all above, and nobody below', async () => {
  // Some routes call Stripe first, so it needs to answer.
  const world = await startPaymentWorld()
  onTestFinished(() => world.stop())
  const routes = routesOf(world)
  // A guard does the same on each of its routes, so we try one route per guard with every role.
  const eachGuard = routes.filter(({ role }, at) => at === routes.findIndex((other) => other.role === role))
  const callers = everyone(world)
  for (const [at, { who, role, call }] of callers.entries()) {
    const isFirst = at === callers.findIndex((other) => other.role === role)
    for (const route of routes) {
      // What lets a caller in does its work, which the features' own tests see.
      const isKeptOut = isFirst && rank(role) < rank(route.role)
      if (!isKeptOut && !eachGuard.includes(route) && !process.env.FULL) continue
      // Beyond the limit of logins per person, each new one would end another.
      world.ctx.sqlite.exec('delete from sessions; delete from api_tokens')
      const before = changes(world)
      const asked = call()
      const atStart = changes(world)
      const response = await ask(asked, route)
      const { status } = response
      // A file of everyone's names asks even an owner for the password again.
      const isAsked = status === 403 && (await readError(response)).code === 'password_needed'
      const isIn = rank(role) >= rank(route.role)
      const expected = isIn ? 'in' : role === 'visitor' ? 401 : 403
      const seen = [401, 403].includes(status) && !isAsked ? status : 'in'
      expect([who, route.name, seen]).toEqual([who, route.name, expected])
      if (!isIn) expect([who, route.name, changes(world) - atStart]).toEqual([who, route.name, 0])
      // Logging in writes the session and the visit.
      expect(atStart - before).toBeLessThanOrEqual(2)
      if (route.statuses.length > 0 && !route.path.startsWith('/sandbox')) {
        expect([route.name, route.statuses]).toEqual([route.name, expect.arrayContaining([String(status)])])
      }
    }
  }
})

test('ROLE-01 an expired session and an expired token identify nobody', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const { token } = issueApiToken(world.ctx, owner.id, 'old')
  const [bySession, byToken] = [world.signIn(owner), { authorization: `Bearer ${token}` }]
  const days = 86_400_000
  world.forward(days / 2 - 1)
  expect((await bySession('/api/admin/mrr')).status).toBe(200)
  world.forward(days / 2)
  expect((await bySession('/api/admin/mrr')).status).toBe(401)
  world.forward(89 * days)
  expect((await world.call('/api/admin/mrr', { headers: byToken })).status).toBe(200)
  world.forward(1)
  expect((await world.call('/api/admin/mrr', { headers: byToken })).status).toBe(401)
})

test('V8.3.2 ROLE-05 an owner who lost the role has lost it at once', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const call = world.signIn(owner)
  expect((await call('/api/admin/mrr')).status).toBe(200)
  world.ctx.sqlite.prepare('update users set isAdmin = 0 where id = ?').run(owner.id)
  expect((await call('/api/admin/mrr')).status).toBe(403)
})

test('ROLE-01 HEAD passes the same guard as GET, and has no body', { tags: ['full'] }, async () => {
  const world = startWorld()
  const some = everyone(world).filter(({ who }) => ['a visitor', 'an account', 'an owner'].includes(who))
  for (const { call } of some) {
    for (const route of routesOf(world).filter(({ method }) => method === 'GET')) {
      const get = await ask(call(), route)
      const head = await call()(addressOf(route), { method: 'HEAD' })
      expect([route.name, head.status, await head.text()]).toEqual([route.name, get.status, ''])
    }
  }
})

test('ROLE-01 paths that are not canonical are not found', { tags: ['full'] }, async () => {
  const world = startWorld()
  const owner = world.addOwner()
  for (const route of routesOf(world).filter(({ path }) => path.startsWith('/api/'))) {
    const path = addressOf(route)
    const call = world.signIn(owner)
    const spellings = [
      `${path}/`,
      `/${path}`,
      path.replace('/api/', '/api//'),
      `${path}//`,
      `${path}%00`,
      `${path};a=b`,
    ]
    for (const spelled of spellings) {
      const response = await ask(call, route, {}, spelled)
      // If the address ends in an id, the id doesn't exist, and the body is checked first.
      const isId = /\/:\w+$/.test(route.path) && /(%00|;a=b)$/.test(spelled)
      const code = await errorCodeOf(response)
      const isOfId = isId && (code === 'invalid' || code === 'member_not_found')
      const expected = isOfId ? [code === 'invalid' ? 422 : 404, code] : [404, 'not_found']
      expect([spelled, response.status, code]).toEqual([spelled, ...expected])
    }
    const shouted = await ask(call, route, {}, path.toUpperCase())
    expect([path, shouted.status, shouted.headers.get('content-type') ?? '']).toEqual([
      path,
      route.method === 'GET' ? 503 : 404,
      expect.not.stringMatching(route.method === 'GET' ? 'json' : 'html'),
    ])
  }
})

test('API-16 nothing that comes from another site changes anything', { tags: ['full'] }, async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.elsewhere.example', 'sec-fetch-site': 'same-origin' },
  ]
  generationOf(world.ctx) // A server gives its database one when it starts.
  pushKeysOf(world.ctx) // And these.
  await world.call('/api/health') // Tests the disk with a write, every five seconds at most.
  for (const route of routesOf(world)) {
    let call = world.signIn(owner)
    for (const headers of foreign) {
      const before = changes(world)
      const { status } = await ask(call, route, headers)
      // The first two authenticate with a signature or a token, and ignore cookies. The third reads nothing.
      const exempt = ['POST /api/stripe/webhook', 'POST /api/mail/unsubscribe', 'POST /members/share']
      const isExempt = exempt.includes(route.name)
      if (mutates(route) && !isExempt) expect([route.name, headers, status]).toEqual([route.name, headers, 403])
      // Only the return from a payment page may log out from a sibling site.
      if (route.path === '/api/logout' && headers['sec-fetch-site'] === 'same-site') {
        call = world.signIn(owner)
        continue
      }
      expect([route.name, headers, changes(world)]).toEqual([route.name, headers, before])
    }
  }
})

test('API-16 our own pages pass by origin and by Sec-Fetch-Site, and so do programs', async () => {
  const ours: [env: Record<string, string>, headers: Record<string, string>, status: number][] = [
    [{}, {}, 200],
    [{}, { 'sec-fetch-site': 'same-origin' }, 200],
    [{}, { 'sec-fetch-site': 'none' }, 200],
    [{}, { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, 200],
    [{ PORT: '4000' }, { origin: 'http://127.0.0.1:4000' }, 200],
    [{ PORT: '4000' }, { origin: 'http://127.0.0.1:3000' }, 403],
    [{ PUBLIC_URL: 'https://alliance.example/' }, { origin: 'https://alliance.example' }, 200],
    [{ PUBLIC_URL: 'https://alliance.example' }, { origin: 'http://alliance.example' }, 403],
  ]
  const production = { NODE_ENV: 'production', ALLOW_SANDBOX: '1', SESSION_SECRET: 'x'.repeat(32) }
  ours.push([{ ...production, PUBLIC_URL: 'https://a.example' }, { origin: 'http://localhost:3000' }, 403])
  for (const [env, headers, status] of ours) {
    const response = await startWorld({ env }).call('/api/auth/logout', { method: 'POST', headers })
    expect([env, headers, response.status]).toEqual([env, headers, status])
  }
})
