import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { CommissionStatement, MemberPaymentsList } from '#shared/contract/commission.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: World
let owner: Call
let today: string
beforeEach(async () => {
  world = await startWorld()
  owner = world.signIn(world.addOwner())
  today = londonDay(world.ctx.billingNow())
})

test('MRR-1 a page of a statement names the next one only if there’s more on it, and its sums are of the whole month', async () => {
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
    addPaidMonth(world, world.addMember({ email }), today)
  const read = async (query: string) => {
    const response = await owner(`/api/admin/commission-statements/${today.slice(0, 7)}?${query}`)
    const { lines, closing } = v.parse(CommissionStatement, await response.json())
    const next = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1]
    return { lines: lines.length, closing, total: response.headers.get('x-total-count'), next }
  }
  const month = { closing: 7_500, total: '3' }
  expect(await read('limit=3')).toEqual({ ...month, lines: 3, next: undefined })
  const first = await read('limit=2')
  expect(first).toEqual({ ...month, lines: 2, next: expect.any(String) })
  expect(await read(`limit=2&cursor=${first.next}`)).toEqual({ ...month, total: null, lines: 1, next: undefined })
})

test('MRR-3 a member whose only month is deleted has no commission, paid or owed', async () => {
  const person = world.addMember()
  const day = addDays(today, -20)
  addPaidMonth(world, person, day)
  const paid = await owner(`/api/admin/commission-status/${person.id}`, {
    method: 'PATCH',
    body: { commissionPaid: true, commissionMonth: day.slice(0, 7) },
  })
  expect(paid.status).toBe(200)
  const columns = world.ctx.sqlite.prepare('select commissionPaid, commissionAmount from users where id = ?')
  expect(columns.get(person.id)).toEqual({ commissionPaid: 1, commissionAmount: 2_500 })
  const [row] = v.parse(MemberPaymentsList, await (await owner('/api/admin/member-payments')).json())
  await owner(`/api/admin/commission-payments/${row?.monthlyPayments[0]?.id}`, { method: 'DELETE' })
  expect(columns.get(person.id)).toEqual({ commissionPaid: 0, commissionAmount: null })
})
