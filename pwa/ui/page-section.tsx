import type { ReactNode } from 'react'
import type { SectionText } from '#shared/contract/texts/parts.ts'
import { classNames } from './class-names.ts'

type Props = {
  section: SectionText
  /** Beside the heading. */
  figure?: ReactNode
  isOnInk?: boolean
  /** Comes straight after another one on the same ground. */
  follows?: boolean
  id?: string
  children: ReactNode
}

/** A section of the job sheet: its name in the margin, its heading, then the work. */
export const PageSection = ({ section: { name, heading, lead }, figure, isOnInk, follows, id, children }: Props) => (
  <section className={classNames('page-section', follows && 'page-section--follows', isOnInk && 'on-ink')} id={id}>
    <div className="wrap">
      <p className="page-section__no">{name}</p>
      <div className={classNames('page-section__head', figure !== undefined && 'page-section__head--pair')}>
        <h2>{heading}</h2>
        {lead && <p className="lead">{lead}</p>}
        {figure}
      </div>
      <div>{children}</div>
    </div>
  </section>
)
