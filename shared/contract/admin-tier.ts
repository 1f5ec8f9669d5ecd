import * as v from 'valibot'
import { Day, Pence, RequiredLine } from './fields.ts'
import { TierSlug } from './tier.ts'

/** `open`: anyone can choose it; `invitation`: shown as by invitation; `hidden`: not shown and not on sale. */
export const tierVisibilities = ['open', 'invitation', 'hidden'] as const
export const TierVisibility = v.picklist(tierVisibilities, 'Choose who sees this tier.')
export type TierVisibility = v.InferOutput<typeof TierVisibility>

/** Bold words go between two pairs of asterisks, so a line has an even number of pairs. */
const Feature = v.pipe(
  RequiredLine('A line'),
  v.check((line) => line.split('**').length % 2 === 1, 'Bold words need ** before and after them.'),
)

/** What an owner can change about a tier. Its price changes separately, because members pay it. */
export const TierRequest = v.strictObject({
  name: RequiredLine('Name', 60),
  description: RequiredLine('Description', 120),
  features: v.pipe(
    v.array(Feature),
    v.minLength(1, 'Write at least one line.'),
    v.maxLength(12, 'Write up to 12 lines.'),
  ),
  visibility: TierVisibility,
})
export type TierRequest = v.InferOutput<typeof TierRequest>

const version = v.pipe(v.number(), v.integer(), v.minValue(1))

/** `version` is the tier's when the change was started. */
export const TierChangeRequest = v.strictObject({ ...TierRequest.entries, version })
export type TierChangeRequest = v.InferOutput<typeof TierChangeRequest>

/** A price that's waiting for its day: it's the tier's from 00:00 in London. Pence a month excluding VAT. */
export const NextPrice = v.object({ price: Pence, from: Day })
export type NextPrice = v.InferOutput<typeof NextPrice>

/** A tier as the owners see it. Prices are pence a month excluding VAT. */
export const AdminTier = v.object({
  slug: TierSlug,
  name: v.string(),
  description: v.string(),
  features: v.array(v.string()),
  visibility: TierVisibility,
  price: Pence,
  nextPrice: v.nullable(NextPrice),
  /** Who pays for it each month, or will: live subscriptions whose first payment is made or set up. */
  members: v.number(),
  /** How many of these have had notice of a new price. */
  moving: v.number(),
  version,
  updatedAt: v.string(),
})
export type AdminTier = v.InferOutput<typeof AdminTier>
export const AdminTierList = v.array(AdminTier)

export const TierParams = v.object({ tier: TierSlug })

/** A price that can be charged: at least £1. */
const NewPrice = v.pipe(Pence, v.minValue(100, 'Enter at least £1.'), v.maxValue(1_000_000, 'Check the price.'))

/** `price` is pence a month excluding VAT; `from` the day it starts, or else it starts now. */
export const PricePreviewQuery = v.object({
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

/** A member of the tier who pays, or has booked, a price other than the new one. Prices are pence a month excluding VAT. */
export const PriceMoveMember = v.object({
  /** Null if the account was removed. */
  memberId: v.nullable(v.string()),
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
  from: Pence,
  to: Pence,
  /** The day the price starts; null if that's now. */
  startsOn: v.nullable(Day),
  /** A price that's waiting already, and whether this one takes its place. */
  nextPrice: v.nullable(NextPrice),
  replacesNext: v.boolean(),
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
  price: NewPrice,
  movesMembers: v.boolean(),
  /** The day it starts; without it, now. No member can be moved before it has. */
  from: v.optional(Day),
  confirmation: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
})
export type PriceChangeRequest = v.InferOutput<typeof PriceChangeRequest>

/** The waiting price as it was shown, so that another one isn't cancelled by mistake. */
export const NextPriceCancelRequest = v.strictObject(NextPrice.entries)
export type NextPriceCancelRequest = v.InferOutput<typeof NextPriceCancelRequest>

/** `told`: how many members this emailed the notice to. */
export const PriceChange = v.object({ tier: AdminTier, told: v.number() })
export type PriceChange = v.InferOutput<typeof PriceChange>
