import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { TierSection } from '#pwa/features/tiers/tier-chooser-section.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Elevation } from '#pwa/ui/picture.tsx'
import type { CoachingText } from '#shared/contract/texts/coaching.ts'
import { DirectContact } from './direct-contact.tsx'
import { GetStarted } from './get-started.tsx'

/** What the Alliance coaches, what it costs, and how to begin. */
export const CoachingPage = ({ text }: { text: CoachingText }) => (
  <>
    <PageHero {...text.hero} tone="blade" side={<Elevation name="level" className="coachtop" />}>
      <div className="acts">
        <BookButton title={text.start.dialog} icon="arrow">
          BOOK FREE CONSULTATION
        </BookButton>
        <ButtonLink to="/membership-application" look="bare">
          CHOOSE YOUR TIER
        </ButtonLink>
      </div>
    </PageHero>
    <Themes text={text.themes} />
    <TierSection text={text.tiers} />
    <GetStarted text={text.start} />
    <DirectContact text={text.direct} />
  </>
)

/** Body, business, balance: what each covers. */
const Themes = ({ text }: { text: CoachingText['themes'] }) => (
  <PageSection section={text}>
    <div className="themes">
      {text.items.map(({ title, text, topics }) => (
        <div key={title} className="theme">
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
          <dl>
            {topics.map((topic) => (
              <div key={topic.title}>
                <dt>{topic.title}</dt>
                <dd>{topic.text}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  </PageSection>
)
