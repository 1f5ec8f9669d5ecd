import { z } from 'zod'

/** Words that a visitor reads: never empty. What is still in braces was found in no `site.json` (see `fillIn`). */
export const words = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^{}]*$/, 'what stands in braces must name a value of site.json, such as {brand.founded}')

/** A way within this site. */
export const ownPath = z.string().startsWith('/')

/** What every page's file begins with. */
export const pageText = z.strictObject({ title: words, description: words, image: ownPath.optional() })

/** A figure that owners vouch for. */
export const claim = z.strictObject({
  isOn: z.boolean(),
  isSample: z.boolean().optional(),
  figure: words,
  label: words,
})

/** One of the site's own claims. */
export const claimName = z.enum(['coached', 'rating', 'guarantee', 'founded', 'revenue'])
