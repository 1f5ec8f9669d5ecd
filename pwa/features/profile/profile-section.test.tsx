import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ProfileSection } from './profile-section.tsx'

const user = {
  id: '1',
  email: 'danny@alliance.test',
  firstName: 'Danny',
  lastName: 'Marsh',
  phone: '07700 900123',
  businessName: 'Marsh Plumbing',
  trade: 'Plumber',
  profileImageUrl: null,
  isAdmin: false,
  isMember: true,
  isImpersonating: false,
  membershipTier: 'lite' as const,
  membershipStartDate: '2024-03-09T12:00:00.000Z',
  hasPassword: true,
  createdAt: '2024-03-01T12:00:00.000Z',
}

const rows = () =>
  screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ''])

test('PROF-01 PROF-02 the profile shows its six entries, the last as a long date', () => {
  render(<ProfileSection user={user} />)
  expect(rows()).toEqual([
    ['Full name', 'Danny Marsh'],
    ['Email', 'danny@alliance.test'],
    ['Phone', '07700 900123'],
    ['Business name', 'Marsh Plumbing'],
    ['Trade', 'Plumber'],
    ['Member since', '9 March 2024'],
  ])
})

test('PROF-03 what is not there is not provided', () => {
  const none = { lastName: null, firstName: null, phone: ' ', businessName: null, trade: '', membershipStartDate: null }
  render(<ProfileSection user={{ ...user, ...none }} />)
  expect(rows().flatMap(([, value]) => value)).toEqual([
    'Not provided',
    'danny@alliance.test',
    ...Array.from({ length: 4 }, () => 'Not provided'),
  ])
})
