import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { RiserPlan } from './riser-plan.tsx'
import { RowPlan } from './row-plan.tsx'
import { Scale } from './scale.tsx'

/** The promise, the way in and the claims, on the blade of a tape. */
export const Hero = () => {
  const { brand } = useSiteContent()
  return (
    <section className="hero on-blade">
      <div className="wrap">
        <div className="hero__h">
          <h1>
            <span>More time.</span> <span>More freedom.</span> <span>More profit.</span>
          </h1>
        </div>
        <div className="hero__say">
          <p className="lead">{brand.tagline}</p>
          <p className="hero__who">{brand.trades}</p>
        </div>
        <div className="hero__acts">
          <ButtonLink to="/membership-tiers" icon="arrow">
            APPLY FOR ALLIANCE
          </ButtonLink>
        </div>
        <div className="hero__side">
          <RiserPlan />
          <RowPlan />
        </div>
        <Claims />
      </div>
      <Scale />
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
