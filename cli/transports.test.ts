// @module-tag full
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { password } from '#api/testing/passwords.ts'
import { addQuotientOrder } from '#api/testing/quotient.ts'
import { comparedCommands } from '#cli/testing/compared-commands.ts'
import { type RunResult, runCommand } from '#cli/testing/run-command.ts'
import { ownerEmail, startServer, type TestServer } from '#cli/testing/server.ts'
import { tierSeeds } from '#data/seed/tiers.ts'
import { unknownPriceMentions } from '#shared/rules/price-mentions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const videos = server.world.addVideos()
  const sam = server.world.addMember({ tier: 'lite', email: 'sam@alliance.test', firstName: 'Sam', lastName: 'Field' })
  const tick = videos.find(({ tierAccess, isPublished }) => isPublished && tierAccess.includes('lite'))?.id
  const ticked = await server.world.signIn(sam)(`/api/video-progress/${tick}/complete`, { method: 'POST' })
  expect(ticked.status).toBe(200)
  server.world.addMember({ tier: 'xl', email: 'tom@alliance.test', firstName: '=cmd()', lastName: '\u001b[2JTom' })
  server.world.addUser({ email: 'kim@alliance.test', firstName: null, lastName: null })
  for (const packageType of ['professional', 'master'] as const) addQuotientOrder(server.world.ctx, packageType)
})
afterAll(() => server.close())

const isFull = Boolean(process.env.FULL)

const withoutServer = (result: RunResult) => ({ ...result, out: result.out.replace(/\n {2}"server": .*/, '') })

describe.each(comparedCommands)('alliance %s', (argv) => {
  test.each(isFull ? ['', '--json', '--csv'] : ['--json'])(
    'prints the same on the data folder and over HTTP %s',
    async (format) => {
      const [local, remote] = [await server.local(`${argv} ${format}`), await server.remote(`${argv} ${format}`)]
      expect(withoutServer(remote)).toEqual(withoutServer(local))
      expect(local).not.toEqual({ code: 0, out: '', err: '' })
    },
  )

  // The command matrix covers the terminal's output for each command.
  if (!isFull) return
  test('and on a terminal', async () => {
    for (const columns of [80, 120]) {
      const onScreen = { isTTY: { stdin: true, stdout: true }, columns, env: { ...server.env, NO_COLOR: '1' } }
      const [local, remote] = [await server.local(argv, onScreen), await server.remote(argv, onScreen)]
      expect(remote).toEqual(local)
      const widest = Math.max(...local.out.split('\n').map((line) => Bun.stringWidth(line)))
      expect(widest).toBeLessThanOrEqual(columns)
    }
  })
})

test('CALLS-9 the list holds everyone, newest first, whatever their name', async () => {
  const { out } = await server.local('members list --csv')
  expect(out).not.toMatch(/^\uFEFF/)
  expect((await server.local('members list --csv --bom')).out).toBe(`\uFEFF${out}`)
  const rows = out.trimEnd().split('\r\n')
  expect(rows[0]).toBe(
    'id,firstName,lastName,email,membershipTier,tierName,isAdmin,isMember,status,label,stateLine,isComplimentary,videosCompleted,lastProgressAt,mailRefused,createdAt',
  )
  expect(rows.slice(1).map((row) => row.split(',').slice(1, 10).join())).toEqual([
    ',,kim@alliance.test,,,false,false,none,No Active Subscription',
    "'=cmd(),Tom,tom@alliance.test,xl,Alliance XL,false,true,active,Active",
    'Sam,Field,sam@alliance.test,lite,Alliance Lite,false,true,active,Active',
    `Olive,Marsh,${ownerEmail},,,true,false,none,No Active Subscription`,
  ])
})

