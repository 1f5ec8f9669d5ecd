import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import { TierChooser, TierTerms } from './tier-chooser.tsx'
import { useTiers } from './use-tiers.ts'

const tiersId = 'tiers'

export const TiersPage = ({ text }: { text: MembershipTiersText }) => (
  <>
    <TiersHead heading={text.heading} lead={text.lead} />
    <PageSection section={text.tiers} id={tiersId}>
      <TierChooser state={useTiers()} />
      <TierTerms />
      <Mastermind />
    </PageSection>
    <PageSection section={text.questions} follows>
      <Questions faq={text.faq} />
    </PageSection>
  </>
)

const TiersHead = ({ heading, lead }: Pick<MembershipTiersText, 'heading' | 'lead'>) => (
  <section className="on-blade">
    <div className="wrap tiershead">
      <div>
        <ButtonLink to="/" look="line" isSmall>
          Back to home
        </ButtonLink>
      </div>
      <h1>{heading}</h1>
      <p className="lead">{lead}</p>
      <div>
        <ButtonAnchor href={`#${tiersId}`} icon="arrow">
          SEE THE TIERS
        </ButtonAnchor>
      </div>
    </div>
  </section>
)

function Mastermind() {
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
)
