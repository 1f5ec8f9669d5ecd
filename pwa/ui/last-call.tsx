import type { ReactNode } from 'react'
import { Scale } from './scale.tsx'

/** The end of a page: one thing to press, its child. */
export const LastCall = ({ heading, lead, children }: { heading: string; lead: string; children: ReactNode }) => (
  <section className="last on-blade">
    <div className="wrap">
      <h2>{heading}</h2>
      <div className="go">
        <p className="lead">{lead}</p>
        {children}
      </div>
    </div>
    <Scale />
  </section>
)
