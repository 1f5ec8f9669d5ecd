import { ButtonLink } from '#pwa/ui/button.tsx'
import { Scale } from './scale.tsx'

/** The end of the front page: one thing to press. */
export const LastCall = () => (
  <section className="last on-blade">
    <div className="wrap">
      <h2>Put your name on the sheet</h2>
      <div className="go">
        <p className="lead">
          Tell us the trade, the trouble and where you want the business to be. We’ll be in touch within 24 hours.
        </p>
        <ButtonLink to="/membership-application" icon="arrow">
          JOIN THE MOVEMENT
        </ButtonLink>
      </div>
    </div>
    <Scale />
  </section>
)
