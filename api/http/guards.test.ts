import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { issueApiToken } from '#api/features/auth/session-service.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'

/** What an owner reads and does on a member's page. */
const memberPage = Object.fromEntries(
  ['GET record', 'GET activity', 'PUT profile', 'PUT free-access', 'DELETE free-access', 'PUT free-month']
    .concat(['POST refunds', 'POST card-link', 'POST subscription/tier', 'DELETE subscription/tier'])
    .concat(['cancel', 'resume', 'end'].map((action) => `POST subscription/${action}`))
    .map((name) => [name.replace(' ', ' /api/admin/members/:memberId/'), 'owner' as const]),
)

/** Our own calendar. What a mailed link does asks for its signature alone. */
const calendar: Record<string, Role> = {
  ...Object.fromEntries(
    ['GET slots/:kind', 'POST holds', 'GET call', 'GET call/slots', 'GET call.ics', 'GET feeds/:feed']
      .concat(['confirm', 'move', 'cancel'].map((action) => `POST call/${action}`))
      .map((name) => [name.replace(' ', ' /api/calendar/'), 'visitor' as const]),
  ),
  ...{ 'POST /api/calendar/calls': 'member', 'GET /api/calendar/mine': 'member' },
  'GET /api/admin/calendar': 'owner',
  ...Object.fromEntries(
    ['PUT hours', 'PUT rules', 'POST days', 'DELETE days/:id', 'POST allowances', 'GET calls', 'POST calls/:id/move']
      .concat(['POST calls/:id/cancel', 'GET feeds', 'POST feeds', 'DELETE feeds/:id'])
      .map((name) => [name.replace(' ', ' /api/admin/calendar/'), 'owner' as const]),
  ),
}

/** What an owner reads and changes of what the site shows. */
const whatIsShown = Object.fromEntries(
  ['GET tiers', 'PATCH tiers/:tier', 'GET tiers/:tier/price', 'POST tiers/:tier/price']
    .concat(['GET videos', 'GET videos/hosted', 'POST videos', 'PUT videos/order', 'PATCH videos/:id'])
    .concat(['GET unfinished', 'GET analytics/counts', 'DELETE videos/:id', 'PUT videos/:id/files', 'POST media'])
    .concat(['GET content', 'GET content/:page', 'GET content/:page/history', 'PUT content/:page'])
    .concat(['POST content/:page/reset', 'GET settings', 'PUT settings/:name', 'GET blog', 'POST blog'])
    .concat(['POST blog/preview', 'GET blog/:id', 'PATCH blog/:id', 'DELETE blog/:id'])
    .map((name) => [name.replace(' ', ' /api/admin/'), 'owner' as const]),
)

/** What a person does about their own payments. */
const billing = Object.fromEntries(
  ['GET subscription', 'POST cancel', 'POST resume', 'POST end', 'POST change-tier']
    .concat(['DELETE change-tier', 'POST upgrade/preview', 'POST upgrade', 'POST upgrade/settle'])
    .concat(['GET payment-method', 'POST card', 'POST card/settle', 'POST pay', 'GET address'])
    .concat(['PUT address', 'GET invoices', 'GET invoices/:id', 'GET invoices/:id/pdf'])
    .concat(['GET credit-notes/:id', 'GET credit-notes/:id/pdf'])
    .map((name) => [name.replace(' ', ' /api/billing/'), 'person' as const]),
)

const gettingIn = Object.fromEntries(
  ['login', 'logout', 'forgot-password', 'reset-password', 'reset-password/check', 'token', 'continue'].map((name) => [
    `POST /api/auth/${name}`,
    'visitor' as const,
  ]),
)

/** Files that everybody may load. */
const files = Object.fromEntries(
  ['sitemap.xml', 'rss.xml', 'robots.txt', 'manifest.webmanifest', 'favicon.ico']
    .concat(['media', 'photographs', 'icons', 'social', 'pictures'].map((folder) => `${folder}/:file`))
    .map((name) => [`GET /${name}`, 'visitor' as const]),
)

