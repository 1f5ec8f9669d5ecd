import type { Context } from '#api/context.ts'
import type { PageLook, PageStyle } from '#api/documents/plain-page.ts'
import { contentOf } from '#api/features/content/service.ts'

/** The style of a page that the server writes itself, made anew when the brand's colours are others. */
export function brandedStyle(ctx: Context, font: string | null, make: (look: PageLook) => PageStyle): () => PageStyle {
  let made: { colours: PageLook['colours']; style: PageStyle } | undefined
  return () => {
    const { colours } = contentOf(ctx).read().site.brand
    if (made?.colours !== colours) made = { colours, style: make({ font, colours }) }
    return made.style
  }
}
