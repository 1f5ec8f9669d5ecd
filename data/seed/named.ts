/** What the named accounts did in the year that a full sandbox shows, by email: videos ticked, and when they were last here. */
export const namedSeeds: Readonly<Record<string, { ticks: number; seenHoursAgo: number }>> = {
  'lite@alliance.test': { ticks: 7, seenHoursAgo: 30 },
  'standard@alliance.test': { ticks: 14, seenHoursAgo: 15 },
  'xl@alliance.test': { ticks: 23, seenHoursAgo: 40 },
  'delayed@alliance.test': { ticks: 1, seenHoursAgo: 26 },
  'pastdue@alliance.test': { ticks: 9, seenHoursAgo: 70 },
  'lapsed@alliance.test': { ticks: 11, seenHoursAgo: 1_000 },
}

/** Calls they've had, and what was agreed. None is this month’s, so each can still book it. */
export const heldCallSeeds = [
  {
    email: 'standard@alliance.test',
    monthsAgo: 1,
    at: '07:30',
    kind: 'coaching',
    agreed: 'Put the day rate up to £320 from the first. Ring the three old quotes before Friday.',
  },
  {
    email: 'standard@alliance.test',
    monthsAgo: 2,
    at: '07:30',
    kind: 'coaching',
    agreed: 'One morning a week off the tools, for quotes and invoices. Tuesday to start with.',
  },
  {
    email: 'standard@alliance.test',
    monthsAgo: 4,
    at: '07:30',
    kind: 'coaching',
    agreed: 'Write down what every job cost for a month, materials and hours both.',
  },
  {
    email: 'xl@alliance.test',
    monthsAgo: 1,
    at: '12:00',
    kind: 'coaching',
    agreed: 'Advert for a second site manager out by the 20th. Pay at £42,000, van included.',
  },
  {
    email: 'xl@alliance.test',
    monthsAgo: 2,
    at: '12:00',
    kind: 'coaching',
    agreed: 'Retention on every job over £20,000 goes on one list. Chase the four oldest.',
  },
  {
    email: 'lite@alliance.test',
    monthsAgo: 1,
    at: '16:30',
    kind: 'catch-up',
    agreed: 'Send the quote the same evening for two weeks, and count how many say yes.',
  },
  {
    email: 'pastdue@alliance.test',
    monthsAgo: 2,
    at: '17:00',
    kind: 'coaching',
    agreed: 'Take a deposit of a quarter on roofs from now on.',
  },
  {
    email: 'lapsed@alliance.test',
    monthsAgo: 3,
    at: '18:00',
    kind: 'coaching',
    agreed: 'A price list for the ten jobs that come up every week.',
  },
] as const
