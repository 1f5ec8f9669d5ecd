import { createContext, type ReactNode, useContext } from 'react'
import { PictureSourceContext } from '#pwa/ui/picture-source.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'

const ContentContext = createContext<SiteContent | null>(null)

export const SiteContentProvider = ({ content, children }: { content: SiteContent; children: ReactNode }) => (
  <ContentContext value={content}>
    <PictureSourceContext value={content}>{children}</PictureSourceContext>
  </ContentContext>
)

/** What owners edit: brand, contacts, claims, prices in words, questions. */
export function useSiteContent(): SiteContent {
  const content = useContext(ContentContext)
  if (!content) throw new Error('This component needs a SiteContentProvider above it')
  return content
}
