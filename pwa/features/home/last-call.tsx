import { ButtonLink } from '#pwa/ui/button.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import { Scale } from './scale.tsx'

/** The end of the front page: one thing to press. */
export const LastCall = ({ text: { heading, lead, action } }: { text: HomeText['lastCall'] }) => (
  <section className="last on-blade">
    <div className="wrap">
      <h2>{heading}</h2>
      <div className="go">
        <p className="lead">{lead}</p>
        <ButtonLink to="/coaching-application" icon="arrow">
          {action}
        </ButtonLink>
      </div>
    </div>
    <Scale />
  </section>
)
