import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TapeScale } from '#pwa/ui/page-section.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import { RiserPlan, RowPlan } from './gauges.tsx'

/** The promise, the two ways in and the claims, on the blade of a tape. */
export const Hero = ({ text: { promises, callNote } }: { text: HomeText['hero'] }) => {
  const { brand } = useSiteContent()
  return (
    <section className="hero on-blade">
      <div className="wrap">
        <div className="hero__h">
          <h1>
            {promises.map((promise) => (
              <span key={promise}>{promise} </span>
            ))}
          </h1>
        </div>
        <div className="hero__say">
          <p className="lead">{brand.tagline}</p>
          <p className="hero__who">{brand.trades}</p>
        </div>
        <div className="hero__acts">
          <BookButton icon="arrow" second={callNote}>
            BOOK A CALL
          </BookButton>
          <ButtonLink to="/membership-tiers" look="bare">
            APPLY FOR ALLIANCE
          </ButtonLink>
        </div>
        <div className="hero__side">
          <RiserPlan />
          <RowPlan />
        </div>
        <Claims />
      </div>
      <TapeScale />
    </section>
  )
}

const shownHere = ['coached', 'rating', 'guarantee', 'founded'] as const

const Claims = () => {
  const { claims } = useSiteContent()
  return (
    <dl className="claims">
      {shownHere
        .map((name) => claims[name])
        .filter(({ isOn }) => isOn)
        .map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
    </dl>
  )
}
