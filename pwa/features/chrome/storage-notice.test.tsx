import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type StorageTrouble, tellStorageTrouble, useStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import StorageNotice from './storage-notice.tsx'

function Notice() {
  const trouble = useStorageTrouble()
  return trouble && <StorageNotice trouble={trouble} />
}

const told = (troubles: StorageTrouble[]) => {
  render(<Notice />)
  act(() => troubles.forEach(tellStorageTrouble))
  return screen.queryByRole('status')?.textContent ?? ''
}

test('of several troubles the last one is told', () => {
  expect(told(['broken', 'blocked', 'back'])).toContain('Your browser’s storage is back')
})

test('one without a known cause doesn’t take the place of one that says what to do', () => {
  expect(told(['back', 'broken'])).toContain('Your browser’s storage is back')
})

test('an earlier test’s isn’t told', () => {
  expect(told([])).toBe('')
})
