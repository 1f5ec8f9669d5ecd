import { beforeEach, describe, expect, test } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { cookieFrom, countRows, sam } from '#api/testing/joining.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { issueLink } from './link-service.ts'

const strangers = 'stranger@elsewhere.example'
const newPassword = 'a-van-that-starts-42'

let world: World
beforeEach(() => {
  world = startWorld()
})

/** The token in the newest mail to an address. */
function tokenMailedTo(to: string): string {
  const mails = world.ctx.db.select({ to: mailOutbox.to, text: mailOutbox.text }).from(mailOutbox).all()
  return /(?:token|continue)=([\w-]+)/.exec(mails.findLast((mail) => mail.to === to)?.text ?? '')?.[1] ?? ''
}

const askFor = (call: Call, email: string) => call('/api/user/profile', { method: 'PATCH', body: { email } })
const confirm = (token: string) => world.call('/api/email-change/confirm', { body: { token } })
const statusOf = async (response: Promise<Response>) => (await response).status

describe('the link that continues joining', () => {
  test('leaves nothing to a stranger who has joined with the address before', async () => {
    const stranger = world.signIn(world.addUser({ email: sam.email }))
    expect(await statusOf(askFor(stranger, strangers))).toBe(200)
    const change = tokenMailedTo(strangers)
    expect((await readError(await world.call('/api/create-subscription', { body: sam }))).code).toBe('account_exists')
    const continued = await world.call('/api/auth/continue', { body: { token: tokenMailedTo(sam.email) } })
    const own = { headers: { cookie: cookieFrom(continued) } }
    expect(await (await world.call('/api/user/profile', own)).json()).toMatchObject({ pendingEmail: null })
    expect((await readError(await confirm(change))).code).toBe('invalid_link')
    expect(await statusOf(stranger('/api/auth/user'))).toBe(401)
    expect(await (await world.call('/api/auth/user', own)).json()).toMatchObject({ email: sam.email })
    expect(countRows(world, 'audit_entries', `action = 'auth.continued'`)).toBe(1)
  })

  test('revokes the links for a password that are still on their way', async () => {
    world.addUser({ email: sam.email })
    const { token } = issueLink(world.ctx, sam.email, 'password')
    await world.call('/api/create-subscription', { body: sam })
    const body = { token: tokenMailedTo(sam.email) }
    expect(await statusOf(world.call('/api/auth/continue', { body }))).toBe(200)
    expect(await statusOf(world.call('/api/auth/reset-password', { body: { token, newPassword } }))).toBe(400)
  })

  test('is not undone by a password that was on its way when it was opened', async () => {
    const stranger = world.signIn(world.addUser({ email: sam.email }))
    await world.call('/api/create-subscription', { body: sam })
    const late = stranger('/api/auth/set-password', { body: { newPassword } })
    const continued = await world.call('/api/auth/continue', { body: { token: tokenMailedTo(sam.email) } })
    expect(continued.status).toBe(200)
    expect(await readError(await late)).toMatchObject({ status: 401, code: 'unauthenticated' })
    const own = { headers: { cookie: cookieFrom(continued) } }
    expect(await (await world.call('/api/auth/user', own)).json()).toMatchObject({ hasPassword: false })
  })
})
