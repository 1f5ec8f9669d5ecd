import { z } from 'zod'

/** Words that a visitor reads: never empty. */
export const words = z.string().trim().min(1)

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
