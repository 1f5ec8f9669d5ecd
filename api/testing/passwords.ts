import { expect } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import type { TestPerson } from './people.ts'
import type { Call, World } from './world.ts'

export const password = 'tape-and-level-42'

/** A valid hash of it that's cheap to check, because the tests guess a lot. */
export const quickHash = Bun.password.hashSync(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

export type WithPassword = Parameters<World['addUser']>[0]

/** Someone with a confirmed email address. */
export const addWithPassword = (world: World, more: WithPassword = {}): TestPerson => {
  const emailProvenAt = world.ctx.now().toISOString()
  return world.addUser({ passwordHash: quickHash, passwordChanged: true, emailProvenAt, ...more })
}

/** The request's origin. `address` only counts if the world trusts 127.0.0.1 as its proxy. */
export type From = { address?: string; cookie?: string }

export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' }

export function logIn(call: Call, details: { email: string; password?: string }, { address, cookie }: From = {}) {
  const headers = { ...(address ? { 'x-forwarded-for': address } : {}), ...(cookie ? { cookie } : {}) }
  return call('/api/auth/login', { body: { password, ...details }, headers })
}

/** The cookies a response sets, by name. One that ends a session is empty. */
export function cookiesOf(response: Response): Map<string, string> {
  const pairs = response.headers.getSetCookie().map((line): [string, string] => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
    return [name, value]
  })
  return new Map(pairs)
}

export const asHeader = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Logs in with an emailed code, in a browser that has this cookie. */
export async function signInByCode(world: World, email: string, cookie = '') {
  const asked = await world.call('/api/auth/code', { body: { email } })
  const mails = world.ctx.db.select({ text: mailOutbox.text }).from(mailOutbox).all()
  const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0]
  const headers = { cookie: [asHeader(cookiesOf(asked)), cookie].filter(Boolean).join('; ') }
  const response = await world.call('/api/auth/code/login', { body: { email, code }, headers })
  expect(response.status).toBe(200)
  const own = asHeader(cookiesOf(response))
  const call: Call = (path, options) => world.call(path, { ...options, headers: { cookie: own } })
  return { call, ...(await response.json()) }
}
