import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import { movementOf } from '#shared/rules/revenue-changes.ts'

let world: World
beforeEach(() => {
  world = startWorld()
})

const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']

/** Adds a person with what they pay from the middle of each month on: `null` for no change. */
function addPerson(amounts: readonly (number | null)[], subscription = {}) {
  world.addMember({ subscription })
  const row = world.ctx.db.select().from(subscriptions).all().at(-1)
  let before = 0
  let hasCounted = false
  for (const [at, after] of amounts.entries()) {
    if (after === null) continue
    change(row, months[at] ?? '', '15', { before, after, hasCounted })
    hasCounted = true
    before = after
  }
  return row
}

type Change = { before: number; after: number; hasCounted: boolean }

function change(row: typeof subscriptions.$inferSelect | undefined, month: string, day: string, change: Change) {
  const at = `${month}-${day}T09:00:00.000Z`
  insertRow(world.ctx, revenueChanges, {
    id: world.ctx.newId(),
    customerId: row?.customerId ?? '',
    subscriptionId: row?.id ?? '',
    kind: movementOf({ ...change, hasFailedToPay: false }),
    tierSlug: 'standard',
    at,
    month,
    createdAt: at,
    beforeYearly: change.before * 12,
    afterYearly: change.after * 12,
  })
}

async function read() {
  const response = await world.signIn(world.addOwner())('/api/admin/revenue-months')
  return v.parse(RevenueMonthList, await response.json())
}

test('paying at the start and lost in each month are what a naive count of people gives', async () => {
  const people = [
    [12_500, null, 25_000, null, 0, null],
    [25_000, 0, null, 25_000, null, 0],
    [null, 25_000, 0, null, null, null],
    [null, null, 45_000, 12_500, null, null],
  ]
  for (const amounts of people) addPerson(amounts)
  const atEnd = people.map((amounts) =>
    months.map((_, at) => amounts.slice(0, at + 1).findLast((one) => one !== null) ?? 0),
  )
  const expected = months.map((month, at) => ({
    month,
    openingCustomers: atEnd.filter((one) => (one[at - 1] ?? 0) > 0).length,
    payingCustomers: atEnd.filter((one) => (one[at] ?? 0) > 0).length,
    lostCustomers: atEnd.filter((one) => (one[at - 1] ?? 0) > 0 && one[at] === 0).length,
  }))
  expect(await read()).toMatchObject(expected)
  expect(expected.map(({ lostCustomers }) => lostCustomers)).toEqual([0, 1, 1, 0, 1, 1])
})

test('who leaves twice in a month is lost once', async () => {
  const row = addPerson([25_000])
  for (const [day, before, after] of [
    ['02', 25_000, 0],
    ['03', 0, 25_000],
    ['04', 25_000, 0],
  ] as const)
    change(row, '2026-02', day, { before, after, hasCounted: true })
  expect((await read())[1]).toMatchObject({ openingCustomers: 1, lostCustomers: 1, payingCustomers: 0 })
})

test('a trial counts in the month its first payment fell due, and has converted once it counts', async () => {
  const until = (trialEnd: string, more = {}) => ({ trialEnd, ...more })
  addPerson([null, 25_000], until('2026-02-10T09:00:00.000Z'))
  // Half past midnight on 1 April in London.
  addPerson([], until('2026-03-31T23:30:00.000Z', { status: 'canceled' }))
  addPerson([], until('2026-02-20T09:00:00.000Z', { status: 'canceled' }))
  addPerson([], until('2026-02-20T09:00:00.000Z', { status: 'canceled', isSettled: false }))
  addPerson([], until('2026-06-30T09:00:00.000Z', { status: 'trialing' }))
  const trials = (await read()).map(({ month, trialsEnded, trialsConverted }) => [month, trialsEnded, trialsConverted])
  expect(trials).toEqual([
    ...[
      ['2026-02', 2, 1],
      ['2026-03', 0, 0],
    ],
    ...[
      ['2026-04', 1, 0],
      ['2026-05', 0, 0],
      ['2026-06', 0, 0],
    ],
  ])
})
