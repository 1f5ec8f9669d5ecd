import { expect, test } from 'vitest'
import { newVisit, standsOpen, withChoice, withWork } from './standing-open.ts'

test('a category starts closed, or as the member left it', () => {
  expect(standsOpen({}, newVisit, 'Sales')).toBe(false)
  expect(standsOpen({ Sales: true }, newVisit, 'Sales')).toBe(true)
})

test('a tick that waits or was refused opens its category, over what was chosen before', () => {
  const visit = withWork(newVisit, ['Sales'])
  expect(standsOpen({ Sales: false }, visit, 'Sales')).toBe(true)
  expect(standsOpen({}, visit, 'Team')).toBe(false)
})

test('what opened by itself stays open once the work is sent', () => {
  const visit = withWork(withWork(newVisit, ['Sales']), [])
  expect(standsOpen({}, visit, 'Sales')).toBe(true)
})

test('the member may close it all the same; only new work opens it again', () => {
  const closed = withChoice(withWork(newVisit, ['Sales']), 'Sales', false)
  expect(standsOpen({}, withWork(closed, ['Sales']), 'Sales')).toBe(false)
  expect(standsOpen({}, withWork(withWork(closed, []), ['Sales']), 'Sales')).toBe(true)
})

test('nothing changes while the work is the same', () => {
  const visit = withWork(newVisit, ['Sales', 'Team'])
  expect(withWork(visit, ['Sales', 'Team'])).toBe(visit)
})
