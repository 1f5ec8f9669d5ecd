import { z } from 'zod'

/** Words that a visitor reads: never empty. */
export const words = z.string().trim().min(1)

/** A way within this site. */
export const ownPath = z.string().startsWith('/')

/** What every page's file begins with. */
export const pageText = z.strictObject({ title: words, description: words, image: ownPath.optional() })
