import type { ReactNode } from 'react'
import './for-host.css'

/** The machine's own words for something, folded: founders needn't read them. */
export const ForHost = ({ children }: { children: ReactNode }) => (
  <details className="forhost">
    <summary>For whoever hosts the site</summary>
    {children}
  </details>
)
