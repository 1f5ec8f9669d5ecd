import { expect, test } from 'vitest'
import { ContentPage } from '#shared/contract/admin-content.ts'
import { pageGroups } from './content-texts.ts'

test('every page that owners may word stands in their list', () => {
  const listed = new Set(pageGroups.flatMap(({ rows }) => rows.map(({ page }) => page)))
  // The automatic emails have their own place in the admin.
  expect(ContentPage.options.filter((page) => !listed.has(page))).toEqual(['follow-ups'])
})
