// @module-tag full
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPost } from '#api/features/site/blog/service.ts'
import type { ApiDocument } from '#api/testing/api-document.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { generateClient } from '#api/testing/generated-client.ts'
import { sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'

let world: PaymentWorld
let text: string
beforeAll(async () => {
  world = await startPaymentWorld()
  world.addVideos()
  addPost(world.ctx, { title: 'Vans', slug: 'vans', content: '<p>One.</p>', isPublished: true, publishedAt: null })
  text = await (await world.call('/api/docs/json')).text()
})
afterAll(() => world.stop())

test('Redocly finds no error in the API’s document', { timeout: 300_000 }, async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: text, absoluteRef: 'api.json', config })
  const errors = found.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
})

test('Spectral’s rules for OpenAPI find no error in it', { timeout: 300_000 }, async () => {
  const linter = new spectral.Spectral()
  // Its two packages disagree about the types.
  linter.setRuleset({ extends: [[rulesets.oas as never, 'all']] })
  const errors = (await linter.run(JSON.parse(text))).filter(({ severity }) => severity === 0)
  expect(errors.map(({ path, message }) => `${path.join(' ')}: ${message}`)).toEqual([])
})

/** What can be read without saying which. */
const plainReads = ({ paths }: ApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || path === '/api/logout' || get.parameters?.some(({ required }) => required)
      ? []
      : [get.operationId],
  )

test('a client made from it compiles, and its validators take what the site answers, for every role', {
  timeout: 300_000,
}, async () => {
  const { compile, ask, remove } = await generateClient(text)
  try {
    expect(compile()).toBe('')
    const callers: Record<string, Call> = {
      visitor: world.call,
      lapsed: world.signIn(world.addMember({ subscription: { status: 'canceled' } })),
      member: await becomeMember(world, undefined, sam),
      owner: world.signIn(world.addOwner()),
    }
    const [faults, read]: [unknown[], string[]] = [[], []]
    for (const id of plainReads(JSON.parse(text)))
      for (const [role, call] of Object.entries(callers)) {
        const { error, response } = await ask(call, id)
        if (response?.status === 200) read.push(`${role} ${id}`)
        if (error !== undefined && !(Number(response?.status) >= 300)) faults.push([role, id, String(error)])
      }
    expect(faults).toEqual([])
    for (const role of Object.keys(callers)) expect(read).toContain(`${role} getApiBlog`)
    for (const one of ['lapsed', 'member', 'owner']) expect(read).toContain(`${one} getApiAuthUser`)
    expect(read).toContain('owner getApiAdminMembers')
    const login = { body: { email: 'nobody@example.com', password: 'wrong-wrong-42' } }
    expect((await ask(world.call, 'postApiAuthLogin', login)).response?.status).toBe(401)
    expect(read.length).toBeGreaterThan(100)
  } finally {
    remove()
  }
})
