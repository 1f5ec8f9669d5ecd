import { expect, test } from 'vitest'
import { isCategoryOpen, newVisit, openCategoriesOfUnsent, withChoice } from './use-open-categories.ts'

test('a category starts closed, or as the member left it', () => {
  expect(isCategoryOpen({}, newVisit, 'Sales')).toBe(false)
  expect(isCategoryOpen({ Sales: true }, newVisit, 'Sales')).toBe(true)
})

test('a tick that waits or was refused opens its category, over what was chosen before', () => {
  const visit = openCategoriesOfUnsent(newVisit, ['Sales'])
  expect(isCategoryOpen({ Sales: false }, visit, 'Sales')).toBe(true)
  expect(isCategoryOpen({}, visit, 'Team')).toBe(false)
})

test('what opened by itself stays open once the work is sent', () => {
  const visit = openCategoriesOfUnsent(openCategoriesOfUnsent(newVisit, ['Sales']), [])
  expect(isCategoryOpen({}, visit, 'Sales')).toBe(true)
})

test('the member may close it all the same; only new work opens it again', () => {
  const closed = withChoice(openCategoriesOfUnsent(newVisit, ['Sales']), 'Sales', false)
  expect(isCategoryOpen({}, openCategoriesOfUnsent(closed, ['Sales']), 'Sales')).toBe(false)
  expect(isCategoryOpen({}, openCategoriesOfUnsent(openCategoriesOfUnsent(closed, []), ['Sales']), 'Sales')).toBe(true)
})

test('nothing changes while the work is the same', () => {
  const visit = openCategoriesOfUnsent(newVisit, ['Sales', 'Team'])
  expect(openCategoriesOfUnsent(visit, ['Sales', 'Team'])).toBe(visit)
})
