import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'

let smtp: Smtp
let world: World
let owner: Call
let member: TestPerson
beforeEach(async () => {
  smtp = await startSmtp()
  world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })
  owner = world.signIn(world.addOwner())
  member = world.addMember({ email: 'before@example.com' })
})
afterEach(() => smtp.stop())

async function moveMember(more: object = {}): Promise<void> {
  const { profile } = await (await owner(`/api/admin/members/${member.id}/record`)).json()
  const body = { ...profile, email: 'after@example.com', ...more }
  expect((await owner(`/api/admin/members/${member.id}/profile`, { method: 'PUT', body })).status).toBe(200)
}

const reply = (text: string, id = member.id, kind = 'members') =>
  owner(`/api/admin/inbox/${kind}/${id}/reply`, { body: { text } })

/** Everything that's due for an hour after the server takes mail again. */
async function sendAll(): Promise<string[]> {
  smtp.refuses = null
  for (let minutes = 0; minutes <= 60; minutes += 5) {
    await sendMail(world.ctx)
    world.forward(5 * 60_000)
  }
  return smtp.taken.flatMap(({ to, raw }) => to.map((address) => `${address}: ${/^Subject: (.*)/m.exec(raw)?.[1]}`))
}

async function queueForMember(): Promise<void> {
  smtp.refuses = { at: 'MAIL FROM', says: '554 5.7.1 Sender suspended' }
  await writeToMember()
  await sendMail(world.ctx)
}

async function writeToMember(): Promise<void> {
  await world.call('/api/contact', {
    body: { name: 'Sam', email: member.email, subject: 'Hello', message: 'Ring me.' },
  })
  await reply('Your new code is 1234')
  await world.call('/api/auth/forgot-password', { body: { email: member.email } })
}

test('nothing that waits goes to a mailbox that isn’t safe: the new one gets it, and a link that ended is dropped', async () => {
  await queueForMember()
  await moveMember({ unsafeMailbox: 'Her ex reads it' })
  const sent = await sendAll()
  expect(sent.filter((mail) => mail.startsWith(member.email))).toEqual([])
  expect(sent.filter((mail) => mail.startsWith('after@example.com'))).toHaveLength(2)
  const ended = await (await owner('/api/admin/mail?status=failed')).json()
  expect(ended).toMatchObject([{ kind: 'reset', lastError: expect.stringContaining('address'), canResend: false }])
})

test('nothing refused there before is sent there again', async () => {
  smtp.behaviour = '550'
  await writeToMember()
  await sendMail(world.ctx)
  await moveMember({ unsafeMailbox: 'Her ex reads it' })
  smtp.behaviour = 'accept'
  const refused = await (await owner(`/api/admin/mail?status=refused&to=${member.email}`)).json()
  expect(refused).toHaveLength(3)
  for (const { id } of refused) await owner(`/api/admin/mail/${id}/resend`, { method: 'POST' })
  expect(await sendAll()).toEqual(['after@example.com: About your membership'])
})

test('a safe one keeps what was written to it', async () => {
  await queueForMember()
  await moveMember()
  expect((await sendAll()).filter((mail) => mail.startsWith(member.email)).length).toBeGreaterThan(2)
})
