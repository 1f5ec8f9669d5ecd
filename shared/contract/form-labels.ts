/* The public forms' labels and choices, separate from their schemas: a page shows a form before it loads the checks. */

/** The public forms' honeypot field, which people never see. */
export const honeypotName = 'homepage'

/* The coaching application's choices, as we store them. */

export const coachingTrades = [
  'plumber',
  'electrician',
  'builder',
  'carpenter',
  'painter',
  'roofer',
  'heating',
  'landscaper',
  'other',
] as const

export const coachingRevenues = ['under-50k', '50k-100k', '100k-200k', '200k-500k', 'over-500k'] as const

/** Hours a week. */
export const coachingCommitments = ['1-2', '3-5', '5-10', '10+'] as const

/** Pounds. */
export const coachingInvestments = ['under-1k', '1k-3k', '3k-5k', '5k+'] as const

export const coachingSources = ['podcast', 'youtube', 'social-media', 'google', 'referral', 'other'] as const

export const coachingApplicationLabels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  trade: 'Trade',
  businessName: 'Business name',
  yearsInBusiness: 'Years in business',
  currentRevenue: 'Current revenue',
  biggestChallenge: 'Biggest challenge',
  goals: 'Goals',
  timeCommitment: 'Time commitment',
  investment: 'Investment',
  heardAbout: 'How you heard about us',
  additionalInfo: 'Anything else',
} as const

/** Words for the choices, but for the trades': those stand in the page's content. */
export const coachingChoices = {
  currentRevenue: {
    'under-50k': 'Under £50k a year',
    '50k-100k': '£50k to £100k a year',
    '100k-200k': '£100k to £200k a year',
    '200k-500k': '£200k to £500k a year',
    'over-500k': 'Over £500k a year',
  },
  timeCommitment: {
    '1-2': '1 to 2 hours a week',
    '3-5': '3 to 5 hours a week',
    '5-10': '5 to 10 hours a week',
    '10+': '10 hours a week or more',
  },
  investment: {
    'under-1k': 'Under £1k',
    '1k-3k': '£1k to £3k',
    '3k-5k': '£3k to £5k',
    '5k+': '£5k or more',
  },
  heardAbout: {
    podcast: 'Podcast',
    youtube: 'YouTube',
    'social-media': 'Social media',
    google: 'Google',
    referral: 'Someone told me',
    other: 'Other',
  },
} as const satisfies {
  currentRevenue: Record<(typeof coachingRevenues)[number], string>
  timeCommitment: Record<(typeof coachingCommitments)[number], string>
  investment: Record<(typeof coachingInvestments)[number], string>
  heardAbout: Record<(typeof coachingSources)[number], string>
}

export const bookingLabels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  trade: 'Trade',
  businessName: 'Business name',
  preferredTimes: 'Preferred times',
  businessChallenges: 'Business challenges',
  notes: 'Notes',
} as const

/** The call booking's trades, as we store them; the coaching application has its own list. */
export const bookingTrades = [
  'Plumber',
  'Electrician',
  'Builder',
  'Carpenter',
  'Roofer',
  'Painter & Decorator',
  'Gas Engineer',
  'HVAC Engineer',
  'Other',
] as const

/** What the content calls them, in the same order. */
export const bookingTradeKeys = [
  'plumber',
  'electrician',
  'builder',
  'carpenter',
  'roofer',
  'painter',
  'gas',
  'hvac',
  'other',
] as const

export const contactLabels = { name: 'Name', email: 'Email', trade: 'Trade', message: 'Message' } as const
