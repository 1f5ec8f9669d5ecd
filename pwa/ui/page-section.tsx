import type { ReactNode } from 'react'
import type { SectionText } from '#shared/contract/texts/parts.ts'
import { classNames } from './class-names.ts'

type HeroProps = {
  /** The ground: the tape's blade, ink, or the bench itself. */
  tone?: 'blade' | 'ink'
  heading: string
  lead: string
  side?: ReactNode
  children?: ReactNode
}

/** The top of a public page: what it's about in one breath, and what to press. */
export const PageHero = ({ tone, heading, lead, side, children }: HeroProps) => (
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

type SectionProps = {
  section: SectionText
  figure?: ReactNode
  isOnInk?: boolean
  follows?: boolean
  id?: string
  children: ReactNode
}

/** A section of the job sheet: its name in the margin, its heading, then the content. */
export const PageSection = ({ section, figure, isOnInk, follows, id, children }: SectionProps) => (
  <section className={classNames('page-section', follows && 'page-section--follows', isOnInk && 'on-ink')} id={id}>
    <div className="wrap">
      <p className="page-section__no">{section.name}</p>
      <div className={classNames('page-section__head', figure !== undefined && 'page-section__head--pair')}>
        <h2>{section.heading}</h2>
        {section.lead && <p className="lead">{section.lead}</p>}
        {figure}
      </div>
      <div>{children}</div>
    </div>
  </section>
)

type ClosingProps = Pick<HeroProps, 'heading' | 'lead'> & { children: ReactNode }

/** The end of a page, with one thing to press: its child. */
export const ClosingSection = ({ heading, lead, children }: ClosingProps) => (
  <section className="last on-blade">
    <div className="wrap">
      <h2>{heading}</h2>
      <div className="go">
        <p className="lead">{lead}</p>
        {children}
      </div>
    </div>
    <TapeScale />
  </section>
)

const tens = Array.from({ length: 24 }, (_, index) => (index + 1) * 10)

/** The numbers along the edge of a tape's blade. */
export const TapeScale = () => (
  <div className="scale" aria-hidden="true">
    {tens.map((ten) => (
      <span key={ten}>{ten}</span>
    ))}
  </div>
)