/** Who may do what: every route, and the lowest role that gets past its guard. */
const lowestRole: Record<string, Role> = {
  ...whatIsShown,
  ...files,
  ...gettingIn,
  ...billing,
  'GET /api/auth/user': 'person',
  'POST /api/auth/proof': 'person',
  'GET /api/logout': 'visitor',
  'POST /api/auth/set-password': 'person',
  'DELETE /api/auth/token': 'person',
  'GET /api/user/profile': 'person',
  'PATCH /api/user/profile': 'person',
  'GET /api/user/sessions': 'person',
  'POST /api/user/sessions/revoke': 'person',
  'POST /api/auth/change-password': 'person',
  'POST /api/email-change/confirm': 'visitor',
  'POST /api/email-change/undo': 'visitor',
  'GET /api/membership-tiers': 'visitor',
  'GET /api/site-content': 'visitor',
  'GET /api/blog': 'visitor',
  'GET /api/blog/:slug': 'visitor',
  'GET /api/health': 'visitor',
  'POST /api/analytics/events': 'visitor',
  'GET /api/member-videos': 'member',
  'GET /api/member-videos/texts': 'member',
  'GET /api/member-videos/:id/captions': 'member',
  'GET /api/media/:file': 'member',
  'GET /api/admin/media': 'owner',
  'DELETE /api/admin/media/:id': 'owner',
  'GET /api/video-progress': 'member',
  'POST /api/video-progress/:id/complete': 'member',
  'POST /api/video-progress/:id/incomplete': 'member',
  'POST /api/video-progress/sync': 'member',
  'POST /api/membership-application': 'visitor',
  'POST /api/membership-application/email': 'visitor',
  'POST /api/coaching-application': 'visitor',
  'POST /api/coaching-bookings': 'visitor',
  'POST /api/contact': 'visitor',
  'POST /api/admin/members/:memberId/upgrade/preview': 'owner',
  'POST /api/admin/members/:memberId/upgrade': 'owner',
  'GET /api/admin/invoices': 'owner',
  'GET /api/admin/exports/invoices.csv': 'owner',
  'POST /api/admin/fix-member-invoices': 'owner',
  'POST /api/admin/delete-member-invoices': 'owner',
  'GET /api/payment-config': 'visitor',
  'POST /api/create-subscription': 'visitor',
  'GET /api/delayed-subscription': 'visitor',
  'POST /api/create-delayed-subscription': 'visitor',
  'POST /api/create-quotient-payment': 'visitor',
  'POST /api/quotient-payment-state': 'visitor',
  'POST /api/stripe/webhook': 'visitor',
  'GET /api/admin/jobs': 'owner',
  'POST /api/admin/jobs/:name/run': 'owner',
  'POST /api/admin/members/:memberId/sync': 'owner',
  'GET /api/admin/members': 'owner',
  'GET /api/admin/member/:memberId': 'owner',
  'POST /api/admin/members/:memberId/refund': 'owner',
  'DELETE /api/admin/members/:memberId': 'owner',
  'PATCH /api/admin/members/:memberId/revoke-access': 'owner',
  'POST /api/admin/owners/link': 'owner',
  'GET /api/admin/sessions': 'owner',
  'POST /api/admin/sessions/revoke': 'owner',
  'POST /api/admin/tokens': 'owner',
  'GET /api/admin/audit': 'owner',
  'POST /api/admin/reactivation-links': 'owner',
  'GET /api/admin/mrr': 'owner',
  'GET /api/admin/today': 'owner',
  'GET /api/admin/quotient-orders': 'owner',
  'PATCH /api/admin/quotient-orders/:id': 'owner',
  'GET /api/admin/membership-applications': 'owner',
  'PATCH /api/admin/membership-applications/:id/status': 'owner',
  'DELETE /api/admin/membership-applications/:id': 'owner',
  'GET /api/admin/coaching-applications': 'owner',
  'PATCH /api/admin/coaching-applications/:id/status': 'owner',
  'GET /api/admin/contacts': 'owner',
  'GET /api/admin/coaching-bookings': 'owner',
  'GET /api/admin/coaching-bookings/upcoming': 'owner',
  'PATCH /api/admin/coaching-bookings/:id/status': 'owner',
  'GET /api/admin/dashboard': 'owner',
  'GET /api/admin/inbox/:kind/:id/notes': 'owner',
  'POST /api/admin/inbox/:kind/:id/notes': 'owner',
  'PATCH /api/admin/inbox/:kind/:id/notes/:noteId': 'owner',
  'POST /api/admin/inbox/:kind/:id/reply': 'owner',
  'POST /api/admin/inbox/:kind/:id/invitation': 'owner',
  'GET /api/invitation': 'visitor',
  'POST /api/admin/impersonate/:memberId': 'owner',
  'POST /api/admin/stop-impersonating': 'owner',
  'GET /api/admin/member-progress/:memberId': 'owner',
  ...memberPage,
  ...calendar,
  'GET /api/admin/mail': 'owner',
  'GET /api/admin/mail/:mailId': 'owner',
  'POST /api/admin/mail/:mailId/resend': 'owner',
  'GET /api/admin/revenue-months': 'owner',
  'GET /api/admin/member-payments': 'owner',
  'GET /api/admin/inactive-members': 'owner',
  'GET /api/admin/commission-history': 'owner',
  'GET /api/admin/commission-statements/:month': 'owner',
  'GET /api/admin/manual-commissions': 'owner',
  'POST /api/admin/manual-commissions': 'owner',
  'PATCH /api/admin/manual-commissions/:id': 'owner',
  'DELETE /api/admin/manual-commissions/:id': 'owner',
  'PATCH /api/admin/commission-status/:userId': 'owner',
  'DELETE /api/admin/commission-payments/:id': 'owner',
  'GET /api/admin/commission-rates': 'owner',
  'POST /api/admin/commission-rates': 'owner',
  'POST /api/admin/sandbox/advance': 'owner',
  'GET /api/admin/sandbox/chaos': 'owner',
  'POST /api/admin/sandbox/chaos': 'owner',
  'GET /api/docs': 'visitor',
  'GET /api/docs/json': 'visitor',
  'GET /sandbox': 'visitor',
  'POST /sandbox/do': 'visitor',
  'GET /sandbox/mail': 'visitor',
  'GET /sandbox/mail/:id': 'visitor',
  'GET /sandbox/mail/:id/html': 'visitor',
  'GET /sandbox/pages/:name': 'visitor',
  'GET /sandbox/stripe/*': 'visitor',
  'POST /sandbox/stripe/*': 'visitor',
  'GET /*': 'visitor',
  'ALL /*': 'visitor',
}

