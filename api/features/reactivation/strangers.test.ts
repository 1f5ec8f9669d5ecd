// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashWhenDue, runningAtOnce } from '#api/features/accounts/login/hash-queue-service.ts'
import { beginJoin, billingOf, countRows, sam } from '#api/testing/joining.ts'
import { logIn, signInByCode } from '#api/testing/passwords.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { askDelayed, beginDelayed, linkTo, offersOf } from '#api/testing/reactivating.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const newPassword = 'a-van-that-starts-42'
const statusOf = async (response: Promise<Response>) => (await response).status
const opens = (call: Call) => statusOf(call('/api/auth/user'))
const setPassword = (call: Call, email = sam.email) => call('/api/auth/set-password', { body: { newPassword, email } })
const invite = async () => (await linkTo(world, sam)).carried

async function squat() {
  const begun = await beginJoin(world.call)
  expect(await statusOf(setPassword(begun.call))).toBe(200)
  const { token } = await (
    await world.call('/api/auth/token', { body: { email: sam.email, password: newPassword } })
  ).json()
  const byToken: Call = (path) => world.call(path, { headers: { authorization: `Bearer ${token}` } })
  const works = async () => [
    await opens(begun.call),
    await opens(byToken),
    await statusOf(logIn(world.call, { email: sam.email, password: newPassword })),
  ]
  return { ...begun, works }
}

test('a link that somebody pays by takes the account from a stranger who made it before, and says so at the first code', async () => {
  const stranger = await squat()
  const { response } = await beginDelayed(world, await invite())
  expect(await stranger.works()).toEqual([401, 401, 401])
  expect((await readError(await stranger.call('/api/auth/user'))).message).toMatch(
    /^A membership was started with this account, so we’ve logged out every device.+“Forgot your password\?” on the login page\.$/,
  )
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  expect(await stranger.works()).toEqual([401, 401, 401])
  const own = await signInByCode(world, sam.email)
  expect([own.isPasswordRemoved, own.user.hasPassword, own.user.isMember]).toEqual([true, false, true])
  expect(await billingOf(own.call)).toMatchObject({ hasAccess: true })
  // Says it only once.
  expect((await signInByCode(world, sam.email)).isPasswordRemoved).toBe(false)
})

test('nobody is in the account between the link and its payment, whatever they had begun before', async () => {
  const stranger = await squat()
  const late = setPassword((await beginJoin(stranger.call)).call)
  const moving = stranger.call('/api/user/profile', { method: 'PATCH', body: { email: 'stranger@elsewhere.example' } })
  const { response } = await beginDelayed(world, await invite())
  await Promise.all([late, moving])
  expect((await world.pay(stranger.response.clientSecret)).status).not.toBe(200)
  expect((await readError(await world.call('/api/create-subscription', { body: sam }))).code).toBe('account_exists')
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  expect(await stranger.works()).toEqual([401, 401, 401])
  expect(countRows(world, 'users', `email = '${sam.email}' and isMember and passwordHash is null`)).toBe(1)
  expect(countRows(world, 'email_changes', 'confirmedAt is null')).toBe(0)
})

test('a password that was being set when the link was opened is not set', async () => {
  const { call } = await beginJoin(world.call)
  const carried = await invite()
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  // Others' hashes are made first, for as long as it takes.
  const others = Array.from({ length: runningAtOnce }, (_, at) =>
    hashWhenDue(world.ctx, { address: `203.0.113.${at}` }, () => opened),
  )
  const late = setPassword(call)
  await beginDelayed(world, carried)
  resolve()
  await Promise.all(others)
  expect((await readError(await late)).code).toBe('unauthenticated')
  expect(countRows(world, 'users', 'isAdmin = 0 and passwordHash is not null')).toBe(0)
})

test('who is logged in to the account while they pay by the link stays so, with their password', async () => {
  const { call, works } = await squat()
  const carried = await invite()
  const delayedBillingDate = (await offersOf(world, carried)).standard?.date
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate }
  const begun = await (await call('/api/create-delayed-subscription', { body })).json()
  await world.pay(begun.clientSecret)
  await world.sandbox.settle()
  expect(await works()).toEqual([200, 200, 200])
  expect(await billingOf(call)).toMatchObject({ hasAccess: true })
})

test('a login of another account does not make a link the account’s own', async () => {
  const stranger = await squat()
  const carried = await invite()
  const delayedBillingDate = (await offersOf(world, carried)).standard?.date
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate }
  const other = world.signIn(world.addUser())
  expect(await statusOf(other('/api/create-delayed-subscription', { body }))).toBe(200)
  expect([await opens(other), await stranger.works()]).toEqual([200, [401, 401, 401]])
})

test('a former member, and who has shown that the mailbox is theirs, keep their logins when a link of theirs is used', async () => {
  const stranger = await squat()
  const proven = await signInByCode(world, sam.email, stranger.cookie)
  await beginDelayed(world, await invite())
  expect(await opens(proven.call)).toBe(200)
  const kit = { email: 'kit@example.com', name: 'Kit Long' }
  const joined = await beginJoin(world.call, kit)
  await world.pay(joined.response.clientSecret)
  expect((await billingOf(joined.call)).status).toBe('active')
  await world.ctx.stripe.subscriptions.cancel(joined.response.subscriptionId)
  await world.sandbox.settle()
  const { carried } = await linkTo(world, kit)
  await askDelayed(world, {
    ...carried,
    tierSlug: 'standard',
    delayedBillingDate: (await offersOf(world, carried)).standard?.date,
  })
  expect(await opens(joined.call)).toBe(200)
})