test('CALLS-40 a member is found by id or email, with tier, next billing date and ticks', async () => {
  const [member] = JSON.parse((await server.local('members list --email sam@alliance.test --json')).out)
  const byId = await server.local(`members show ${member.id}`)
  expect(byId).toEqual(await server.local('members show SAM@alliance.test'))
  expect(byId.out).toMatch(/Tier +Alliance Lite\n/)
  expect(byId.out).toMatch(/Status +Active\n/)
  expect(byId.out).toMatch(/Next billing +12 July 2026\n/)
  expect(byId.out).toMatch(/Videos +1 of \d+ completed\n/)
  expect(byId.out).toMatch(/Last progress +12 June 2026, 08:40\n/)
  expect((await server.local('members show nobody@alliance.test')).code).toBe(3)
})

test('MRR-1 ENT-19 CALLS-12 owners see revenue, and the commission as a forecast by tier', async () => {
  const mrr = JSON.parse((await server.remote('mrr --json')).out)
  expect(mrr).toMatchObject({
    totalMRR: 57_500,
    activeSubscriptions: 2,
    commission: { isForecast: true, total: 5750 },
  })
  const { out } = await server.remote('mrr')
  expect(out).toMatch(/Monthly recurring revenue +£575\.00 excluding VAT\n/)
  expect(out).toMatch(/Alliance XL +1 +10% +£45\.00\n/)
  expect(out).toContain('The commission is a forecast')
  expect(out).not.toContain('\u001b')
})

test('MRR-7 CALLS-36 commission from the terminal: a missing month is an error, and rates are listed and set', async () => {
  const early = await server.local('commission pay sam@alliance.test --month 2026-06')
  expect(early).toMatchObject({
    code: 3,
    err: expect.stringContaining('There’s no commission for Sam Field for 2026-06. See:'),
  })
  const set = await server.remote('commission rates set xl 25 --from 2027-01-01')
  expect(set).toEqual({ code: 0, out: '', err: 'Alliance XL: 25% from 1 January 2027.\n' })
  const { out } = await server.local('commission rates')
  expect(out).toMatch(/XL +10% +the beginning\nAlliance XL +25% +1 January 2027\n/)
})

test('mrr months begins with the running month, open', async () => {
  const [month, ...more] = JSON.parse((await server.local('mrr months --json')).out)
  expect(more).toEqual([])
  expect(month).toMatchObject({ month: '2026-06', isFrozen: false, opening: 0 })
  expect((await server.local('mrr months')).out).toMatch(/2026-06, open/)
})

test('an owner gets a link to set their password, alone on its line', async () => {
  const { code, out, err } = await server.local(`owners link ${ownerEmail}`)
  expect(code).toBe(0)
  expect(out).toMatch(/^http:\/\/localhost:0\/reset-password\?token=[\w-]{43}\n$/)
  expect(err).toMatch(
    new RegExp(`^Works once, until 09:40 on 12 June 2026, and sets the password of ${ownerEmail}\\.\n$`),
  )
  expect(JSON.parse((await server.local(`owners link ${ownerEmail} --json`)).out)).toMatchObject({ email: ownerEmail })
})

test('over HTTP a link for an owner needs the password again; without anybody there it is refused', async () => {
  const argv = `owners link ${ownerEmail}`
  server.world.ctx.sqlite.exec('update api_tokens set provenAt = null')
  const refused = { code: 4, out: '', err: expect.stringContaining('no one here to type it') }
  expect(await server.remote(argv)).toMatchObject(refused)
  const type = (typed: string) => server.remote(argv, { isTTY: { stdin: true, stdout: false }, input: [`${typed}\r`] })
  const wrong = await type('not-my-password')
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('That’s not your password.') })
  expect(await type(password)).toMatchObject({ code: 0, out: expect.stringContaining('/reset-password?token=') })
  expect((await server.remote(argv)).code).toBe(0)
})

test.each([
  ['settings set BOOKING_URL https://cal.example', 'BOOKING_URL is set: https://cal.example\n'],
  ['members reactivation-link nell@alliance.test --yes', 'For nell@alliance.test only'],
])('over HTTP %s goes on once the password is typed', async (argv, done) => {
  server.world.ctx.sqlite.exec('update api_tokens set provenAt = null')
  expect(await server.remote(argv)).toMatchObject({ code: 4, out: '' })
  const typed = await server.remote(argv, { isTTY: { stdin: true, stdout: false }, input: [`${password}\r`] })
  expect(typed).toMatchObject({ code: 0, err: expect.stringContaining(done) })
})

