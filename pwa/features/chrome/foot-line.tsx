import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import './foot-line.css'

/** The foot behind a login, in one line. `children`: its Help. */
export function FootLine({ children }: { children: ReactNode }) {
  const { brand } = useSiteContent()
  return (
    <footer className="footline" role="contentinfo" aria-label="Small print">
      <p>{brand.copyright}</p>
      <Link to="/privacy">Privacy</Link>
      <Link to="/cookies">Cookies</Link>
      {children}
    </footer>
  )
}
