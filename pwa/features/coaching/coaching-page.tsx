import type { ReactNode } from 'react'
import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { TierSection } from '#pwa/features/tiers/tier-chooser.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Elevation, Picture } from '#pwa/ui/picture.tsx'
import type { CoachingText } from '#shared/contract/texts/coaching.ts'
import type { SectionText } from '#shared/contract/texts/parts.ts'

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

const GetStarted = ({ text }: { text: CoachingText['start'] }) => {
  const actions: ReactNode[] = [
    <BookButton key="book" title={text.dialog} look="hivis" icon="arrow">
      BOOK FREE CONSULTATION
    </BookButton>,
    <ButtonLink key="tier" to="/membership-application" look="line" icon="arrow">
      CHOOSE YOUR TIER
    </ButtonLink>,
  ]
  return (
    <PageSection section={text} isOnInk>
      <StepList>
        {text.steps.map(({ title, text }, index) => (
          <li key={title}>
            <h3>{title}</h3>
            <div className="start">
              <p>{text}</p>
              {actions[index]}
            </div>
          </li>
        ))}
      </StepList>
    </PageSection>
  )
}

const DirectContact = ({ text }: { text: SectionText }) => {
  const { coaches } = useSiteContent()
  return (
    <PageSection section={text}>
      <ul className="coaches">
        {coaches.map(({ name, chat, email, photograph }, index) => (
          <li key={email} className="sheet">
            <Picture name={`coach-${(index % 2) + 1}`} photograph={photograph} alt="" width={480} height={480} />
            <div>
              <h3>{name}</h3>
              <TextAnchor isTap href={chat} target="_blank" rel="noreferrer">
                WhatsApp {name}
              </TextAnchor>
              <TextAnchor isTap href={`mailto:${email}`}>
                {email}
              </TextAnchor>
            </div>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}
