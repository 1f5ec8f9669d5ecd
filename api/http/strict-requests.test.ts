import * as v from 'valibot'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { setupNames } from '#shared/contract/setup.ts'
import { mailKinds } from '#shared/contract/texts/mails.ts'
import { isStrict } from './strict-requests.ts'

test('a call that moves money or access, or takes nothing, refuses what it does not know, in the body or the address', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const routes = world.wholeApp().routes.filter(isStrict)
  expect(routes.length).toBeGreaterThan(60)
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  expect(names).toContain('POST /api/admin/imports/:id/apply')
  expect(names).toContain('POST /api/admin/mailings/:id/resume')
  const known: Record<string, string | undefined> = {
    ':memberId': world.addMember().id,
    ':id': world.ctx.newId(),
    ':tier': 'lite',
    ':kind': 'contacts',
    ':month': '2026-05',
    ':charge': 'ch_1',
    ':ref': 'A-000001',
    ':form': 'light',
    ':name': setupNames[0],
  }
  const passed: string[] = []
  for (const { method, path, hooks } of routes) {
    const own: typeof known = path.startsWith('/api/admin/mail-words/') ? { ...known, ':kind': mailKinds[0] } : known
    const address = path.replace(/:\w+/g, (name) => own[name] ?? 'nothing')
    const refusedIn = async (response: Response) =>
      response.status === 422 ? Object.keys(v.parse(ErrorBody, await response.json()).error.fields ?? {}) : []
    const call = world.signIn(owner)
    if (!(await refusedIn(await call(address, { method, body: { amuont: 1 } }))).includes('amuont'))
      passed.push(`${method} ${path}, body`)
    const inAddress = await call(`${address}?amuont=1`, { method })
    // Where the route takes a body, its absence is told first.
    if (hooks.body === undefined ? !(await refusedIn(inAddress)).includes('amuont') : inAddress.ok)
      passed.push(`${method} ${path}, address`)
  }
  expect(passed).toEqual([])
})
