import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { relational } from '#api/db/tables.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { coachingApplication, contactMessage } from '#api/testing/enquiries.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'
import { foldDetail } from '#cli/views/desk-parts.tsx'
import type { QueueItem } from './desk-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  server.world.addMember({ email: 'sam@alliance.test', firstName: 'Sam', lastName: '\u001b[2JField' })
})
afterAll(() => server.close())

/** A terminal of that size. Tests press a key once the screen shows something. */
function openTerminal(columns: number, rows: number) {
  let written = ''
  let wanted: { text: string; from: number; found: () => void } | undefined
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written += String(chunk)
        look()
        done()
      },
    }),
    { columns, rows, isTTY: true },
  )
  function look() {
    if (wanted === undefined || !stripVTControlCharacters(written.slice(wanted.from)).includes(wanted.text)) return
    const { found } = wanted
    wanted = undefined
    found()
  }
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => {},
    unref: () => {},
  })
  /** Resolves once the screen shows this, even if it was earlier; with `from`, only after that point. */
  const see = (text: string, from = 0) =>
    new Promise<void>((found) => {
      wanted = { text, from, found }
      look()
    })
  /** A new drawing only handles keys once React has settled. */
  const press = async (keys: string, text: string) => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    const seen = see(text, written.length)
    stdin.write(keys)
    return seen
  }
  return { screen: { stdin, stdout } as never, see, press, everything: () => written, stdin }
}

test('the desk acts by the plans of the commands, over HTTP, and leaves the terminal as it was', async () => {
  const { screen, see, press, everything, stdin } = openTerminal(120, 30)
  const ended = server.remote('', { isTTY: { stdin: true, stdout: true }, columns: 120, screen })
  await see('Sam Field')
  const atFirst = stripVTControlCharacters(everything())
  expect(atFirst).toContain('Reading …')
  expect(atFirst).not.toMatch(/No members yet|Nothing to do|TO DO \(0\)/)
  expect(stripVTControlCharacters(everything())).toMatch(/Members 1 +MRR £250\.00 [▁-█]+/)
  await press('\t', '› Sam Field')
  await press('\r', 'e restore')
  await press('v', 'Revoke the access of Sam Field (sam@alliance.test)?')
  await press('y', 'Done')
  await press('\u001b', 'Access revoked')
  stdin.write('q')
  expect(await ended).toMatchObject({ code: 0 })
  expect(everything()).toContain('\u001b[?1049h')
  expect(everything().lastIndexOf('\u001b[?1049l')).toBeGreaterThan(everything().lastIndexOf('\u001b[?1049h'))
  expect(everything()).not.toContain('\u001b[2JField')
})

test('Ctrl-C on the desk is 130, and leaves the terminal as it was', async () => {
  const { screen, see, press, everything, stdin } = openTerminal(120, 30)
  const ended = server.remote('', { isTTY: { stdin: true, stdout: true }, columns: 120, screen })
  await see('Sam Field')
  await press('\t', '› Sam Field')
  stdin.write('\u0003')
  expect(await ended).toMatchObject({ code: 130, err: '' })
  expect(everything().lastIndexOf('\u001b[?1049l')).toBeGreaterThan(everything().lastIndexOf('\u001b[?1049h'))
})

test('for a screen reader and for scripts the desk is lines, the same by both transports', async () => {
  const [local, remote] = [await server.local('desk --plain'), await server.remote('desk')]
  expect(remote).toEqual(local)
  expect(local.out).toMatch(/^As of +12 June 2026, 08:40\nMembers +/)
  const screen = { isTTY: { stdin: true, stdout: true } }
  expect((await server.local('desk --plain', screen)).out).toBe(local.out)
  const readOut = { ...screen, env: { ...server.env, INK_SCREEN_READER: 'true' } }
  expect((await server.local('desk', readOut)).out).toBe(local.out)
  expect((await server.local('members list', readOut)).out).toBe((await server.local('members list')).out)
  expect(JSON.parse((await server.remote('desk --json target,members')).out)).toMatchObject({ target: { goal: 100 } })
})

