import type { ReactNode } from 'react'
import './for-host.css'

/** Technical details, folded away because only the host needs them. */
export const ForHost = ({ children }: { children: ReactNode }) => (
  <details className="forhost">
    <summary>For whoever hosts the site</summary>
    {children}
  </details>
)
