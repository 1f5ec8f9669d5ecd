import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { newKey } from '#api/testing/quotient.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import { CommissionStatement } from '#shared/contract/commission.ts'

let world: World
let olive: TestPerson
let owner: Call
beforeEach(() => {
  world = startWorld()
  olive = world.addOwner()
  owner = world.signIn(olive)
})

const path = '/api/admin/manual-commissions'
const sale = { description: 'Website for Marsh', totalAmount: 499.99, commissionAmount: 50.1, saleDate: '2026-06-10' }
const add = (more: object = {}) => owner(path, { body: { ...sale, ...more } })
const added = async () => String(Object(await (await add()).json()).id)
const list = async () => (await owner(path)).json()
const setPaid = (id: string, commissionPaid: boolean) =>
  owner(`${path}/${id}`, { method: 'PATCH', body: { commissionPaid } })
const remove = (id: string) => owner(`${path}/${id}`, { method: 'DELETE' })
const lines = () =>
  world.ctx.sqlite
    .prepare<[], { kind: string; amount: number; net: number }>(
      'select kind, amount, net from commission_ledger order by rowid',
    )
    .all()
    .map(({ kind, amount, net }) => `${kind} ${amount} of ${net}`)
const owed = async () => Object(await (await owner('/api/admin/commission-statements/2026-06')).json()).closing

test('CALLS-33 CALLS-16 ENT-15 an up-sell is taken in pounds, given in pounds, and booked in pence', async () => {
  const response = await add()
  expect(response.status).toBe(200)
  const row = { ...sale, id: expect.any(String), commissionPaid: false }
  expect(await response.json()).toEqual(row)
  expect(await list()).toEqual([row])
  expect(lines()).toEqual(['upsell 5010 of 49999'])
  expect(await owed()).toBe(5_010)
})

test.each([
  ['EMSG-54', { description: ' ' }, 'description', 'Description is required'],
  ['EMSG-54', { description: undefined }, 'description', 'Description is required'],
  ['EMSG-24', { description: 'Website\rfor Marsh' }, 'description', 'Write this on one line.'],
  ['EMSG-55', { totalAmount: 0.001 }, 'totalAmount', 'Total amount must be greater than 0'],
  ['EMSG-55', { totalAmount: undefined }, 'totalAmount', 'Total amount must be greater than 0'],
  ['EMSG-56', { commissionAmount: 0 }, 'commissionAmount', 'Commission amount must be greater than 0'],
  ['EMSG-56', { commissionAmount: -1 }, 'commissionAmount', 'Commission amount must be greater than 0'],
  ['EMSG-56', { commissionAmount: '12' }, 'commissionAmount', 'Commission amount must be a number, such as 90.50'],
  ['EMSG-57', { saleDate: '' }, 'saleDate', 'Sale date is required'],
  ['EMSG-57', { saleDate: undefined }, 'saleDate', 'Sale date is required'],
  ['EMSG-57', { saleDate: '2026-02-30' }, 'saleDate', 'This isn’t a date.'],
  ['EMSG-57', { saleDate: '1999-06-10' }, 'saleDate', 'Use a date from 13 June 2021 to 12 June 2027.'],
  ['EMSG-57', { saleDate: '2262-01-01' }, 'saleDate', 'Use a date from 13 June 2021 to 12 June 2027.'],
  ['EMSG-57', { saleDate: '12/06/2026' }, 'saleDate', 'This isn’t a date.'],
  ['EMSG-55', { totalAmount: 12.345 }, 'totalAmount', 'Use up to two decimals.'],
  ['EMSG-55', { totalAmount: -499.99 }, 'totalAmount', 'Total amount must be greater than 0'],
  ['EMSG-55', { totalAmount: null }, 'totalAmount', 'Total amount must be greater than 0'],
  ['EMSG-55', { totalAmount: 1_000_000.01 }, 'totalAmount', 'Use up to £1,000,000.'],
  ['EMSG-55', { totalAmount: 1e300 }, 'totalAmount', 'Use up to £1,000,000.'],
  ['EMSG-56', { commissionAmount: 50.001 }, 'commissionAmount', 'Use up to two decimals.'],
  ['EMSG-56', { commissionAmount: 500 }, 'commissionAmount', 'The commission can’t be more than the total amount.'],
])('EMSG-54 EMSG-55 EMSG-56 EMSG-57 EMSG-24 %s: %j is refused at %s: %s', async (_id, more, field, sentence) => {
  expect(await readError(await add(more))).toMatchObject({ status: 422, fields: { [field]: sentence } })
  expect(lines()).toEqual([])
})

test('MRR-2 CALLS-34 it is paid once however often it is asked, and unpaid again', async () => {
  const id = await added()
  for (const commissionPaid of [true, true, false, false, true]) {
    const response = await setPaid(id, commissionPaid)
    expect([response.status, Object(await response.json()).commissionPaid]).toEqual([200, commissionPaid])
  }
  expect(lines().slice(1)).toEqual(['payment -5010 of 0', 'reversal 5010 of 0', 'payment -5010 of 0'])
  expect(await owed()).toBe(0)
})

