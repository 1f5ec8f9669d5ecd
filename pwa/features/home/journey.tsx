import type { ReactNode } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'

/** The three steps, on one run of pipe. */
export const Journey = () => {
  const { prices } = useSiteContent()
  return (
    <section className="job job--follows">
      <div className="wrap">
        <p className="job__no">How it goes in</p>
        <div className="job__head">
          <h2>Three steps, no bends</h2>
        </div>
        <div>
          <ol className="run">
            <Step number={1} title="Book a free call">
              <p>Thirty minutes with one of the two founding coaches. We ring you within 24 hours to agree a time.</p>
              <p>
                <TextAnchor isTap href="#coaches">
                  Talk to a coach
                </TextAnchor>
              </p>
            </Step>
            <Step number={2} title="Join the Alliance">
              <p>3 tiers. Pick the one that fits where the business is now.</p>
              <LowestPrice reading={prices.lowest} />
            </Step>
            <Step number={3} title="Take action">
              <p>Watch it, do it, tick it off. A weekly call keeps you to it.</p>
            </Step>
          </ol>
        </div>
      </div>
    </section>
  )
}

const Step = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <li>
    <span className="run__no" aria-hidden="true">
      {number}
    </span>
    <h3>{title}</h3>
    {children}
  </li>
)

/** "from £147 + VAT per month": the price large, what is added to it small. */
const LowestPrice = ({ reading }: { reading: string }) => {
  const [price, ...rest] = reading.split(' + ')
  return (
    <p className="from">
      {price}
      {rest.length > 0 && <small> + {rest.join(' + ')}</small>}
    </p>
  )
}
