import { expect, test } from 'vitest'
import { statementClosing } from './commission-statement.ts'

test('a statement closes with what is owed, and to whom', () => {
  const sums = { month: '2026-05', partner: 'Lee', isFrozen: true, opening: 0, earned: 0, clawBacks: 0, upSells: 0 }
  const closing = (amount: number) => statementClosing({ ...sums, reversals: 0, payments: 0, closing: amount })
  expect([closing(-500), closing(0), closing(500)]).toEqual([
    { label: 'Owed back by Lee', amount: 500 },
    { label: 'Owed to Lee', amount: 0 },
    { label: 'Owed to Lee', amount: 500 },
  ])
})
