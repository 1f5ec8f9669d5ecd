// @module-tag full
import { expect, test } from 'vitest'
import { type Limit, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, logIn } from '#api/testing/passwords.ts'
import { type CallOptions, startWorld } from '#api/testing/world.ts'

/** A world that reports the statements a request ran, without their values. */
function startCounting() {
  const statements: string[] = []
  const isOfRequest = (text: string) => text !== 'pragma data_version'
  const withoutValues = (text: string) => text.replaceAll(/'(?:[^']|'')*'(?:\/\*.*?\*\/)?|\bNULL\b|\b\d[\d.]*\b/g, '…')
  const onStatement = (text: string) => void (isOfRequest(text) && statements.push(withoutValues(text)))
  const world = startWorld({ env: behindProxy, onStatement })
  const statementsOf = async (path: string, options: CallOptions) => {
    statements.length = 0
    const response = await world.call(path, options)
    return [response.status, ...statements]
  }
  return { world, statementsOf }
}

/** What a browser with these cookies sends, once this limit is used up. */
type Way = {
  path: string
  body?: object
  usedUp?: (email: string, address: string) => Limit
  has?: 'device of another account' | 'code'
}

const wrong = { password: 'wrong-password' }
const [code, forgot] = ['/api/auth/code', '/api/auth/forgot-password']
const typing = { path: `${code}/login`, body: { code: '000000' } }

const ways = [
  ...['/api/auth/login', '/api/auth/token'].flatMap((path): Way[] => [
    { path, body: wrong },
    { path, body: wrong, has: 'device of another account' },
    { path, body: wrong, usedUp: rateLimits.loginFromAddress },
    { path, body: wrong, usedUp: rateLimits.loginToAccount },
    { path, body: wrong, usedUp: (_, address) => rateLimits.anyLoginFromAddress(address) },
    { path, body: wrong, usedUp: rateLimits.loginToAccount, has: 'device of another account' },
  ]),
  { path: code },
  { path: code, usedUp: rateLimits.codesFromAddress },
  { path: code, usedUp: rateLimits.codesToAccount },
  { path: code, usedUp: (_, address) => rateLimits.publicForm('code', address) },
  typing,
  { ...typing, has: 'code' },
  { ...typing, usedUp: (_, address) => rateLimits.anyLoginFromAddress(address) },
  { path: forgot },
  { path: forgot, usedUp: rateLimits.resetMails },
  { path: forgot, usedUp: (_, address) => rateLimits.publicForm('forgot-password', address) },
] satisfies Way[]

const nameOf = ({ path, usedUp, has }: Way) =>
  [path, ...(has ? [`with a ${has}`] : []), ...(usedUp ? [`past ${usedUp('', '').name}`] : [])].join(', ')

test.each(ways.map((way): [string, Way] => [nameOf(way), way]))(
  'V6.3.8 as much is done for an address that nobody has as for any other: %s',
  async (_, { path, body, usedUp, has }) => {
    const { world, statementsOf } = startCounting()
    const known = ['known@example.com', 'no-password@example.com', 'owner@example.com']
    addWithPassword(world, { email: 'known@example.com' })
    world.addUser({ email: 'no-password@example.com' })
    addWithPassword(world, { email: 'owner@example.com', isAdmin: true })
    const other = addWithPassword(world, { email: 'other@example.com' })
    const device = asHeader(cookiesOf(await logIn(world.call, other))).split('; ')[1] ?? ''

    const doneFor = async (email: string, address: string) => {
      const headers: Record<string, string> = { 'x-forwarded-for': address }
      if (has === 'device of another account') headers.cookie = device
      if (has === 'code') headers.cookie = asHeader(cookiesOf(await world.call(code, { body: { email }, headers })))
      const limit = usedUp?.(email, address)
      for (let hits = 0; limit !== undefined && hits < limit.max; hits += 1) recordHit(world.ctx, limit)
      return await statementsOf(path, { body: { ...body, email }, headers })
    }
    // The first request loads what the others then find loaded.
    await doneFor('first@example.com', '203.0.113.1')
    const unknown = await doneFor('unknown@example.com', '203.0.113.2')
    // Past its limit a reset gets the same response, but mails nothing.
    expect(unknown[0] === 429).toBe(usedUp !== undefined && usedUp !== rateLimits.resetMails)
    for (const [at, email] of known.entries())
      expect([email, await doneFor(email, `203.0.113.${at + 3}`)]).toEqual([email, unknown])
  },
)
