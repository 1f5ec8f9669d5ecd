import type { TestPerson } from './people.ts'
import type { Call, World } from './world.ts'

/** The password of every account made here. */
export const password = 'tape-and-level-42'

/** A valid hash of it that is cheap to check, since the tests guess a great many times. */
export const quickHash = Bun.password.hashSync(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

export type WithPassword = Parameters<World['addUser']>[0]

/** Somebody whose mailbox is known to be theirs. */
export const addWithPassword = (world: World, more: WithPassword = {}): TestPerson => {
  const emailProvenAt = world.ctx.now().toISOString()
  return world.addUser({ passwordHash: quickHash, passwordChanged: true, emailProvenAt, ...more })
}

/** Where a login comes from: `address` counts where the world trusts 127.0.0.1 as its proxy. */
export type From = { address?: string; cookie?: string }

export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' }

export function logIn(call: Call, details: { email: string; password?: string }, { address, cookie }: From = {}) {
  const headers = { ...(address ? { 'x-forwarded-for': address } : {}), ...(cookie ? { cookie } : {}) }
  return call('/api/auth/login', { body: { password, ...details }, headers })
}

/** The cookies that a response sets, by name; one that ends a session is empty. */
export function cookiesOf(response: Response): Map<string, string> {
  const pairs = response.headers.getSetCookie().map((line): [string, string] => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
    return [name, value]
  })
  return new Map(pairs)
}

export const asHeader = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