test('sessions revoke logs somebody out everywhere', async () => {
  const kay = server.world.addUser({ email: 'kay@alliance.test' })
  const call = server.world.signIn(kay)
  expect((await server.local('sessions list --email kay@alliance.test --csv')).out.split('\r\n')).toHaveLength(3)
  const { code, err } = await server.remote('sessions revoke kay@alliance.test --yes')
  expect([code, err]).toEqual([0, '1 login ended.\n'])
  expect((await call('/api/auth/user')).status).toBe(401)
})

test('DELY-1 a member gets a signed link to delayed billing, the same by both transports, alone on its line', async () => {
  const argv = 'members reactivation-link Nell@alliance.test --last-payment 2026-06-01 --name Sam --days 3 --yes'
  const [local, remote] = [await server.local(argv), await server.remote(argv)]
  expect(remote).toEqual(local)
  expect(local).toMatchObject({
    code: 0,
    err: expect.stringContaining('For nell@alliance.test only, until 08:40 on 15 June 2026.'),
  })
  expect(local.out).toMatch(
    /^\S+\/reactivate-delayed\?email=nell%40alliance\.test&lastPayment=2026-06-01&name=Sam&expires=\S+&signature=\S+\n$/,
  )
  const opened = await server.world.call(`/api/delayed-subscription${new URL(local.out).search}`)
  expect(await opened.json()).toMatchObject({ xl: { date: '2026-07-01', total: 54_000 } })
  expect((await server.local(`${argv} --csv`)).out).toMatch(/^email,url,expires,obstacle\r\n/)
})

test('a link for an address without an account is a slip more often than not, so it asks first', async () => {
  const argv = 'members reactivation-link newell@alliance.test'
  for (const run of [server.local, server.remote]) {
    const refused = await run(argv)
    expect([refused.code, refused.out]).toEqual([2, ''])
    expect(refused.err).toContain('newell@alliance.test has no account here. Create a link for it anyway?')
    expect(refused.err).toContain('--yes')
    expect((await run(`${argv} --yes`)).code).toBe(0)
  }
  server.world.addUser({ email: 'newell@alliance.test' })
  expect((await server.local(argv)).code).toBe(0)
})

test('DELY-1 a link to somebody who has a membership comes with a warning, and scripts read it in the output', async () => {
  server.world.addMember({ email: 'kit@alliance.test' })
  const argv = 'members reactivation-link kit@alliance.test'
  const { code, out, err } = await server.remote(argv)
  expect([code, out]).toEqual([0, expect.stringMatching(/^\S+\/reactivate-delayed\?email=kit%40\S+\n$/)])
  expect(err).toContain(
    'Warning: kit@alliance.test already has a membership. The link will say there’s nothing to pay.\n',
  )
  const script = await server.local(`${argv} --json`)
  expect([JSON.parse(script.out).obstacle, script.err]).toEqual(['already_subscribed', ''])
  expect((await server.local('members reactivation-link new@alliance.test --yes')).err).not.toContain('Warning')
})

test('what is done on the data folder is audited under the name of the user of the machine', async () => {
  await server.local(`owners link ${ownerEmail}`)
  await server.remote(`owners link ${ownerEmail}`)
  const actors = server.world.ctx.sqlite
    .prepare("select actor from audit_entries where action = 'owner.link' order by id desc limit 2")
    .all()
  expect(actors).toEqual([
    { actor: expect.stringMatching(/^user:/) },
    { actor: expect.stringMatching(/^local:[^:]+$/) },
  ])
})

test('sandbox advance moves the billing clock that the server reads', async () => {
  const { code, out } = await server.local('sandbox advance 2d')
  expect(code).toBe(0)
  expect(out).toBe('Billing clock  14 June 2026, 08:40\nAhead by       2 days\n')
  expect(JSON.parse((await server.remote('sandbox advance 90m --json')).out)).toMatchObject({
    billingNow: '2026-06-14T09:10:00.000Z',
  })
})

