import { beforeEach, describe, expect, test } from 'vitest'
import { queueMessage } from '#api/mail/outbox.ts'
import { paragraph } from '#api/mail/templates/layout.ts'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, logIn } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

test('V7 sign-ins, changes, and each time an owner viewed as me with the reason; nobody else’s', async () => {
  await logIn(world.call, danny)
  await logIn(world.call, { ...danny, password: 'not-my-password' })
  const call = world.signIn(danny)
  await call('/api/user/profile', { method: 'PATCH', body: { trade: 'Roofer' } })
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.id}`, { body: { reason: 'They rang about a film' } })
  await owner('/api/admin/stop-impersonating', { method: 'POST' })
  const rows = await (await call('/api/user/activity')).json()
  expect(rows.map(({ action, by, name, reason }: Record<string, string>) => [action, by, name, reason])).toEqual([
    ['impersonation.stopped', 'owner', 'Olive Hart', null],
    ['impersonation.started', 'owner', 'Olive Hart', 'They rang about a film'],
    ['member.profile_changed', 'member', null, null],
    ['auth.failed', 'member', null, null],
    ['auth.login', 'member', null, null],
  ])
  expect(await (await world.signIn(world.addUser())('/api/user/activity')).json()).toEqual([])
})

describe('mails that a member may do without', () => {
  const queue = (cause: string) => {
    const envelope = { cause, to: danny.email, userId: danny.id, purpose: 'call-reminder' as const }
    queueMessage(world.ctx, envelope, { subject: 'Tea?', heading: 'Tea?', blocks: [paragraph('Tea.')] })
  }
  const textOf = () => world.ctx.sqlite.prepare<[], string>('select text from mail_outbox').pluck().get() ?? ''

  test('are chosen by purpose; who has stopped them gets none', async () => {
    const call = world.signIn(danny)
    const choose = (body: object) => call('/api/user/mail-choices', { method: 'PUT', body })
    expect(await (await call('/api/user/mail-choices')).json()).toEqual([
      { purpose: 'call-reminder', isWanted: true },
      { purpose: 'card-expiry', isWanted: true },
      { purpose: 'check-in', isWanted: true },
      { purpose: 'news', isWanted: false },
    ])
    await choose({ purpose: 'call-reminder', isWanted: false })
    queue('tea:1')
    expect(countRows(world, 'mail_outbox')).toBe(0)
    await choose({ purpose: 'call-reminder', isWanted: true })
    queue('tea:1')
    expect(countRows(world, 'mail_outbox')).toBe(1)
    expect((await choose({ purpose: 'receipt', isWanted: false })).status).toBe(422)
  })

  test('are stopped by the one press of a mail program, form-encoded, from anywhere, without a cookie', async () => {
    queue('tea:1')
    const token = /\/members\/unsubscribe\?token=(\S+)/.exec(textOf())?.[1] ?? ''
    const press = (of: string) =>
      world.handle(
        new Request(`http://localhost/api/mail/unsubscribe?token=${of}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
          body: 'List-Unsubscribe=One-Click',
        }),
      )
    for (const _twice of [1, 2]) {
      const response = await press(token)
      expect([response.status, await response.json()]).toEqual([200, { purpose: 'call-reminder' }])
    }
    expect(await (await world.signIn(danny)('/api/user/mail-choices')).json()).toContainEqual({
      purpose: 'call-reminder',
      isWanted: false,
    })
    const forged = token.replace('call-reminder', 'card-expiry')
    expect(await readError(await press(forged))).toMatchObject({ status: 400, code: 'invalid_link' })
  })

  test('stay on when the address is only opened: it leads to its page', async () => {
    queue('tea:1')
    const token = /\/members\/unsubscribe\?token=(\S+)/.exec(textOf())?.[1] ?? ''
    const opened = await world.call(`/api/mail/unsubscribe?token=${token}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/members/unsubscribe?token=${token}`])
    const cutOff = await world.call('/api/mail/unsubscribe?tok')
    expect([cutOff.status, cutOff.headers.get('location')]).toEqual([303, '/members/unsubscribe?token='])
    expect(countRows(world, 'mail_outbox')).toBe(1)
    expect(await (await world.signIn(danny)('/api/user/mail-choices')).json()).toContainEqual({
      purpose: 'call-reminder',
      isWanted: true,
    })
  })
})
