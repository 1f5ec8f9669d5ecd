import type { TierProperties } from '#shared/contract/tier.ts'

type TierSeed = TierProperties & {
  slug: string
  name: string
  description: string
  features: string[]
  isActive: boolean
  isDefault: boolean
  /** Pence a month, excluding VAT. */
  price: number
  /** Its videos are what this one sees. */
  videosLike?: string
}

/** What none of them says otherwise. */
const plain: TierProperties = {
  hasWeeklyAccountability: false,
  callDuration: null,
  callsPerMonth: 0,
  questionsPerMonth: null,
  hasMonthlyCoaching: false,
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

const offered = { isActive: true, isDefault: false }

const xl: TierProperties = {
  ...plain,
  hasWeeklyAccountability: true,
  callDuration: 60,
  callsPerMonth: 1,
  hasMonthlyCoaching: true,
  hasWhatsApp: true,
  isByInvitation: true,
  badge: 'INVITE ONLY',
  cardColour: 'dark',
}

/** The price list on the first day, in its order. Each is laid once. */
export const tierSeeds: readonly TierSeed[] = [
  {
    ...plain,
    ...offered,
    slug: 'lite',
    name: 'Alliance Lite',
    description: 'Videos and community',
    price: 12_500,
    features: ['**Training videos** in nine categories', '**Community** of working tradesmen, with a weekly call'],
    questionsPerMonth: 3,
    rejoinsLater: false,
  },
  {
    ...plain,
    slug: 'standard',
    name: 'Alliance',
    description: 'Everything in Lite, and a coach',
    price: 25_000,
    features: [
      '**30-minute** monthly coaching call',
      '**Training videos** in nine categories',
      '**Community** of working tradesmen, with a weekly call',
    ],
    isActive: true,
    isDefault: true,
    callDuration: 30,
    callsPerMonth: 1,
    hasMonthlyCoaching: true,
    isPreselected: true,
    isHighlighted: true,
    badge: 'Most Popular',
    cardColour: 'yellow',
  },
  {
    ...xl,
    ...offered,
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
  },
  {
    ...xl,
    slug: 'mastermind',
    name: 'Alliance Mastermind',
    description: 'A small group for members who’ve outgrown XL',
    price: 99_700,
    features: ['**A small group** for members who’ve outgrown XL', 'A coach invites you when you’re **ready for it**'],
    isActive: false,
    isDefault: false,
    isShown: false,
    videosLike: 'xl',
  },
]

/** What the front page says about these prices, as `data/content/site.json` ships. */
export const shippedLowestPrice = 'from £147 + VAT per month'
