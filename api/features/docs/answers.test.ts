// @module-tag full
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiDocument, documentReader } from '#api/testing/api-document.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { sam } from '#api/testing/joining.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'

let world: PaymentWorld
let document: ApiDocument
let callers: Record<string, Call>
beforeAll(async () => {
  world = await startPaymentWorld({ env: behindProxy })
  world.addVideos()
  document = await (await world.call('/api/docs/json')).json()
  callers = {
    visitor: world.call,
    lapsed: world.signIn(world.addMember({ subscription: { status: 'canceled' } })),
    member: await becomeMember(world, undefined, sam),
    owner: world.signIn(world.addOwner()),
  }
})
afterAll(() => world.stop())

test('a validator that isn’t ours reads every answer by the API’s own document, for every role', async () => {
  const { faultOf } = documentReader(document)
  const faults: unknown[] = []
  const read = new Set<string>()
  let asked = 0
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || path === '/api/logout') continue
    for (const [role, call] of Object.entries(callers)) {
      asked += 1
      const headers = { 'x-forwarded-for': `10.0.${asked % 250}.${Math.floor(asked / 250)}` }
      const response = await call(path.replace(/\{\w+\}/g, 'x'), { headers })
      const fault = await faultOf('get', path, response)
      if (fault !== null) faults.push([role, path, response.status, fault])
      if (response.status === 200) read.add(`${role} ${path}`)
    }
  }
  expect(faults).toEqual([])
  expect(read.size).toBeGreaterThan(100)
})

type Node = { [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every part of the document with the keys that lead to it. */
function* partsOf(value: unknown, path: string[] = []): Generator<[string[], Node]> {
  if (!isNode(value)) return
  yield [path, value]
  for (const [key, part] of Object.entries(value)) if (key !== 'example') yield* partsOf(part, [...path, key])
}

test('the API’s document is of one dialect, each operation says what it answers, and defaults fit their own schema', () => {
  const { checkAt } = documentReader(document)
  const faults: unknown[] = []
  for (const [path, part] of partsOf(document)) {
    if ('$schema' in part) faults.push([path.join(' '), 'names a dialect'])
    if (Array.isArray(part.items)) faults.push([path.join(' '), 'has an old tuple'])
    if ('default' in part && path.at(-1) !== 'properties') {
      const fault = checkAt(path, part.default)
      if (fault !== null) faults.push([path.join(' '), part.default, fault])
    }
  }
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { responses = {} }] of Object.entries(operations)) {
      if (!Object.keys(responses).some((status) => Number(status) < 400)) faults.push([method, path, 'no success'])
    }
  }
  expect(faults).toEqual([])
})
