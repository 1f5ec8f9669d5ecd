import { expect, test } from 'vitest'
import { isCategoryOpen, newVisit, openForUnsent, withChoice } from './use-open-categories.ts'

test('a category starts closed, or as the member left it', () => {
  expect(isCategoryOpen({}, newVisit, 'Sales')).toBe(false)
  expect(isCategoryOpen({ Sales: true }, newVisit, 'Sales')).toBe(true)
})

test('a tick that waits or was refused opens its category, over what was chosen before', () => {
  const visit = openForUnsent(newVisit, ['Sales'])
  expect(isCategoryOpen({ Sales: false }, visit, 'Sales')).toBe(true)
  expect(isCategoryOpen({}, visit, 'Team')).toBe(false)
})

test('what opened by itself stays open once the work is sent', () => {
  const visit = openForUnsent(openForUnsent(newVisit, ['Sales']), [])
  expect(isCategoryOpen({}, visit, 'Sales')).toBe(true)
})

test('the member may close it all the same; only new work opens it again', () => {
  const closed = withChoice(openForUnsent(newVisit, ['Sales']), 'Sales', false)
  expect(isCategoryOpen({}, openForUnsent(closed, ['Sales']), 'Sales')).toBe(false)
  expect(isCategoryOpen({}, openForUnsent(openForUnsent(closed, []), ['Sales']), 'Sales')).toBe(true)
})

test('nothing changes while the work is the same', () => {
  const visit = openForUnsent(newVisit, ['Sales', 'Team'])
  expect(openForUnsent(visit, ['Sales', 'Team'])).toBe(visit)
})
