import * as v from 'valibot'
import { Day, Id, Pence, RequiredLine } from './fields.ts'
import { PricePeriod, TierSlug, tierProperties } from './tier.ts'

/**
 * `isActive` and `isByInvitation` in one word: `open`, `invitation`, or `hidden` for one that's not on sale. Owners' pages, terminals and
 * site copies from before 079 read it and send it. Nothing here decides by it.
 */
export const tierVisibilities = ['open', 'invitation', 'hidden'] as const
export const TierVisibility = v.picklist(tierVisibilities, 'Choose who sees this tier.')
export type TierVisibility = v.InferOutput<typeof TierVisibility>

/** Bold words go between two pairs of asterisks, so a line has an even number of pairs. */
const Feature = v.pipe(
  RequiredLine('A line'),
  v.check((line) => line.split('**').length % 2 === 1, 'Bold words need ** before and after them.'),
)

const texts = {
  name: RequiredLine('Name', 60),
  description: RequiredLine('Description', 120),
  features: v.pipe(
    v.array(Feature),
    v.minLength(1, 'Write at least one line.'),
    v.maxLength(12, 'Write up to 12 lines.'),
  ),
}

const version = v.pipe(v.number(), v.integer(), v.minValue(1))

const between = (least: number, most: number, sentence: string) =>
  v.pipe(v.number(sentence), v.integer(sentence), v.minValue(least, sentence), v.maxValue(most, sentence))

/** What a tier is and gives, as owners set it. */
const properties = {
  ...tierProperties,
  callDuration: v.nullable(between(5, 480, 'Enter 5 to 480 minutes.')),
  callsPerMonth: between(0, 31, 'Enter up to 31 calls a month.'),
  questionsPerMonth: v.nullable(between(0, 600, 'Enter up to 600 questions a month.')),
  badge: v.nullable(RequiredLine('Badge', 24)),
}

/**
 * What an owner can change about a tier; its prices change separately, because members pay them. What's left out stays. `version` is the tier's when the change was started. `newDefault` becomes the default tier first, for a change
 * that the default one can't have.
 */
export const TierChangeRequest = v.strictObject({
  ...v.partial(v.object({ ...texts, ...properties, visibility: TierVisibility })).entries,
  newDefault: v.optional(TierSlug),
  version,
})
export type TierChangeRequest = v.InferOutput<typeof TierChangeRequest>

/** They mean something else where a slug stands: every video, no tier, and a month's figures of them all. */
const otherWords = ['owner', 'none', 'null', 'other']

/** The last part of a tier's addresses, set once and never given again. */
export const NewTierSlug = v.pipe(
  v.string('Enter a short name.'),
  v.trim(),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use small letters, numbers and single hyphens.'),
  v.maxLength(40, 'Use up to 40 characters.'),
  v.check((slug) => !otherWords.includes(slug), 'Choose another short name.'),
)

/** A price that can be charged: at least £1. */
const NewPrice = v.pipe(Pence, v.minValue(100, 'Enter at least £1.'), v.maxValue(12_000_000, 'Check the price.'))

const NewTierPrice = v.strictObject({ every: PricePeriod, net: NewPrice })

/**
 * A new tier. It comes last in the order. Its slug is made of its name where none is given. `videosLike` is the tier whose videos it
 * begins with; without it, it begins with none. `isActive` false keeps it off sale until it's restored.
 */
export const NewTierRequest = v.strictObject({
  slug: v.optional(NewTierSlug),
  ...texts,
  ...v.partial(v.object(properties)).entries,
  prices: v.pipe(
    v.array(NewTierPrice),
    v.minLength(1, 'Enter a price.'),
    v.maxLength(2, 'Enter one price a month and one a year.'),
    v.check(
      (prices) => new Set(prices.map(({ every }) => every)).size === prices.length,
      'Enter one price a month and one a year.',
    ),
  ),
  videosLike: v.optional(TierSlug),
  isActive: v.optional(v.boolean(), true),
})
export type NewTierRequest = v.InferOutput<typeof NewTierRequest>

