import * as v from 'valibot'

/** Words a visitor reads, never empty. Anything still in braces named no value of `site.json` (see `fillPlaceholders`). */
export const Copy = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.maxLength(5000, 'can have up to 5,000 characters'),
  v.regex(/^[^{}]*$/, 'braces must name a value of site.json, such as {brand.founded}'),
)

export const SitePath = v.pipe(v.string(), v.startsWith('/', 'isn’t a path on this site'))

/**
 * What every page has: its title for tabs and search engines (we add the site's name), its description, and its picture for social
 * networks.
 */
export const PageText = v.strictObject({ title: Copy, description: Copy, image: v.optional(SitePath) })
export type PageText = v.InferOutput<typeof PageText>

export const SectionText = v.strictObject({ name: Copy, heading: Copy, lead: v.optional(Copy) })
export type SectionText = v.InferOutput<typeof SectionText>

/** As many entries as the page has room for. The owners' form and the terminal say so beforehand. */
export const listOf = <Item extends v.GenericSchema>(item: Item, least: number, most: number) =>
  v.pipe(
    v.array(item),
    v.minLength(least, `needs at least ${least} entries`),
    v.maxLength(most, `can have up to ${most} entries`),
  )

export const ItemText = v.strictObject({ title: Copy, text: Copy })
export type ItemText = v.InferOutput<typeof ItemText>

/**
 * A figure the owners vouch for; `isOn` false hides it everywhere. One that came with the software is a sample: with a live key it
 * stays off until an owner replaces it.
 */
export const Claim = v.strictObject({ isOn: v.boolean(), isSample: v.optional(v.boolean()), figure: Copy, label: Copy })
export type Claim = v.InferOutput<typeof Claim>

export const Claims = v.strictObject({
  coached: Claim,
  rating: Claim,
  guarantee: Claim,
  founded: Claim,
  revenue: Claim,
})

export const ClaimName = v.keyof(Claims)
export type ClaimName = v.InferOutput<typeof ClaimName>
