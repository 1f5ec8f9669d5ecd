import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = {
  /** The ground: the tape's blade, ink, or the bench itself. */
  tone?: 'blade' | 'ink'
  heading: string
  lead: string
  /** Beside the words: a drawing, a price. */
  side?: ReactNode
  /** Buttons, and what is said under them. */
  children?: ReactNode
}

/** The head of a public page: what it is about in one breath, and what to press. */
export const PageTop = ({ tone, heading, lead, side, children }: Props) => (
  <section className={classNames('top', tone && `on-${tone}`)}>
    <div className="wrap pair">
      <div className="top__say">
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
      {side}
    </div>
  </section>
)
