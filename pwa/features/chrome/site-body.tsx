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

/** Whose page is open: an owner's brings a frame of its own, a member's the main part and the foot. */
export const useFrame = (): string =>
  /^\/(admin|view|members(?!h))/.exec(useMatches().at(-1)?.routeId ?? '')?.[1] ?? 'site'
