import { expect, test } from 'vitest'
import { isKeptOverdue, type KnownAccess, phoneLock } from './phone-lock.ts'

const day = 24 * 60 * 60_000
const now = Date.parse('2026-03-20T12:00:00Z')
const user = { hasAccess: true, isOwner: false, savedAt: now }
const billing = {
  hasAccess: true,
  status: 'active',
  endsOn: null,
  graceEndsOn: null,
  isComplimentary: false,
  isOwner: false,
  savedAt: now,
} satisfies KnownAccess['billing']

const known = (changes: Partial<KnownAccess>): KnownAccess => ({ user, billing, lastResponseAt: now, ...changes })

test('MEMB-05 a membership known to be over locks what the phone keeps straight away', () => {
  const kinds = [
    known({}),
    known({ user: { ...user, hasAccess: false } }),
    known({ billing: { ...billing, hasAccess: false, savedAt: now + 1 } }),
    // A later response about the person counts.
    known({ billing: { ...billing, hasAccess: false, savedAt: now - 1 } }),
    known({ billing: { ...billing, hasAccess: false } }),
    known({ billing: { ...billing, endsOn: '2026-03-20' } }),
    known({ billing: { ...billing, endsOn: '2026-03-19' } }),
    known({ billing: { ...billing, endsOn: '2026-03-19', isComplimentary: true } }),
    known({ billing: { ...billing, endsOn: '2026-03-19' }, user: { ...user, isOwner: true } }),
    known({ billing: { ...billing, status: 'past_due', graceEndsOn: '2026-03-19' } }),
    known({ billing: { ...billing, status: 'past_due', graceEndsOn: '2026-03-27' } }),
    known({ billing: null }),
  ].map((access) => phoneLock(access, now).kind)
  expect(kinds).toEqual([
    ...['open', 'lapsed', 'lapsed', 'open', 'open', 'open', 'lapsed', 'open', 'open', 'lapsed', 'open'],
    'open',
  ])
})

test('MEMB-05 a phone that has not reached the site warns after 23 days and locks after 30', () => {
  const after = (days: number) => phoneLock(known({ lastResponseAt: now - days * day }), now)
  expect([after(0), after(22.9), after(23), after(29.5), after(30)]).toEqual([
    { kind: 'open' },
    { kind: 'open' },
    { kind: 'warned', daysLeft: 7 },
    { kind: 'warned', daysLeft: 1 },
    { kind: 'unreachable' },
  ])
  // Before the first response, or with a clock that was put back, there's nothing to go by.
  expect(after(-3)).toEqual({ kind: 'open' })
})

test('kept videos go 30 days after the lock, and at once when the server says that the access is over', () => {
  const after = (days: number) => isKeptOverdue(known({ lastResponseAt: now - days * day }), now)
  expect([after(30), after(59.9), after(60)]).toEqual([false, false, true])
  const ended = (endsOn: string) => isKeptOverdue(known({ billing: { ...billing, endsOn } }), now)
  expect([ended('2026-03-19'), ended('2026-02-20'), ended('2026-02-17')]).toEqual([false, false, true])
  expect(isKeptOverdue(known({ user: { ...user, hasAccess: false } }), now)).toBe(true)
})