test('sandbox advance moves three years at most at once, and refuses more before it begins', async () => {
  const { code, err } = await server.local('sandbox advance 99999d')
  expect(code).toBe(2)
  expect(err).toContain('Move it by up to three years: 1096d.')
})

test('sandbox advance without a server, on a port that is taken, says which', async () => {
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const env = { ...server.env, SANDBOX_PORT: String(other.port) }
  const err = `Port ${other.port}, for the payment sandbox, is taken. Stop what uses it, or set SANDBOX_PORT.\n`
  expect(await server.local('sandbox advance 1d', { env })).toEqual({ code: 1, out: '', err })
  other.stop(true)
})

test('sandbox advance, several at once from here and over HTTP: each of them counts, one after the other', async () => {
  const offset = () =>
    Number(
      server.world.ctx.sqlite.prepare(`select value from settings where key = 'billing_clock_offset_ms'`).pluck().get(),
    )
  const before = offset()
  const runs = await Promise.all([
    server.local('sandbox advance 1d --json'),
    server.remote('sandbox advance 2d --json'),
    server.local('sandbox advance 4d --json'),
  ])
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(offset() - before).toBe(7 * 86_400_000)
  expect(Math.max(...runs.map(({ out }) => JSON.parse(out).offsetMs))).toBe(offset())
})

test('sandbox chaos is switched on and off, and shown', async () => {
  expect((await server.local('sandbox chaos on')).out).toMatch(
    /^Chaos +on\nCopies of each webhook +2\nOrder +shuffled by seed \d+, several at once\nWaiting +0\n$/,
  )
  expect(JSON.parse((await server.remote('sandbox chaos --json')).out)).toMatchObject({ on: true, copies: 2 })
  expect(JSON.parse((await server.remote('sandbox chaos off --json')).out)).toMatchObject({
    on: false,
    copies: 1,
    order: 'sent',
    waiting: 0,
  })
  expect((await server.local('sandbox chaos maybe')).code).toBe(2)
})

test('all pages are requested, and a terminal shows the first 50 rows', async () => {
  const crowd = await startServer()
  for (let count = 0; count < 60; count += 1) crowd.world.addUser()
  expect((await crowd.remote('members list --csv')).out.split('\r\n')).toHaveLength(1 + 61 + 1)
  expect(JSON.parse((await crowd.remote('members list --limit 60 --json')).out)).toHaveLength(60)
  const screen = await crowd.remote('members list', { isTTY: { stdin: true, stdout: true } })
  expect(screen.out.trimEnd().split('\n')).toHaveLength(3 + 50 + 1)
  expect(screen.err).toBe('Showing the first 50. Use --limit for more, --csv or --json for all.\n')
  crowd.close()
})

test('a member is logged in, and refused', async () => {
  const sam = { email: 'kim@alliance.test' }
  const login = await server.remote(`login --email ${sam.email} --password-stdin`, {
    input: password,
    env: { ...server.env, XDG_CONFIG_HOME: `${server.env.XDG_CONFIG_HOME}/kim` },
  })
  expect(login.code).toBe(4)
  const withToken = await server.remote('mrr', { env: { ...server.env, ALLIANCE_TOKEN: 'not-a-token' } })
  expect(withToken).toEqual({ code: 4, out: '', err: 'Log in to continue.\n' })
})

