import { expect, test } from 'vitest'
import { averageKept, retentionOf } from './cohorts.ts'

const joined = [
  { cohort: '2025-11', joined: 4 },
  { cohort: '2026-01', joined: 2 },
]
const movements = [
  { cohort: '2025-11', month: '2025-11', moved: 4 },
  { cohort: '2025-11', month: '2026-01', moved: -1 },
  { cohort: '2026-01', month: '2026-01', moved: 2 },
]

test('a cohort is counted month by month to the last, and keeps its count where nothing moved', () => {
  expect(retentionOf(joined, movements, '2026-02')).toEqual([
    { month: '2025-11', joined: 4, kept: [4, 4, 3, 3] },
    { month: '2026-01', joined: 2, kept: [2, 2] },
  ])
  expect(retentionOf(joined, [], '2025-12')).toEqual([
    { month: '2025-11', joined: 4, kept: [0, 0] },
    { month: '2026-01', joined: 2, kept: [] },
  ])
})

test('the average is over the cohorts that are old enough, by how many joined in each', () => {
  const cohorts = [...retentionOf(joined, movements, '2026-02'), { month: '2026-02', joined: 2, kept: [1] }]
  expect(averageKept(cohorts)).toEqual([87.5, 100, 75, 75])
  expect(averageKept([{ month: '2026-02', joined: 0, kept: [0] }])).toEqual([0])
  expect(averageKept([])).toEqual([])
})