/** Null if the account was removed. */
const memberId = v.nullable(v.string())

/** Every tier's slug, in the new order. */
export const TierOrderRequest = v.strictObject({ slugs: v.array(TierSlug) })
export type TierOrderRequest = v.InferOutput<typeof TierOrderRequest>

/** `newDefault` becomes the default tier first, in the same step, as the default one can't be retired. */
export const TierRetireRequest = v.strictObject({ version, newDefault: v.optional(TierSlug) })
export type TierRetireRequest = v.InferOutput<typeof TierRetireRequest>

export const TierVersionRequest = v.strictObject({ version })
export type TierVersionRequest = v.InferOutput<typeof TierVersionRequest>

/** `leavesVideos`: also where it has videos that no other tier sees. */
export const TierDeleteRequest = v.strictObject({
  version,
  newDefault: v.optional(TierSlug),
  leavesVideos: v.optional(v.boolean(), false),
})
export type TierDeleteRequest = v.InferOutput<typeof TierDeleteRequest>

/** A price that's waiting for its day: it's the tier's from 00:00 in London. Pence a month excluding VAT. */
export const NextPrice = v.object({ price: Pence, from: Day })
export type NextPrice = v.InferOutput<typeof NextPrice>

/** One of a tier's prices, in pence of the whole period excluding VAT. `members` pay by it, at whatever it was when they began. */
export const AdminTierPrice = v.object({
  id: Id,
  every: PricePeriod,
  net: Pence,
  isOffered: v.boolean(),
  nextPrice: v.nullable(v.object({ net: Pence, from: Day })),
  members: v.number(),
  /** How many of these have had notice of a new price. */
  moving: v.number(),
})
export type AdminTierPrice = v.InferOutput<typeof AdminTierPrice>

/** Who has booked a change to a tier, and when it comes. */
const Booking = v.object({ memberId, name: v.string(), on: Day })
export type Booking = v.InferOutput<typeof Booking>

/** The first to come are named. */
const Bookings = v.object({ members: v.number(), people: v.array(Booking) })

/** A tier as the owners see it. `price` and `nextPrice` are pence a month excluding VAT; `prices` has them all. */
export const AdminTier = v.object({
  slug: TierSlug,
  name: v.string(),
  description: v.string(),
  features: v.array(v.string()),
  ...tierProperties,
  visibility: TierVisibility,
  isActive: v.boolean(),
  isDefault: v.boolean(),
  orderIndex: v.number(),
  price: Pence,
  nextPrice: v.nullable(NextPrice),
  /** The month's first. */
  prices: v.array(AdminTierPrice),
  /** Who pays for it each month, or will: live subscriptions whose first payment is made or set up. */
  members: v.number(),
  /** How many of these have had notice of a new price. */
  moving: v.number(),
  /** Who comes to it from another tier with the next bill. */
  booked: Bookings,
  version,
  updatedAt: v.string(),
})
export type AdminTier = v.InferOutput<typeof AdminTier>
export const AdminTierList = v.array(AdminTier)

export const TierParams = v.object({ tier: TierSlug })

const every = v.optional(PricePeriod, 'month')

/** `price` is pence of each period excluding VAT; `from` the day it starts, or else it starts now. */
export const PricePreviewQuery = v.object({
  every,
  price: v.pipe(v.string(), v.regex(/^\d+$/, 'This isn’t a price in pence.'), v.transform(Number), NewPrice),
  from: v.optional(Day),
})
export type PricePreviewQuery = v.InferOutput<typeof PricePreviewQuery>

export const staysReasons = [
  'later',
  'moving',
  'ending',
  'arrears',
  'paused',
  'revoked',
  'leaving',
  'mail_refused',
  'no_account',
] as const
export const StaysReason = v.picklist(staysReasons)
export type StaysReason = v.InferOutput<typeof StaysReason>

