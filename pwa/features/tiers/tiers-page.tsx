import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import { TierChooser } from './tier-chooser.tsx'
import { TierTerms } from './tier-terms.tsx'
import { useTiers } from './use-tiers.ts'

/** Where the button of the page's head leads. */
const tiersId = 'tiers'

/** The whole page of the tiers: choose, or read the questions first. */
export const TiersPage = ({ text }: { text: MembershipTiersText }) => (
  <>
    <TiersHead />
    <section className="job" id={tiersId}>
      <div className="wrap">
        <p className="job__no">Membership</p>
        <div className="job__head">
          <h2>Pick your tier</h2>
        </div>
        <div>
          <TierChooser state={useTiers()} />
          <TierTerms />
          <Mastermind />
        </div>
      </div>
    </section>
    <Questions faq={text.faq} />
  </>
)

const TiersHead = () => (
  <section className="on-blade">
    <div className="wrap tiershead">
      <div>
        <ButtonLink to="/" look="line" isSmall>
          Back to home
        </ButtonLink>
      </div>
      <h1>Three tiers, one crew</h1>
      <p className="lead">
        Start with the videos and the community, add a coach once a month, or keep one in your pocket. Change when the
        business does.
      </p>
      <div>
        <ButtonAnchor href={`#${tiersId}`} icon="arrow">
          SEE THE TIERS
        </ButtonAnchor>
      </div>
    </div>
  </section>
)

const Mastermind = () => {
  const { mastermind, prices } = useSiteContent()
  return (
    <div className="sheet master">
      <div>
        <Stamp>{mastermind.badge}</Stamp>
        <h3>{mastermind.name}</h3>
      </div>
      <div>
        <p>{mastermind.text}</p>
        <p>
          <b>{prices.mastermind}</b>
        </p>
      </div>
    </div>
  )
}

const Questions = ({ faq }: Pick<MembershipTiersText, 'faq'>) => (
  <section className="job job--follows">
    <div className="wrap">
      <p className="job__no">Questions</p>
      <div className="job__head">
        <h2>Before you sign</h2>
      </div>
      <div className="faq">
        {faq.map(({ topic, answer }) => (
          <details key={topic} name="faq">
            <summary>
              {topic}
              <Icon name="chev" />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </div>
  </section>
)