const roles = ['visitor', 'person', 'member', 'owner'] as const
type Role = (typeof roles)[number]

type Route = { method: string; path: string; name: string; statuses: string[] }

function routesOf({ app }: World): Route[] {
  return app.routes.map(({ method, path, hooks }) => {
    const spelled = path.length > 1 ? path.replace(/\/$/, '') : path
    return { method, path: spelled, name: `${method} ${spelled}`, statuses: Object.keys(hooks.response ?? {}) }
  })
}

const addressOf = ({ path }: Route) => path.replace(/[:*]\w*/g, 'nothing')
const methodOf = ({ method }: Route) => (method === 'ALL' ? 'POST' : method)
const mutates = (route: Route) => !['GET', 'HEAD'].includes(methodOf(route))

/** As the browser would, with a body that no route accepts: nothing happens behind the guard. */
function ask(call: Call, route: Route, headers: Record<string, string> = {}, path = addressOf(route)) {
  const method = methodOf(route)
  const takesBody = mutates(route) && !path.startsWith('/sandbox/')
  return call(path, { method, headers, ...(takesBody ? { body: {} } : {}) })
}

/** One caller for each role. A caller is made anew for each request, since some requests end their session. */
function everybody(world: World): { who: string; role: Role; call: () => Call }[] {
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
    ...{ who, role },
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

test('ROLE-01 every route has its lowest role in the table, and the table has no other routes', () => {
  expect(
    routesOf(startWorld())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(lowestRole).sort())
})

test('ROLE-01 PERM-6 PERM-7 what manages members, invoices, videos, posts, applications and commission is the owners’ alone', () => {
  const managing = Object.entries(lowestRole).filter(([name]) => / \/api\/admin\//.test(name))
  expect(managing.filter(([, role]) => role !== 'owner')).toEqual([])
  const nouns = ['members', 'fix-member-invoices', 'delete-member-invoices', 'videos', 'blog', 'commission-status']
  for (const noun of [...nouns, 'membership-applications', 'coaching-applications', 'manual-commissions'])
    expect([noun, managing.some(([name]) => name.includes(`/api/admin/${noun}`))]).toEqual([noun, true])
})

test('ROLE-01 ROLE-03 ROLE-05 PERM-7 every route lets in its lowest role and all above, and nobody below', async () => {
  // With a provider that answers: some routes ask it first.
  const world = await startPaymentWorld()
  onTestFinished(() => world.stop())
  for (const { who, role, call } of everybody(world)) {
    for (const route of routesOf(world)) {
      const lowest = lowestRole[route.name] ?? 'owner'
      const before = changes(world)
      const asked = call()
      const atStart = changes(world)
      const { status } = await ask(asked, route)
      const isIn = rank(role) >= rank(lowest)
      const expected = isIn ? 'in' : role === 'visitor' ? 401 : 403
      // Wrong log-in details are no wrong role.
      const seen = [401, 403].includes(status) ? status : 'in'
      expect([who, route.name, seen]).toEqual([who, route.name, expected])
      if (!isIn) expect([who, route.name, changes(world) - atStart]).toEqual([who, route.name, 0])
      // Logging in writes the session, and that its person was seen.
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

test('ROLE-05 an owner who lost the role has lost it at once', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const call = world.signIn(owner)
  expect((await call('/api/admin/mrr')).status).toBe(200)
  world.ctx.sqlite.prepare('update users set isAdmin = 0 where id = ?').run(owner.id)
  expect((await call('/api/admin/mrr')).status).toBe(403)
})

test('ROLE-01 HEAD passes the same guard as GET, and has no body', async () => {
  const world = startWorld()
  const some = everybody(world).filter(({ who }) => ['a visitor', 'an account', 'an owner'].includes(who))
  for (const { call } of some) {
    for (const route of routesOf(world).filter(({ method }) => method === 'GET')) {
      const get = await ask(call(), route)
      const head = await call()(addressOf(route), { method: 'HEAD' })
      expect([route.name, head.status, await head.text()]).toEqual([route.name, get.status, ''])
    }
  }
})

test('ROLE-01 paths that are not canonical are not found', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  for (const route of routesOf(world).filter(({ path }) => path.startsWith('/api/'))) {
    const path = addressOf(route)
    const spellings = [
      `${path}/`,
      `/${path}`,
      path.replace('/api/', '/api//'),
      `${path}//`,
      `${path}%00`,
      `${path};a=b`,
    ]
    for (const spelled of spellings) {
      const response = await ask(world.signIn(owner), route, {}, spelled)
      // Where the address ends in an id it is one that nobody has, and the body is checked before it is looked for.
      const isId = /\/:\w+$/.test(route.path) && /(%00|;a=b)$/.test(spelled)
      const expected = isId && response.status === 422 ? [422, 'invalid'] : [404, 'not_found']
      expect([spelled, response.status, await errorCodeOf(response)]).toEqual([spelled, ...expected])
    }
    const shouted = await ask(world.signIn(owner), route, {}, path.toUpperCase())
    expect([path, shouted.status, shouted.headers.get('content-type') ?? '']).toEqual([
      path,
      route.method === 'GET' ? 503 : 404,
      expect.not.stringMatching(route.method === 'GET' ? 'json' : 'html'),
    ])
  }
})

test('API-16 nothing that comes from another site changes anything', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.elsewhere.example', 'sec-fetch-site': 'same-origin' },
  ]
  await world.call('/api/health') // Tries whether the disk takes a write, once in five seconds.
  for (const route of routesOf(world)) {
    for (const headers of foreign) {
      const call = world.signIn(owner)
      const before = changes(world)
      const { status } = await ask(call, route, headers)
      const isExempt = route.name === 'POST /api/stripe/webhook'
      if (mutates(route) && !isExempt) expect([route.name, headers, status]).toEqual([route.name, headers, 403])
      // The return from a payment page may log out; nothing else comes from a sister site.
      if (route.path === '/api/logout' && headers['sec-fetch-site'] === 'same-site') continue
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
