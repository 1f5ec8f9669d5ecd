import type { TestPerson } from './people.ts'
import type { Call, World } from './world.ts'

/** The password of everybody made here. */
export const password = 'tape-and-level-42'

/** A sound hash that is cheap to check: a guess that is counted need not take its time. */
const quickHash = Bun.password.hashSync(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

export type WithPassword = Parameters<World['addUser']>[0]

export const addWithPassword = (world: World, more: WithPassword = {}): TestPerson =>
  world.addUser({ passwordHash: quickHash, passwordChanged: true, ...more })

/** Where a login comes from: `address` counts where the world trusts 127.0.0.1 as its proxy. */
export type From = { address?: string; cookie?: string }

export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1' }

export function logIn(call: Call, details: { email: string; password?: string }, { address, cookie }: From = {}) {
  const headers = { ...(address ? { 'x-forwarded-for': address } : {}), ...(cookie ? { cookie } : {}) }
  return call('/api/auth/login', { body: { password, ...details }, headers })
}

/** What a browser would keep of an answer, by name; a cookie that was ended is an empty text. */
export function cookiesOf(answer: Response): Map<string, string> {
  const pairs = answer.headers.getSetCookie().map((line): [string, string] => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
    return [name, value]
  })
  return new Map(pairs)
}

export const asHeader = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
