import type { ReactNode } from 'react'
import './enquiries.css'

type Props = { margin: string; heading: string; lead: string; aside: ReactNode; children: ReactNode }

export const EnquiryPage = ({ margin, heading, lead, aside, children }: Props) => (
  <section className="page-section">
    <div className="wrap">
      <p className="page-section__no">{margin}</p>
      <div className="page-section__head">
        <h1 className="enquiry__title">{heading}</h1>
        <p className="lead">{lead}</p>
      </div>
      <div className="enquiry">
        <div className="enquiry__form">{children}</div>
        <aside className="enquiry__side">{aside}</aside>
      </div>
    </div>
  </section>
)
