import * as v from 'valibot'
import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { ErrorBody } from '#shared/contract/error.ts'

/** Routes that move money or decide access: a misspelt field there mustn't be ignored. */
const movesMoneyOrAccess = new RegExp(
  `^/api/(${[
    'create-(subscription|delayed-subscription|quotient-payment)$',
    'billing/(change-tier|upgrade)',
    `admin/members(/:memberId/(refund|revoke-access|free-access|free-month|subscription|upgrade)|$)`,
    'admin/(tiers|subscription-links|reactivation-links|revenue-months|document-numbers)',
    'admin/(fix|delete)-member-invoices',
    'admin/invoice/',
    'admin/(manual-commissions|commission-)',
    'admin/inbox/:kind/:id/invitation',
    'admin/(owners|tokens|impersonate|second-factor)',
    'user/account',
  ].join('|')})`,
)

test('every body that moves money or access refuses a field that it does not know', async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const routes = world
    .wholeApp()
    .routes.filter(
      ({ method, path, hooks }) => method !== 'GET' && hooks.body !== undefined && movesMoneyOrAccess.test(path),
    )
  expect(routes.length).toBeGreaterThan(30)
  const known: Record<string, string> = { ':memberId': world.addMember().id, ':tier': 'lite', ':kind': 'contacts' }
  const wholeIds: Record<string, string> = { '/api/admin/inbox/:kind/:id/invitation': world.ctx.newId() }
  const passed: string[] = []
  for (const { method, path } of routes) {
    const address = path.replace(/:\w+/g, (name) => known[name] ?? wholeIds[path] ?? 'nothing')
    const response = await world.signIn(owner)(address, { method, body: { amuont: 1 } })
    const fields = response.status === 422 ? v.parse(ErrorBody, await response.json()).error.fields : undefined
    if (!Object.keys(fields ?? {}).some((name) => name === 'amuont'))
      passed.push(`${method} ${path} ${response.status}`)
  }
  expect(passed).toEqual([])
})
