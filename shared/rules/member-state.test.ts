import { expect, test } from 'vitest'
import { type MemberStateFacts, memberState, subscriptionState } from './member-state.ts'

const active: MemberStateFacts = {
  status: 'active',
  label: 'Active',
  isEnding: false,
  isOwner: false,
  isRevoked: false,
  isComplimentary: false,
}

test.each<[Partial<MemberStateFacts>, kind: string, tone: string, text: string]>([
  [{}, 'active', 'ok', 'Active'],
  [{ isEnding: true, label: 'Active, ends on 12 July 2026' }, 'ending', 'open', 'Active, ends on 12 July 2026'],
  [
    { status: 'trialing', label: 'Set up – first payment on 12 July 2026' },
    'set-up',
    'wait',
    'Set up – first payment on 12 July 2026',
  ],
  [
    { status: 'trialing', isEnding: true, label: 'Set up, ends on 12 July 2026' },
    'ending',
    'open',
    'Set up, ends on 12 July 2026',
  ],
  [{ status: 'past_due' }, 'payment-due', 'bad', 'Payment due'],
  [{ status: 'unpaid', isEnding: true }, 'payment-due', 'bad', 'Payment due'],
  [{ hasOpenInvoice: true }, 'payment-due', 'bad', 'Payment due'],
  [{ status: 'paused' }, 'paused', 'plain', 'Paused'],
  [{ status: 'unrecognised' }, 'unfinished', 'bad', 'Price has no tier'],
  [{ status: 'none' }, 'never-joined', 'plain', 'Never joined'],
  [{ status: 'incomplete' }, 'unfinished', 'plain', 'First payment not finished'],
  [{ status: 'canceled' }, 'ended', 'plain', 'Ended'],
  [{ status: 'incomplete_expired' }, 'unfinished', 'plain', 'First payment not finished'],
  [{ isComplimentary: true, status: 'past_due' }, 'free', 'ok', 'Free access'],
  [{ status: 'none', freeEndedOn: '2026-07-12' }, 'ended', 'plain', 'Free access ended 12 July 2026'],
  [{ status: 'canceled', freeEndedOn: '2026-07-12' }, 'ended', 'plain', 'Ended'],
  [{ isRevoked: true }, 'revoked', 'bad', 'Access revoked'],
  [{ isOwner: true, isRevoked: true }, 'owner', 'plain', 'Owner'],
])('a member with %o', (facts, kind, tone, text) => {
  expect(memberState({ ...active, ...facts })).toEqual({ kind, tone, text })
})

test('a revoked member’s subscription keeps its own state', () => {
  expect(subscriptionState({ ...active, hasOpenInvoice: true }).kind).toBe('payment-due')
})
