import { describe, expect, test } from 'vitest'
import type { TierUses } from '#shared/contract/admin-tier.ts'
import { lineText, shownOnText, type TierState, tierConsequences, usesLines } from './tier-consequences.ts'

const tier: TierState = {
  name: 'Crew',
  isActive: true,
  hasWeeklyAccountability: false,
  callDuration: 30,
  callsPerMonth: 1,
  questionsPerMonth: null,
  hasMonthlyCoaching: true,
  hasVideoAccess: true,
  hasCommunityAccess: true,
  hasWhatsApp: false,
  isShown: true,
  isByInvitation: false,
  isPreselected: false,
  isHighlighted: false,
  badge: null,
  cardColour: 'paper',
  rejoinsNow: true,
  rejoinsLater: true,
}

const cards = 'Home, Coaching, Membership tiers, the application, Rejoin today, Rejoin later and Billing'

describe('what saving a tier changes', () => {
  test.each<[what: string, before: Partial<TierState>, after: Partial<TierState>, lines: string[]]>([
    ['nothing', {}, {}, []],
    ['what the preview shows', {}, { cardColour: 'dark' }, []],
    ['off the cards', {}, { isShown: false }, [`Its card comes off ${cards}.`, 'You sell it by invitation only.']],
    ['among the cards', { isShown: false }, {}, [`Its card goes on ${cards}.`]],
    ['retired', {}, { isActive: false }, [`Its card comes off ${cards}.`]],
    ['retired, not among the cards', { isShown: false }, { isShown: false, isActive: false }, []],
    ['restored', { isActive: false }, {}, [`Its card goes on ${cards}.`]],
    [
      'restored, not among the cards',
      { isActive: false, isShown: false },
      { isShown: false },
      ['You sell it by invitation only.'],
    ],
    ['not for who rejoins today', {}, { rejoinsNow: false }, ['Its card comes off Rejoin today.']],
    ['for who rejoins later', { rejoinsLater: false }, {}, ['Its card goes on Rejoin later.']],
    ['rejoining, off the cards', { isShown: false }, { isShown: false, rejoinsNow: false }, []],
    [
      'by invitation',
      {},
      { isByInvitation: true },
      ['Its button says “Contact for invitation”. Anyone can still choose it.'],
    ],
    ['not by invitation', { isByInvitation: true }, {}, ['Its button says “Join Crew”.']],
    ['a badge', {}, { badge: 'New' }, ['Its badge is “New”.']],
    ['no badge', { badge: 'New' }, {}, ['Its badge “New” goes.']],
    ['a badge nobody sees', { isShown: false }, { isShown: false, badge: 'New' }, []],
    ['highlighted', {}, { isHighlighted: true }, ['Its button stands out, and so does its card where people rejoin.']],
    [
      'not highlighted',
      { isHighlighted: true },
      {},
      ['Its button no longer stands out, and neither does its card where people rejoin.'],
    ],
    ['preselected', {}, { isPreselected: true }, ['It’s already chosen for people who rejoin today, instead of Lite.']],
    ['preselected where nobody rejoins', { rejoinsNow: false }, { rejoinsNow: false, isPreselected: true }, []],
    ['not preselected', { isPreselected: true }, {}, ['People who rejoin today start with the second card chosen.']],
    ['another name', {}, { name: 'Gang' }, ['4 members see the new name.']],
    [
      'more calls',
      {},
      { callsPerMonth: 2, callDuration: 45 },
      ['4 members have 2 calls a month of 45 minutes instead of 1 call a month of 30 minutes.'],
    ],
    [
      'no calls',
      {},
      { callsPerMonth: 0, callDuration: null },
      ['4 members have no coaching calls instead of 1 call a month of 30 minutes.'],
    ],
    [
      'a few questions',
      {},
      { questionsPerMonth: 3 },
      ['4 members can ask 3 questions a month instead of as many as they like.'],
    ],
    [
      'no questions',
      { questionsPerMonth: 1 },
      { questionsPerMonth: 0 },
      ['4 members can ask no questions instead of 1 question a month.'],
    ],
    [
      'what a welcome lists',
      {},
      { hasWeeklyAccountability: true, hasCommunityAccess: false },
      ['The welcome now mentions weekly accountability.', 'The welcome no longer mentions the community.'],
    ],
    [
      'videos',
      {},
      { hasVideoAccess: false },
      ['The welcome no longer mentions videos.', 'You choose which videos they see on each video.'],
    ],
    ['WhatsApp', {}, { hasWhatsApp: true }, ['Its card only mentions WhatsApp if you list it under what they get.']],
    ['a retired one’s badge', { isActive: false }, { isActive: false, badge: 'New' }, []],
  ])('%s', (_what, before, after, lines) => {
    const known = { members: 4, preselected: 'Lite' }
    expect(tierConsequences({ ...tier, ...before }, { ...tier, ...after }, known)).toEqual(lines)
  })

  test('a new one', () => {
    const prices = [
      { every: 'month', net: 18_000 },
      { every: 'year', net: 180_000 },
    ] as const
    const known = { members: 0, preselected: null, prices, videos: 34 }
    expect(tierConsequences(null, { ...tier, isPreselected: true, badge: 'New' }, known)).toEqual([
      'New members pay £180.00 + VAT a month or £1,800.00 + VAT a year.',
      'It starts with 34 videos.',
      `Its card goes on ${cards}.`,
      'Its badge is “New”.',
      'It’s already chosen for people who rejoin today.',
    ])
    expect(tierConsequences(null, { ...tier, isShown: false }, { members: 0, preselected: null, videos: 0 })).toEqual([
      'It starts with no videos.',
      'You sell it by invitation only.',
    ])
  })

  test('where people choose it', () => {
    expect(shownOnText(tier)).toBe(`People can choose it on ${cards}.`)
    expect(shownOnText({ ...tier, isShown: false })).toBe('You sell it by invitation only.')
    expect(shownOnText({ ...tier, isActive: false })).toBe('No page shows it.')
  })
})