/** A member of the tier who pays, or has booked, a price other than the new one. Prices are pence of each period excluding VAT. */
export const PriceMoveMember = v.object({
  memberId,
  name: v.string(),
  email: v.nullable(v.string()),
  from: Pence,
  to: Pence,
  /** The renewal they move at; null for those who stay. */
  on: v.nullable(Day),
  /** They've booked this tier but pay for another one today. */
  isBooked: v.boolean(),
  stays: v.nullable(StaysReason),
})
export type PriceMoveMember = v.InferOutput<typeof PriceMoveMember>

/** What a new price would change, and for whom. Nothing has changed yet. */
export const PricePreview = v.object({
  slug: TierSlug,
  name: v.string(),
  every: PricePeriod,
  /** Pence of each period. Null if the tier has had no such price. */
  from: v.nullable(Pence),
  to: Pence,
  /** The day the price starts; null if that's now. */
  startsOn: v.nullable(Day),
  /** A price that's waiting already, and whether this one takes its place. */
  nextPrice: v.nullable(NextPrice),
  replacesNext: v.boolean(),
  /** What looks like a slip and is allowed, such as a year that costs more than twelve months. */
  notes: v.array(v.string()),
  version,
  members: v.array(PriceMoveMember),
  /** The notice as the first member to move would read it; null if no member moves. */
  mail: v.nullable(v.object({ to: v.string(), subject: v.string(), text: v.string() })),
  /** A hash of all of this. We only make the change if the preview would still be the same. */
  confirmation: v.string(),
})
export type PricePreview = v.InferOutput<typeof PricePreview>

/** Without `movesMembers` the price is for new members only, and everyone else keeps theirs. */
export const PriceChangeRequest = v.strictObject({
  every,
  price: NewPrice,
  movesMembers: v.boolean(),
  /** The day it starts; without it, now. No member can be moved before it has. */
  from: v.optional(Day),
  confirmation: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
})
export type PriceChangeRequest = v.InferOutput<typeof PriceChangeRequest>

/** The waiting price as it was shown, so that another one isn't cancelled by mistake. */
export const NextPriceCancelRequest = v.strictObject({ every, ...NextPrice.entries })
export type NextPriceCancelRequest = v.InferOutput<typeof NextPriceCancelRequest>

/** Nobody chooses this price any more. Who pays by it keeps it. */
export const PriceStopRequest = v.strictObject({ every: PricePeriod, version })
export type PriceStopRequest = v.InferOutput<typeof PriceStopRequest>

/** Who pays one sum: pence of their own period excluding VAT, which is in months, or in days where these aren't null. Some are named. */
const TierPayers = v.object({
  net: Pence,
  months: v.number(),
  days: v.nullable(v.number()),
  members: v.number(),
  people: v.array(v.object({ memberId, name: v.string() })),
})
export type TierPayers = v.InferOutput<typeof TierPayers>

/** Who has had notice of a new price, pence of each period excluding VAT, and the days of the first and last renewal that takes it. */
const TierMoves = v.object({ net: Pence, every: PricePeriod, members: v.number(), from: Day, to: Day })

/** Who is with a tier, and what names it: what an owner looks at before changing, retiring or deleting it. */
export const TierUses = v.object({
  slug: TierSlug,
  name: v.string(),
  version,
  /** The most first. */
  payers: v.array(TierPayers),
  moves: v.array(TierMoves),
  /** Who comes to it from another tier. */
  booked: Bookings,
  /** Who has free access to it. */
  granted: v.number(),
  openInvitations: v.number(),
  pendingApplications: v.number(),
  videos: v.number(),
  /** Videos that no other tier sees. */
  ownVideos: v.array(v.object({ id: v.string(), title: v.string() })),
  /** What keeps it from being deleted, such as “2 people”. Empty if nothing does. */
  namedBy: v.array(v.string()),
})
export type TierUses = v.InferOutput<typeof TierUses>

/** `told`: how many members this emailed the notice to. */
export const PriceChange = v.object({ tier: AdminTier, told: v.number() })
export type PriceChange = v.InferOutput<typeof PriceChange>
