import { expect, test } from 'vitest'
import { actionText, detailText } from './activity-texts.ts'

test('a new price that a member was told of is said in pounds and with its day', () => {
  const told = {
    action: 'price_move.told',
    detail: { tier: 'standard', from: 25_000, to: 27_500, on: '2026-08-11T23:30:00.000Z' },
  }
  expect(actionText(told)).toBe('Told of a new price')
  expect(detailText(told)).toBe('from £250.00. to £275.00. From 12 August 2026')
})
