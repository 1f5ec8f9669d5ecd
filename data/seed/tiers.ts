/** The price list on the first day. `price` is pence a month, excluding VAT. */
export const tierSeeds = [
  {
    slug: 'lite',
    name: 'Alliance Lite',
    description: 'Videos and community',
    price: 12_500,
    features: ['**Training videos** in nine categories', '**Community** of working tradesmen, with a weekly call'],
    hasWeeklyAccountability: false,
    callDuration: null,
    hasMonthlyCoaching: false,
    isByInvitation: false,
    orderIndex: 0,
  },
  {
    slug: 'standard',
    name: 'Alliance',
    description: 'Everything in Lite, and a coach',
    price: 25_000,
    features: [
      '**30-minute** monthly coaching call',
      '**Training videos** in nine categories',
      '**Community** of working tradesmen, with a weekly call',
    ],
    hasWeeklyAccountability: false,
    callDuration: 30,
    hasMonthlyCoaching: true,
    isByInvitation: false,
    orderIndex: 1,
  },
  {
    slug: 'xl',
    name: 'Alliance XL',
    description: 'A coach in your pocket',
    price: 45_000,
    features: [
      '**1-hour** coaching calls',
      '**Weekly accountability**',
      '**Direct WhatsApp access** to the coaches',
      '**Training videos**, and the **community** with its weekly call',
    ],
    hasWeeklyAccountability: true,
    callDuration: 60,
    hasMonthlyCoaching: true,
    isByInvitation: true,
    orderIndex: 2,
  },
] as const

/** What the front page says about these prices, as `data/content/site.json` ships. */
export const shippedLowestPrice = 'from £147 + VAT per month'
