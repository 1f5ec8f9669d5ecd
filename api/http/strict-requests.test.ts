import * as v from 'valibot'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { isStrict } from './strict-requests.ts'

test('a call that moves money or access refuses what it does not know, in the body or the address', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const routes = world.wholeApp().routes.filter(isStrict)
  expect(routes.length).toBeGreaterThan(50)
  const known: Record<string, string> = {
    ...{ ':memberId': world.addMember().id, ':id': world.ctx.newId(), ':tier': 'lite', ':kind': 'contacts' },
    ...{ ':month': '2026-05', ':charge': 'ch_1', ':ref': 'A-000001' },
  }
  const passed: string[] = []
  for (const { method, path, hooks } of routes) {
    const address = path.replace(/:\w+/g, (name) => known[name] ?? 'nothing')
    const names = async (response: Response) =>
      response.status === 422 ? Object.keys(v.parse(ErrorBody, await response.json()).error.fields ?? {}) : []
    const call = world.signIn(owner)
    if (!(await names(await call(address, { method, body: { amuont: 1 } }))).includes('amuont'))
      passed.push(`${method} ${path}, body`)
    const inAddress = await call(`${address}?amuont=1`, { method })
    // Where the route takes a body, its absence is told first.
    if (hooks.body === undefined ? !(await names(inAddress)).includes('amuont') : inAddress.ok)
      passed.push(`${method} ${path}, address`)
  }
  expect(passed).toEqual([])
})
