import * as v from 'valibot'
import { expect, test } from 'vitest'
import { audit } from '#api/audit.ts'
import { type Call, startWorld } from '#api/testing/world.ts'
import { type AuditEntry, AuditEntryList } from '#shared/contract/audit.ts'
import { londonDay } from '#shared/rules/london.ts'

async function readAll(call: Call, query: URLSearchParams): Promise<AuditEntry[]> {
  const rows: AuditEntry[] = []
  let total: string | null = null
  for (let path: string | undefined = `/api/admin/audit?${query}`; path; ) {
    const response: Response = await call(path)
    rows.push(...v.parse(AuditEntryList, await response.json()))
    total ??= response.headers.get('x-total-count')
    path = /<([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect(total).toBe(String(rows.length))
  return rows
}

test('the audit log equals a naive search, for any filters, order and page', { tags: ['full'] }, async () => {
  const world = startWorld()
  const owner = world.addOwner()
  const [danny, eva] = [world.addMember(), world.addMember({ firstName: 'Éva', lastName: 'O’Neil' })]
  const actors = [`user:${owner.id}`, `user:${danny.id}`, 'system', 'local:olive', 'visitor', 'user:gone']
  const actions = [
    'invoice.late_payment',
    'invoices.fixed',
    'coaching-booking.status',
    'tier.price',
    'auth.login',
  ] as const
  const targets = [danny.id, eva.id, null, 'lite']
  for (let at = 0; at < 60; at += 1) {
    const [actor = '', action = 'auth.login'] = [actors[at % actors.length], actions[at % actions.length]]
    audit(world.ctx, actor, action, { targetId: targets[at % targets.length] ?? null, detail: { at } })
    world.forward(7 * 3_600_000)
  }
  const call = world.signIn(owner)
  const all = await readAll(call, new URLSearchParams())
  expect(all).toHaveLength(60)
  expect(all[0]).toMatchObject({ detail: { at: 59 }, action: 'auth.login', actor: { kind: 'member', name: null } })
  const has = (text: string | null | undefined, words: string) => (text ?? '').toLowerCase().includes(words)
  const filters: [name: string, value: string, fits: (entry: AuditEntry) => boolean][] = [
    ['q', 'olive', ({ actor }) => has(actor.name, 'olive')],
    ['q', 'SYSTEM', ({ actor }) => actor.kind === 'system'],
    ['member', 'eva neil', ({ target }) => has(target?.name, 'éva')],
    ['member', danny.email, ({ target }) => target?.id === danny.id],
    ['what', 'invoice', ({ action }) => action.startsWith('invoice.')],
    ['what', 'coaching-booking', ({ action }) => action === 'coaching-booking.status'],
    ['what', 'tier.price', ({ action }) => action === 'tier.price'],
    ['from', '2026-06-16', ({ at }) => londonDay(new Date(at)) >= '2026-06-16'],
    ['to', '2026-06-20', ({ at }) => londonDay(new Date(at)) <= '2026-06-20'],
    ['sort', 'at', () => true],
  ]
  for (let mask = 0; mask < 1 << filters.length; mask += 7) {
    const chosen = filters.filter((_filter, index) => mask & (1 << index))
    const query = new URLSearchParams(chosen.map(([name, value]) => [name, value]))
    query.set('limit', String(1 + (mask % 11)))
    // Of two filters with the same name the last counts, here too.
    const used = chosen.filter(([name], index) => chosen.findLastIndex((other) => other[0] === name) === index)
    const found = all.filter((entry) => used.every(([, , fits]) => fits(entry)))
    const expected = query.get('sort') === 'at' ? found.toReversed() : found
    const address = new URLSearchParams()
    for (const [name, value] of query) address.set(name, value)
    expect([String(address), await readAll(call, address)]).toEqual([String(address), expected])
  }
})

test('who acted at the terminal of the machine is named, and a member reads nothing of it', async () => {
  const world = startWorld({ localActor: 'local:olive' })
  audit(world.ctx, 'local:olive', 'tier.price')
  const [entry] = v.parse(AuditEntryList, await (await world.call('/api/admin/audit')).json())
  expect(entry?.actor).toEqual({ kind: 'program', name: 'olive' })
})
