// @module-tag full
import { beforeEach, describe, expect, test } from 'vitest'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { addWithPassword, asHeader, behindProxy, cookiesOf, password } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { issueApiToken } from './session-service.ts'

const newPassword = 'a-van-that-starts-42'
const quickHash = Bun.password.hashSync(newPassword, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

let world: World
let danny: TestPerson
beforeEach(() => {
  world = startWorld({ env: behindProxy })
  danny = addWithPassword(world, { email: 'danny@example.com' })
})

function openBrowser(address = '198.51.100.1') {
  const cookies = new Map<string, string>()
  return {
    send: async (path: string, body: object) => {
      const headers = { 'x-forwarded-for': address, cookie: asHeader(cookies) }
      const response = await world.call(path, { body, headers })
      for (const [name, value] of cookiesOf(response)) cookies.set(name, value)
      return response.status
    },
    logOut: () => cookies.delete('alliance_session'),
  }
}
type Browser = ReturnType<typeof openBrowser>

const right = ({ send }: Browser, given = newPassword) =>
  send('/api/auth/login', { email: danny.email, password: given })
const wrong = (browser: Browser) => right(browser, 'wrong-password')
const askForCode = ({ send }: Browser) => send('/api/auth/code', { email: danny.email })

/** Strangers use up the account's wrong passwords and mailed codes. */
async function flood(network = '203.0.113') {
  for (const host of [1, 2, 3, 4, 5]) {
    const stranger = openBrowser(`${network}.${host}`)
    for (let count = 0; count < 10; count += 1) await wrong(stranger)
    for (let count = 0; count < 5; count += 1) await askForCode(stranger)
  }
}

/** Rehashes the password that was just set, so that the guesses that follow are quick to check. */
const hashQuickly = () =>
  world.ctx.sqlite.prepare('update users set passwordHash = ? where id = ?').run(quickHash, danny.id)

const newestMail = () => world.ctx.db.select({ text: mailOutbox.text }).from(mailOutbox).all().at(-1)?.text ?? ''

async function reset({ send }: Browser) {
  await send('/api/auth/forgot-password', { email: danny.email })
  const token = /token=([\w-]+)/.exec(newestMail())?.[1]
  return await send('/api/auth/reset-password', { token, newPassword })
}

describe('a link we emailed lets its owner in, however much strangers guess', () => {
  test('a reset lets its browser log in straight away, and also while the guessing goes on', async () => {
    await flood()
    const own = openBrowser()
    expect([await wrong(own), await askForCode(own)]).toEqual([429, 429])
    expect(await reset(own)).toBe(200)
    hashQuickly()
    await flood('192.0.2')
    expect(await right(openBrowser('198.51.100.2'))).toBe(429)
    expect(await right(own)).toBe(200)
  })

  test('it takes back what was counted: the member’s other devices get in too, by password and by code', async () => {
    await flood()
    expect(await reset(openBrowser())).toBe(200)
    const phone = openBrowser('198.51.100.2')
    expect([await askForCode(phone), await right(phone)]).toEqual([200, 200])
  })

  test('and the member’s own wrong tries, from a device that another account of theirs knows', async () => {
    const own = openBrowser()
    const priya = addWithPassword(world)
    expect(await own.send('/api/auth/login', { email: priya.email, password })).toBe(200)
    expect(await right(own, password)).toBe(200)
    for (let count = 0; count < 10; count += 1) await wrong(own)
    expect(await right(own, password)).toBe(429)
    expect(await reset(own)).toBe(200)
    expect(await right(own)).toBe(200)
  })

  test('a made-up link makes no browser known, and takes nothing back', async () => {
    await flood()
    const stranger = openBrowser()
    expect(await stranger.send('/api/auth/reset-password', { token: 'made-up', newPassword })).toBe(400)
    expect(await right(stranger, password)).toBe(429)
  })

  test('so does the link that continues joining', async () => {
    danny = world.addUser({ email: 'dan@example.com' })
    const own = openBrowser()
    await own.send('/api/create-subscription', { email: danny.email, name: 'Dan Field', tierSlug: 'lite' })
    const token = /continue=([\w-]+)/.exec(newestMail())?.[1]
    expect(await own.send('/api/auth/continue', { token })).toBe(200)
    expect(await own.send('/api/auth/set-password', { newPassword })).toBe(200)
    own.logOut()
    hashQuickly()
    await flood()
    expect(await right(own)).toBe(200)
  })
})

describe('someone who used up an account’s logins with its old password', () => {
  const logInTooOften = async (stranger: Browser) => {
    for (let count = 0; count < 60; count += 1) expect(await right(stranger, password)).toBe(200)
  }

  test('keeps nobody out after a reset', async () => {
    await logInTooOften(openBrowser('203.0.113.1'))
    const own = openBrowser()
    expect(await reset(own)).toBe(200)
    expect(await right(own)).toBe(200)
  })

  test('keeps nobody out who takes their account back by a code', async () => {
    danny = addWithPassword(world, { email: 'dan@example.com', emailProvenAt: null })
    await logInTooOften(openBrowser('203.0.113.1'))
    const own = openBrowser()
    await askForCode(own)
    const code = /\b\d{6}\b/.exec(newestMail())?.[0]
    expect(await own.send('/api/auth/code/login', { email: danny.email, code })).toBe(200)
  })
})

describe('someone logged in to an account', () => {
  test('gives its password again while strangers guess it, in a browser and over a token', async () => {
    const [browser, token] = [world.signIn(danny), issueApiToken(world.ctx, danny.id, 'terminal').token]
    const terminal: Call = (path, options) =>
      world.call(path, { ...options, headers: { authorization: `Bearer ${token}` } })
    await flood()
    for (const call of [browser, terminal]) {
      const proof = await call('/api/auth/proof', { body: { password } })
      expect(proof.status).toBe(200)
    }
    const body = { currentPassword: password, newPassword }
    expect((await browser('/api/auth/change-password', { body })).status).toBe(200)
  })

  test('has ten wrong tries in each login, which are as wrong anywhere else', async () => {
    const [browser, other] = [world.signIn(danny), world.signIn(danny)]
    const prove = async (call: Call, given = password) =>
      (await call('/api/auth/proof', { body: { password: given } })).status
    for (let count = 0; count < 10; count += 1) expect(await prove(browser, 'wrong-password')).toBe(422)
    expect([await prove(browser), await prove(other)]).toEqual([429, 200])
  })
})
