import { expect, test } from 'vitest'
import { backupsToDelete, keepRuleText, parseKeepRule } from './keep-backups.ts'
import { addDays } from './london.ts'

const now = new Date('2026-06-12T10:00:00.000Z')

const nightly = (days: number) =>
  Array.from({ length: days }, (_, at) => ({ createdAt: `${addDays('2026-06-12', -at)}T02:15:00.000Z` }))

test('a year of nights leaves the last seven, a week’s newest for five weeks and a month’s newest for twelve months', () => {
  const all = nightly(400)
  const gone = new Set(backupsToDelete(all, { days: 7, weeks: 5, months: 12 }, now))
  const kept = all.filter((one) => !gone.has(one)).map(({ createdAt }) => createdAt.slice(0, 10))
  expect(kept.slice(0, 10)).toEqual(
    ['2026-06-12', '2026-06-11', '2026-06-10', '2026-06-09', '2026-06-08', '2026-06-07', '2026-06-06'].concat([
      '2026-05-31',
      '2026-05-24',
      '2026-05-17',
    ]),
  )
  expect(kept.slice(10)).toEqual(
    ['2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31', '2025-11-30'].concat([
      '2025-10-31',
      '2025-09-30',
      '2025-08-31',
      '2025-07-31',
    ]),
  )
})

test('several of a night leave the last one, and the newest of all stays whatever the rule', () => {
  const [newest, older, oldest] = [
    '2026-06-12T10:00:00.000Z',
    '2026-06-12T02:00:00.000Z',
    '2026-06-11T02:00:00.000Z',
  ].map((createdAt) => ({ createdAt }))
  const all = [older, newest, oldest].flatMap((one) => one ?? [])
  expect(backupsToDelete(all, { days: 2, weeks: 0, months: 0 }, now)).toEqual([older])
  expect(backupsToDelete(all, { days: 0, weeks: 0, months: 0 }, now)).toEqual([older, oldest])
})

test('one that is dated after now stays, and takes the place of none of today', () => {
  const ahead = { createdAt: '2027-12-28T02:15:00.000Z' }
  const [today, ...before] = nightly(3)
  expect(backupsToDelete([ahead, ...nightly(3)], { days: 1, weeks: 0, months: 1 }, now)).toEqual(before)
  expect(backupsToDelete([ahead, ...nightly(3)], { days: 0, weeks: 0, months: 0 }, now)).not.toContainEqual(today)
  expect(backupsToDelete([ahead], { days: 1, weeks: 0, months: 0 }, now)).toEqual([])
})

test('a rule is read as it is written', () => {
  expect(parseKeepRule('7d,5w,12m')).toEqual({ days: 7, weeks: 5, months: 12 })
  expect(keepRuleText({ days: 7, weeks: 5, months: 12 })).toBe('7d,5w,12m')
  expect(parseKeepRule('30d')).toEqual({ days: 30, weeks: 0, months: 0 })
  for (const wrong of ['', '7', 'd7', '7d;5w', '0d', '-7d']) expect(parseKeepRule(wrong)).toBeNull()
})
