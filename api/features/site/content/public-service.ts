import type { Context } from '#api/context.ts'
import { withOwnCalendar } from '#api/features/calendar/setup-service.ts'
import { withOwnEpisodes } from '#api/features/site/podcast/service.ts'
import { withLowestPrice } from '#api/features/tiers/service.ts'
import type { AllContent } from '#shared/contract/site-content.ts'

type PublicContent = Pick<AllContent, 'site' | 'pages'>

/** The content anyone may read, without mail texts and hidden claims. */
export const publicContent = (ctx: Context, { site, pages }: PublicContent): PublicContent =>
  withoutHidden({
    site: withOwnCalendar(ctx, withLowestPrice(ctx, site)),
    pages: { ...pages, podcast: withOwnEpisodes(ctx, pages.podcast) },
  })

/** Empties the texts of a hidden part, so that visitors can't find in the page source what owners removed. */
function withoutHidden<Part>(part: Part, isHidden = false): Part {
  if (typeof part === 'string') return (isHidden ? '' : part) as Part
  if (typeof part !== 'object' || part === null) return part
  const isOff = isHidden || ('isOn' in part && part.isOn === false)
  if (Array.isArray(part)) return part.map((one) => withoutHidden(one, isOff)) as Part
  const entries = Object.entries(part).map(([name, one]) => [name, withoutHidden(one, isOff)])
  // Safe casts: only texts changed, to texts.
  return Object.fromEntries(entries) as Part
}
