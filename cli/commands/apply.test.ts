import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchTables } from '#api/testing/changed-tables.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'

let server: TestServer
let file: string
let plan: Record<string, unknown>
beforeAll(async () => {
  server = await startServer()
  server.world.addMember({ email: 'sam@alliance.test', firstName: 'Sam', lastName: 'Field' })
  server.world.addMember({ email: 'kit@alliance.test', firstName: 'Kit', lastName: 'Moss' })
  file = join(server.dataDir, 'plan.json')
  const made = await server.local('members free sam@alliance.test --until 2026-12-31 --dry-run --json')
  plan = JSON.parse(made.out)
})
afterAll(() => server.close())

async function apply(written: string | object, options = '--yes', env: Record<string, string> = {}) {
  writeFileSync(file, typeof written === 'string' ? written : JSON.stringify(written))
  const changed = watchTables(server.world.ctx.sqlite)
  const { code, err, out } = await server.local(`apply ${file} ${options}`, { env: { ...server.env, ...env } })
  expect([written, changed()]).toEqual([written, []])
  return { code, err, out }
}

const noPlan = { code: 2, err: expect.stringMatching(/^This isn’t a plan\./) }
const otherCommand = { code: 2, err: expect.stringMatching(/^This plan is for another command\./) }
const otherFacts = { code: 1, err: expect.stringMatching(/^Something has changed since this plan was made\./) }

describe('a plan that is none', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{"plan":1,'],
    ['nested a hundred thousand deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a list', '[]'],
    ['null', 'null'],
    ['of a later version', '{"plan":2,"command":"members free","argv":[],"server":null,"question":"","facts":null}'],
    ['without words', '{"plan":1,"command":"members free","server":null,"question":"","facts":null}'],
    ['all in its prototype', '{"__proto__":{"plan":1,"command":"jobs run","argv":["jobs"],"server":null}}'],
  ])('%s is refused', async (_what, text) => {
    expect(await apply(text)).toMatchObject(noPlan)
  })

  test('whose words are no words is refused', async () => {
    for (const wrong of [{ argv: 'members' }, { argv: [1] }, { argv: [['members']] }, { server: 7 }, { command: null }])
      expect(await apply({ ...plan, ...wrong })).toMatchObject(noPlan)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('of more than 16 MB is not read to its end, from a file, from standard input, or from a device without an end', {
    tags: ['full'],
  }, async () => {
    const tooLong = { code: 2, err: 'This isn’t a plan: it’s larger than 16 MB.\n' }
    const padded = `${JSON.stringify(plan)}${' '.repeat(17 * 1024 ** 2)}`
    writeFileSync(file, padded)
    expect(await server.local(`apply ${file} --yes`)).toMatchObject(tooLong)
    expect(await server.local('apply - --yes', { input: padded })).toMatchObject(tooLong)
    expect(await server.local('apply /dev/zero --yes')).toMatchObject(tooLong)
    expect((await server.local(`apply ${server.dataDir} --yes`)).code).toBe(2)
  })
})

describe('a plan that somebody has edited', () => {
  test('for another member, or by other facts, is refused', async () => {
    const argv = ['members', 'free', 'kit@alliance.test', '--until', '2026-12-31']
    expect(await apply({ ...plan, argv })).toMatchObject(otherFacts)
    for (const facts of [null, {}, [], { ...Object(plan.facts), version: 7 }])
      expect(await apply({ ...plan, facts })).toMatchObject(otherFacts)
    const own = JSON.stringify({ ...plan, facts: 'FACTS' })
    const facts = JSON.stringify(plan.facts).replace('{', '{"__proto__":{"isDone":true},')
    expect(await apply(own.replace('"FACTS"', facts))).toMatchObject(otherFacts)
    expect(Reflect.get({}, 'isDone')).toBeUndefined()
  })

  test.each([
    ['that plans', 'members revoke sam@alliance.test', otherCommand],
    ['that asks nothing', 'tokens create spare', otherCommand],
    ['that gives a way in', 'owners link olive@alliance.test', otherCommand],
    ['that changes a setting', 'settings set SELLER_NAME Nobody', otherCommand],
    ['that is a plan again', 'apply plan.json', otherCommand],
    ['that there is none of', 'members conquer', { code: 2 }],
  ])('to be a command %s is refused, whatever it says that it is', async (_what, words, refusal) => {
    const argv = words.split(' ')
    const path = words.split(' ', words.startsWith('apply') ? 1 : 2).join(' ')
    expect(await apply({ ...plan, argv })).toMatchObject(refusal)
    expect(await apply({ ...plan, argv, command: path })).toMatchObject({ code: expect.toBeOneOf([1, 2]) })
  })

  test('to answer its own question is asked it all the same, in our words', async () => {
    const argv = [...Object(plan.argv), '--yes']
    const asked = await apply({ ...plan, argv, question: 'Water the plants?' }, '')
    expect(asked).toMatchObject({ code: 2, err: expect.stringMatching(/Sam Field.*Use --yes to confirm\.\n$/s) })
    expect(asked.err).not.toContain('plants')
  })
})

describe('a plan for another site', () => {
  test('is not sent a token that its owner did not mean for it', async () => {
    const asked: string[] = []
    const elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ headers }) => {
        asked.push(headers.get('authorization') ?? '')
        return new Response('{}')
      },
    })
    const url = `http://127.0.0.1:${elsewhere.port}`
    const tokens = { ALLIANCE_TOKEN: 'the-token-of-this-site' }
    try {
      const refused = { code: 2, err: `This plan is for ${url}. If you mean that site, add --api ${url}.\n` }
      expect(await apply({ ...plan, server: url }, '--yes', tokens)).toMatchObject(refused)
      const env = { ...tokens, ALLIANCE_API: server.url }
      expect(await apply({ ...plan, server: url }, '--yes', env)).toMatchObject(refused)
      expect((await apply({ ...plan, server: url })).code).toBe(4)
      expect(asked).toEqual([])
      await apply({ ...plan, server: url }, `--yes --api ${url}`, tokens)
      expect(asked).toEqual(['Bearer the-token-of-this-site'])
    } finally {
      await elsewhere.stop(true)
    }
  })

  test('or for no site is refused', { tags: ['full'] }, async () => {
    for (const wrong of ['', 'elsewhere', 'file:///etc', 'javascript:alert(1)', 'https://me@a.example', '--yes'])
      expect([wrong, (await apply({ ...plan, server: wrong })).code]).toEqual([wrong, 2])
    expect(await apply(plan, `--yes --api ${server.url}`)).toMatchObject({
      code: 2,
      err: 'This plan is for the data folder on this machine.\n',
    })
  })
})