test('CALLS-34 before the day of the sale it is not due, and the day is named', async () => {
  const early = Object(await (await add({ saleDate: '2026-06-13' })).json()).id
  expect(await readError(await setPaid(early, true))).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'This commission is due from 13 June 2026, the day of the sale.',
  })
  expect(lines()).toEqual(['upsell 5010 of 49999'])
  world.forward(86_400_000)
  // An owner's login doesn't last a day.
  owner = world.signIn(olive)
  expect((await setPaid(early, true)).status).toBe(200)
  expect(lines()).toEqual(['upsell 5010 of 49999', 'payment -5010 of 0'])
})

test('CALLS-33 sent again under its key it is added once, under the key with other details refused', async () => {
  const key = newKey()
  const send = (more: object = {}) => owner(path, { body: { ...sale, ...more }, headers: { 'idempotency-key': key } })
  const [one, other] = [await (await send()).json(), await (await send()).json()]
  expect(other).toEqual(one)
  expect(lines()).toEqual(['upsell 5010 of 49999'])
  expect(await readError(await send({ totalAmount: 400 }))).toMatchObject({ status: 409, code: 'idempotency_conflict' })
})

test('CALLS-35 EMSG-26 deleting it reverses its lines once; it is in no list any more', async () => {
  const id = await added()
  await setPaid(id, true)
  for (let again = 0; again < 2; again += 1) expect((await remove(id)).status).toBe(200)
  expect(lines()).toEqual(['upsell 5010 of 49999', 'payment -5010 of 0', 'reversal -5010 of -49999'])
  expect(await list()).toEqual([])
  // What was paid stays paid, and is owed back.
  expect(await owed()).toBe(-5_010)
  expect(await readError(await setPaid(id, true))).toMatchObject({
    status: 404,
    message: 'We can’t find this commission.',
  })
  expect(await readError(await remove('nothing'))).toMatchObject({ status: 404 })
})

test('CALLS-35 an up-sell dated in a later month is deleted on the statement of that month', async () => {
  const { id } = Object(await (await add({ saleDate: '2026-08-01' })).json())
  const sums = async (month: string) => {
    const statement = v.parse(
      CommissionStatement,
      await (await owner(`/api/admin/commission-statements/${month}`)).json(),
    )
    return [statement.upSells, statement.reversals, statement.closing]
  }
  expect([await sums('2026-06'), await sums('2026-08')]).toEqual([
    [0, 0, 0],
    [5_010, 0, 5_010],
  ])
  await remove(id)
  expect([await sums('2026-06'), await sums('2026-08')]).toEqual([
    [0, 0, 0],
    [5_010, -5_010, 0],
  ])
})

test('the lines of a statement come page by page with the same sums, and as CSV all at once', async () => {
  const amounts = Array.from({ length: 103 }, (_none, index) => index + 1)
  for (const pounds of amounts) await add({ totalAmount: 499, commissionAmount: pounds })
  const owedPence = amounts.reduce((sum, pounds) => sum + pounds * 100, 0)
  const seen: number[] = []
  let path: string | null = '/api/admin/commission-statements/2026-06?limit=40'
  while (path !== null) {
    const response: Response = await owner(path)
    const { lines, upSells, closing } = v.parse(CommissionStatement, await response.json())
    expect([upSells, closing, lines.length <= 40]).toEqual([owedPence, owedPence, true])
    seen.push(...lines.map(({ amount }) => amount))
    path = /^<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  }
  expect(seen).toEqual(amounts.map((pounds) => pounds * 100))
  const rows = (await (await owner('/api/admin/commission-statements/2026-06?format=csv')).text()).trim().split('\r\n')
  const column = rows[0]?.split(',').indexOf('amountPence') ?? -1
  const listed = rows.slice(1).map((row) => Number(row.split(',')[column]))
  expect(listed).toEqual([0, ...seen, owedPence])
})

test('a statement as PDF has pages for all of its lines, and can be read out', { tags: ['full'] }, async () => {
  for (let at = 0; at < 45; at += 1) await add({ description: `Website for Marsh ${at}` })
  const response = await owner('/api/admin/commission-statements/2026-06?format=pdf')
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
    ...[200, 'application/pdf', 'attachment; filename="commission-2026-06.pdf"'],
  ])
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const count = (tag: RegExp) => pdf.match(tag)?.length ?? 0
  // Seven totals and 45 lines, plus their header rows.
  expect([/\/Type \/Page\b/g, /\/S \/H1\b/g, /\/S \/Table\b/g, /\/S \/TR\b/g].map(count)).toEqual([2, 1, 2, 53])
})

test('the newest sale comes first, and each step is on record', async () => {
  await added()
  await add({ saleDate: '2026-06-11', description: 'Later' })
  expect((await list()).map(({ description }: { description: string }) => description)).toEqual([
    'Later',
    'Website for Marsh',
  ])
  const actions = world.ctx.sqlite.prepare('select action from audit_entries order by id').pluck().all()
  expect(actions).toEqual(['upsell.added', 'upsell.added'])
})
