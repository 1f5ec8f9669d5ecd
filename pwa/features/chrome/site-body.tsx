import { useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Footer } from './footer.tsx'

/** What a public page has below the header. */
export const SiteBody = ({ children }: { children: ReactNode }) => (
  <>
    <main id="main" tabIndex={-1}>
      {children}
    </main>
    <Footer />
  </>
)

/** Whose pages are open: owners bring a frame of their own, members a main part and a foot. */
export function useFrame(): 'site' | 'members' | 'owners' {
  const ids = useMatches({ select: (matches) => matches.map(({ routeId }) => routeId).join() })
  if (/\/(admin|view-member)\b/.test(ids)) return 'owners'
  return /\/members(?!hip)/.test(ids) ? 'members' : 'site'
}
