import type { CountKind } from '#shared/contract/analytics.ts'

/** What people who’ve looked in have written, newest first: `hoursAgo`, and who of the year’s people it’s from, counted from the last. */
export const messageSeeds = [
  {
    from: 1,
    hoursAgo: 5,
    message: 'Do you take on people who work on their own? I’ve no lads yet, but I’m turning work away every week.',
  },
  {
    from: 3,
    hoursAgo: 29,
    message: 'I’m on site till four most days. Are the calls recorded if I miss one?',
  },
  {
    from: 6,
    hoursAgo: 74,
    message: 'My mate pays for Lite and says the pricing videos paid for the year. Can I see one before I join?',
  },
] as const

export const coachingSeeds = [
  {
    from: 2,
    hoursAgo: 20,
    trade: 'other',
    yearsInBusiness: 9,
    currentRevenue: '100k-200k',
    biggestChallenge: 'I quote at the kitchen table till eleven at night, and half the customers never answer.',
    goals: 'Two fitters I can trust, and home by five.',
    timeCommitment: '3-5',
    investment: '1k-3k',
  },
] as const

export const applicationSeeds = [
  {
    from: 4,
    hoursAgo: 9,
    businessStage: 'established',
    yearsInTrade: '12',
    currentChallenges: 'Busy all year and nothing left at the end of it. I think I price too low.',
    goals: 'Know what an hour costs me, and charge it.',
    whyJoin: 'I want someone who’s run a van to check my sums.',
    hearAboutUs: 'Facebook',
    selectedTier: 'lite',
  },
  {
    from: 5,
    hoursAgo: 50,
    businessStage: 'growing',
    yearsInTrade: '7',
    currentChallenges: 'Took on my first lad in spring and I’m still doing all the paperwork.',
    goals: 'Get off the tools two days a week.',
    whyJoin: 'A coach once a month would keep me honest.',
    hearAboutUs: 'A friend',
    selectedTier: 'standard',
  },
] as const

/** Calls that members have booked: so many weekdays ahead, at a time the first coach takes calls. */
export const callSeeds = [
  { after: 1, at: '07:30' },
  { after: 1, at: '16:30' },
  { after: 2, at: '12:00' },
  { after: 4, at: '17:00' },
] as const

/** What a weekday brings to the site a year on: page views by page, and visits by where they came from. */
export const visitSeeds: Partial<Record<CountKind, Record<string, number>>> = {
  page_view: {
    '/': 46,
    '/membership-tiers': 14,
    '/membership-application': 8,
    '/about': 9,
    '/blog': 11,
    '/coaching': 6,
    '/podcast': 5,
    '/members': 38,
  },
  source: { direct: 19, google: 17, facebook: 9, instagram: 5, youtube: 3 },
  form_begun: { membership: 3, contact: 1 },
  form_submit: { membership: 1, contact: 1 },
  login: { '': 12 },
}