test('who has not paid for longer than the grace is shown without access', async () => {
  const { ctx } = server.world
  server.world.addMember({ firstName: 'Lost', lastName: 'Reid', subscription: { status: 'past_due' } })
  const { customerId, id } = relational(ctx.db).query.subscriptions.findMany().sync().at(-1) ?? {
    customerId: '',
    id: '',
  }
  insertRow(ctx, providerInvoices, {
    id: 'in_Lost',
    customerId,
    subscriptionId: id,
    status: 'open',
    billingReason: 'subscription_cycle',
    net: 25_000,
    vat: 5_000,
    total: 30_000,
    amountPaid: 0,
    attempts: 4,
    nextAttemptAt: null,
    created: '2026-05-20T07:40:00.000Z',
  })
  invalidateResponses(ctx)
  expect((await server.local('desk --plain')).out).toMatch(/Lost Reid: £300\.00 due +no access\n/)
})

test('what’s behind each thing to do is a command that answers', async () => {
  const { ctx, call } = server.world
  const send = async (path: string, body: object) => expect((await call(path, { body })).status).toBe(200)
  await send('/api/membership-application', {
    firstName: 'Sam',
    lastName: 'Field',
    email: 'sam@example.com',
    phone: '07700 900123',
    businessName: 'Field Decorating',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '12',
    currentChallenges: 'Quoting',
    goals: 'Rest',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
  })
  await send('/api/coaching-application', coachingApplication)
  await send('/api/contact', contactMessage)
  ctx.sqlite.exec(`update mail_outbox set status = 'refused'`)
  invalidateResponses(ctx)
  const { queue } = JSON.parse((await server.local('desk --json')).out)
  const commands: [string, string][] = queue.flatMap(({ kind, command }: QueueItem) =>
    command === null ? [] : [[kind, command]],
  )
  expect(new Set(commands.map(([kind]) => kind))).toEqual(new Set(['application', 'coaching', 'message', 'mail']))
  for (const [kind, command] of commands)
    expect([kind, await server.remote(command)]).toEqual([kind, { code: 0, out: expect.stringMatching(/\S/), err: '' }])
})

test('a long value goes on below itself; where its label takes half the room, below that', () => {
  expect(foldDetail('Membership   Paid until 2 December', 30)).toEqual([
    'Membership   Paid until 2',
    '             December',
  ])
  expect(foldDetail('A label that is long  and a value', 24)).toEqual(['A label that is long', 'and a value'])
})

test('keys that come faster than a frame is drawn are each heard, and open nobody but whom they found', {
  tags: ['full'],
}, async () => {
  server.world.addMember({ email: 'zoe@alliance.test', firstName: 'Zoe', lastName: 'Adams' })
  invalidateResponses(server.world.ctx)
  const { screen, see, press, stdin } = openTerminal(120, 30)
  const ended = server.local('', { isTTY: { stdin: true, stdout: true }, columns: 120, screen })
  await see('Sam Field')
  // The second Enter arrives before the requested list.
  await press('/sam@\r\r', '› Sam Field')
  await press('\r', 'Email            sam@alliance.test')
  await press('\u001b', '› Sam Field')
  await press('/\u007f\u007f\u007f\u007fzoe\r', '› Zoe Adams')
  await press('\r', 'zoe@alliance.test')
  stdin.write('q')
  expect(await ended).toMatchObject({ code: 0 })
})

test('what has changed since its plan is not done; the member is shown anew, and is acted on from there', {
  tags: ['full'],
}, async () => {
  server.world.addMember({ email: 'kit@alliance.test', firstName: 'Kit', lastName: 'Adams' })
  invalidateResponses(server.world.ctx)
  const { screen, see, press, everything, stdin } = openTerminal(120, 30)
  const ended = server.local('', { isTTY: { stdin: true, stdout: true }, columns: 120, screen })
  await see('Sam Field')
  await press('/kit@\r', '› Kit Adams')
  await press('\r', 'e restore')
  await press('v', 'Revoke the access of Kit Adams (kit@alliance.test)?')
  expect((await server.local('members revoke kit@alliance.test --yes')).code).toBe(0)
  await press('y', 'Not done: something’s changed since. Look again.')
  await press('e', 'Restore the access of Kit Adams (kit@alliance.test)?')
  await press('y', 'Done')
  expect(stripVTControlCharacters(everything())).not.toMatch(/stateLine|--dry-run/)
  stdin.write('q')
  expect(await ended).toMatchObject({ code: 0 })
})
