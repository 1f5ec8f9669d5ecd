import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

/** Sold on the sales platform. The price is text in a form search engines can read: £499 or £1,299. */
export const WebsitePackage = v.strictObject({
  name: Copy,
  price: v.pipe(Copy, v.regex(/^£\d{1,3}(,\d{3})*$/, 'must be a price such as £1,299')),
  isMostPopular: v.boolean(),
  features: v.pipe(v.array(Copy), v.minLength(1)),
})
export type WebsitePackage = v.InferOutput<typeof WebsitePackage>

const Reason = v.strictObject({ isSample: v.optional(v.boolean()), figure: Copy, label: Copy, text: Copy })

export const WebsiteBuildsText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  features: v.strictObject({ ...SectionText.entries, list: v.array(Copy) }),
  reasons: v.strictObject({ ...SectionText.entries, list: v.array(Reason) }),
  packages: v.strictObject({ ...SectionText.entries, list: v.pipe(v.array(WebsitePackage), v.minLength(1)) }),
  benefits: v.strictObject({ ...SectionText.entries, list: v.array(Copy) }),
  custom: v.strictObject({ heading: Copy, text: Copy, action: Copy, subject: Copy }),
})
export type WebsiteBuildsText = v.InferOutput<typeof WebsiteBuildsText>