describe('a server that', () => {
  const mrrFrom = async (respond: () => Response) => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
    const api = `http://127.0.0.1:${server.port}`
    const ran = await runCommand(['mrr', '--api', api], { env: { ALLIANCE_TOKEN: 'a' } })
    await server.stop(true)
    return ran
  }
  const unexpected = { code: 1, out: '', err: expect.stringContaining('Is this the address of an Alliance server?') }

  test('is down', async () => {
    const ran = await runCommand(['mrr', '--api', 'http://127.0.0.1:9'], { env: { ALLIANCE_TOKEN: 'a' } })
    expect(ran).toMatchObject({ code: 1, out: '' })
    expect(ran.err).toMatch(/^No response from http:\/\/127\.0\.0\.1:9 \(\w+\)\. Is the server running\?\n$/)
  })

  test('is not ours', async () => {
    expect(
      await mrrFrom(() => new Response('<h1>Welcome to the hotel</h1>', { headers: { 'content-type': 'text/html' } })),
    ).toEqual(unexpected)
    expect(await mrrFrom(() => Response.json({ hello: 'world' }))).toEqual(unexpected)
    expect(await mrrFrom(() => Response.json({ hello: 'world' }, { status: 500 }))).toEqual(unexpected)
    expect(await mrrFrom(() => new Response('{', { headers: { 'content-type': 'application/json' } }))).toEqual(
      unexpected,
    )
  })

  test('has moved does not get the token at its new address', async () => {
    const moved = await mrrFrom(() => Response.redirect('https://elsewhere.example/api/admin/mrr', 301))
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining('https://elsewhere.example/') })
  })

  test('sends terminal escapes in a message has them stripped', async () => {
    const error = { code: 'conflict', message: '\u001b]0;x\u0007Not\nnow.' }
    expect(await mrrFrom(() => Response.json({ error }, { status: 409 }))).toEqual({
      code: 1,
      out: '',
      err: 'Not now.\n',
    })
  })
})

test('CONST-01 content check lists samples, blanks and prices that no tier has, each with its place', async () => {
  const { code, out, err } = await server.local('content check')
  expect(code).toBe(0)
  const unknown = unknownPriceMentions(contentOf(server.world.ctx).read(), tierSeeds)
  for (const { words, place } of unknown) expect([out.includes(words), out.includes(place)]).toEqual([true, true])
  const { out: json } = await server.local('content check --json')
  expect(json).toMatch(/"kind": ?"blank",\s*"place": ?"SELLER_COMPANY_NUMBER"/)
  expect(err).toBe(
    'Tier prices: Alliance Lite £125 + VAT a month, Alliance £250 + VAT a month, Alliance XL £450 + VAT a month.\nPages leave out what isn’t set.\nNot ready to go live: 9 details to fill in, 28 samples.\n',
  )
  const live = await server.remote('content check --live')
  expect([live.code, live.err]).toEqual([1, expect.stringMatching(/Not ready to go live: .*\.\n$/)])
})

test('owners see who ordered a quoting set-up, and every field of the order', async () => {
  const { out } = await server.local('orders list')
  expect(out.split('\n')[1]).toMatch(/Sam Field +Field Heating +sam@example\.com +Master +Paid +£900\.00/)
  const [head, first] = (await server.local('orders list --csv')).out.split('\r\n')
  expect(head).toMatch(/^id,status,packageType,.*,generalDayRate,vatRegistered,additionalRequirements,net,vat,total,/)
  expect(first).toContain(',worcester,14.00,12.00,65.00,2925.00,450.00,yes,')
})

test('a statement as PDF is the server’s file, byte for byte, and never written on a screen', async () => {
  const page = await server.local('commission statement 2026-06 --format pdf')
  const text = page.out
  expect([page.code, page.err, text.slice(0, 5), text.trimEnd().slice(-5)]).toEqual([0, '', '%PDF-', '%%EOF'])
  // If a byte had been read as text, the PDF's own index would be off.
  const [, start] = text.match(/startxref\s+(\d+)/) ?? []
  expect(text.slice(Number(start), Number(start) + 4)).toBe('xref')
  expect(await server.remote('commission statement 2026-06 --format pdf')).toEqual(page)
  const onScreen = await server.local('commission statement 2026-06 --format pdf', {
    isTTY: { stdin: true, stdout: true },
  })
  expect(onScreen).toMatchObject({ code: 2, out: '', err: expect.stringContaining('> 2026-06.pdf') })
  expect(await server.local('commission statement 2026-06 --format pdf --csv')).toMatchObject({ code: 2, out: '' })
  expect(await server.local('commission statement 2026-06 --format docx')).toMatchObject({ code: 2, out: '' })
})