const nobody: TierUses = {
  slug: 'crew',
  name: 'Crew',
  version: 1,
  payers: [],
  moves: [],
  booked: { members: 0, people: [] },
  granted: 0,
  openInvitations: 0,
  pendingApplications: 0,
  videos: 0,
  ownVideos: [],
  namedBy: [],
}
const named = (...names: string[]) => names.map((name) => ({ memberId: name, name }))

test('who is with a tier is said in their own period, with the first of them and how many more', () => {
  const said = (uses: Partial<TierUses>) => usesLines({ ...nobody, ...uses }).map(lineText)
  expect(said({})).toEqual(['No one’s on it.'])
  expect(
    said({
      payers: [
        { net: 25_000, months: 1, days: null, members: 9, people: named('Ada', 'Bob') },
        { net: 250_000, months: 12, days: null, members: 2, people: named('Cid', 'Dan') },
        { net: 66_000, months: 3, days: null, members: 1, people: named('Eva') },
        { net: 5_000, months: 1, days: 7, members: 1, people: [] },
      ],
      moves: [
        { net: 28_000, every: 'month', members: 1, from: '2027-01-05', to: '2027-01-05' },
        { net: 280_000, every: 'year', members: 2, from: '2027-01-05', to: '2027-12-01' },
      ],
      booked: { members: 1, people: [{ memberId: null, name: 'Fay', on: '2027-02-01' }] },
      granted: 1,
      openInvitations: 2,
      pendingApplications: 1,
    }),
  ).toEqual([
    '9 members pay £250.00 + VAT a month: Ada, Bob and 7 more.',
    '2 members pay £2,500.00 + VAT a year: Cid and Dan.',
    '1 member pays £660.00 + VAT every 3 months: Eva.',
    '1 member pays £50.00 + VAT a week.',
    '1 member moves to £280.00 + VAT a month on 5 January 2027.',
    '2 members move to £2,800.00 + VAT a year between 5 January 2027 and 1 December 2027.',
    '1 member has booked a change to it: Fay on 1 February 2027.',
    '1 member has free access to it.',
    '2 open invitations are for it.',
    '1 pending application is for it.',
  ])
})
