import * as v from 'valibot'
import { Copy, ItemText, listOf, PageText, SectionText } from './parts.ts'

/** Exactly three: the section's layout has three places. */
const ThreeItems = v.pipe(v.array(ItemText), v.length(3))

const hasOwnIds = (items: readonly { id: string }[]) => new Set(items.map(({ id }) => id)).size === items.length
const duplicateIds = 'each needs its own id'

/** A customer's review. One that came with the software is a sample and only shows in the sandbox. */
export const Review = v.strictObject({
  id: Copy,
  author: Copy,
  /** Out of five. */
  rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  text: Copy,
  date: Copy,
  /** Only with proof, unless it's a sample. */
  verified: v.boolean(),
  /** Where an owner can look it up. We never send it to visitors. */
  proof: v.optional(Copy),
  trade: v.optional(Copy),
  isSample: v.optional(v.boolean()),
})
export type Review = v.InferOutput<typeof Review>

const MotivationQuote = v.strictObject({ id: Copy, text: Copy, author: Copy, category: Copy })

export const ReviewsText = v.strictObject({
  ...SectionText.entries,
  items: v.pipe(
    v.array(Review),
    v.check((items) => hasOwnIds(items), duplicateIds),
  ),
})
export type ReviewsText = v.InferOutput<typeof ReviewsText>

export const QuotesText = v.strictObject({
  name: Copy,
  heading: Copy,
  items: v.pipe(
    v.array(MotivationQuote),
    v.minLength(2),
    v.check((items) => hasOwnIds(items), duplicateIds),
  ),
})
export type QuotesText = v.InferOutput<typeof QuotesText>

/** As long as fits next to a gauge. */
const CircuitName = v.pipe(Copy, v.maxLength(16, 'can have up to 16 characters, for the room in the drawing'))

const Snag = v.strictObject({ advice: Copy, putRight: Copy })

/** As in the heading of the calendar on Home. */
export const WeekDay = v.picklist(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
export type WeekDay = v.InferOutput<typeof WeekDay>

export const HomeText = v.strictObject({
  ...PageText.entries,
  hero: v.strictObject({ promises: listOf(Copy, 2, 4), callNote: Copy }),
  /** The two buttons at the top, set in capitals. */
  actions: v.strictObject({ call: Copy, join: Copy }),
  drawing: v.strictObject({ circuits: v.pipe(v.array(CircuitName), v.length(3)) }),
  benefits: v.strictObject({ ...SectionText.entries, trades: Copy, jobs: ThreeItems }),
  /** In this order: the free call, joining, taking action. */
  journey: v.strictObject({ ...SectionText.entries, steps: ThreeItems }),
  /** Above the coaches' names; hidden with them. */
  coaches: SectionText,
  tiers: SectionText,
  snags: v.strictObject({ ...SectionText.entries, items: v.pipe(v.array(Snag), v.minLength(1)) }),
  video: v.strictObject({ label: Copy, before: Copy, after: Copy, text: Copy }),
  reviews: ReviewsText,
  join: v.strictObject({
    ...SectionText.entries,
    callDay: WeekDay,
    /** When support is available, in large figures. */
    hours: Copy,
    calls: ItemText,
    support: ItemText,
  }),
  quotes: QuotesText,
  lastCall: v.strictObject({ heading: Copy, lead: Copy, action: Copy }),
})
export type HomeText = v.InferOutput<typeof HomeText>
