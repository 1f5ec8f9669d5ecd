import * as v from 'valibot'
import { quotientManufacturers, quotientTrades } from '#shared/contract/quotient.ts'
import { quotientPackages } from '#shared/values/column-values.ts'
import { Claim, Copy, ItemText, listOf, PageText, SectionText } from './parts.ts'

/** What a package contains; `quotientPrices` has what it costs. */
export const QuotientOffer = v.strictObject({ name: Copy, features: v.pipe(v.array(Copy), v.minLength(1)) })
export type QuotientOffer = v.InferOutput<typeof QuotientOffer>

/** Where buyers ask, and how soon they hear back: "2-4 hours", "9 AM-6 PM Monday-Friday". */
export const QuotientHelp = v.strictObject({
  isSample: v.optional(v.boolean()),
  email: v.pipe(v.string(), v.email()),
  phone: Copy,
  response: Copy,
  hours: Copy,
})
export type QuotientHelp = v.InferOutput<typeof QuotientHelp>

const QuoteEvent = v.strictObject({ time: Copy, what: Copy })

export const QuotientText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  stats: v.array(Claim),
  /** A quote as the customer's phone shows it, with its history. */
  sample: v.strictObject({ job: Copy, customer: Copy, total: Copy, state: Copy, events: v.array(QuoteEvent) }),
  benefits: v.strictObject({ ...SectionText.entries, items: v.pipe(v.array(ItemText), v.length(6)) }),
  packages: v.strictObject({
    ...SectionText.entries,
    offers: v.strictObject(v.entriesFromList(quotientPackages, QuotientOffer)),
  }),
  gallery: v.strictObject({ ...SectionText.entries, pictures: v.pipe(v.array(Copy), v.length(6)) }),
  checkout: v.strictObject({
    ...PageText.entries,
    name: Copy,
    heading: Copy,
    lead: Copy,
    trades: v.strictObject(v.entriesFromList(quotientTrades, Copy)),
    manufacturers: v.strictObject(v.entriesFromList(quotientManufacturers, Copy)),
  }),
  success: v.strictObject({
    ...PageText.entries,
    name: Copy,
    steps: listOf(ItemText, 2, 6),
    help: QuotientHelp,
  }),
})
export type QuotientText = v.InferOutput<typeof QuotientText>
